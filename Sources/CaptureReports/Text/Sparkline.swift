/// A series as a line of bars.
enum Sparkline {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A bar for each mean between least and most; a space where nothing was measured.
  static func line(_ means: [Double?], least: Double, most: Double) -> String {
    let span = most - least
    return String(
      means.map { mean in
        guard let mean else { return " " }
        guard span > 0 else { return bars[3] }
        let place = Int((mean - least) / span * Double(bars.count))
        return bars[min(max(place, 0), bars.count - 1)]
      })
  }
}

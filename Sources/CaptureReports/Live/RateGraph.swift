import CaptureAnalysis

/// The heart rate over the last minutes as columns, with its scale on the left and its time below.
struct RateGraph {
  let history: RateHistory
  let steadyTime: SteadyTime
  let end: Moment
  /// Whether nothing will follow.
  let isOver: Bool
  /// When the connection began.
  let start: Moment
  let columns: Int
  let rows: Int

  /// Columns of the scale.
  private static let margin = 6
  /// More time is not shown: at the right edge is the present.
  private static let longest = 300
  private static let bars = Array(" ▁▂▃▄▅▆▇█")

  /// The lines, the time below them included.
  func lines() -> [LiveLine] {
    let width = columns - Self.margin
    guard width > 0, rows > 1 else { return [] }
    // The stretch of time is as long as what there is to show, in whole seconds a column, up to five minutes.
    let needed = Int(min(steadyTime.seconds(from: start, to: end), Double(Self.longest))) + 1
    let secondsPerColumn = (needed + width - 1) / width
    let means = history.means(
      columns: width, secondsPerColumn: secondsPerColumn, until: end, in: steadyTime)
    let values = means.compactMap { $0 }
    guard let least = values.min(), let most = values.max() else { return [] }
    let (bottom, top) = Self.scale(least, most)
    let bodyRows = rows - 1
    var lines = (0..<bodyRows).map { row in
      let label = row == 0 ? "\(top)" : row == bodyRows - 1 ? "\(bottom)" : ""
      var line = LiveLine()
      line.add(TextLayout.padded(label, 4, alignedRight: true) + (label.isEmpty ? " │" : " ┤"), .quiet)
      let floor = bodyRows - 1 - row
      line.add(
        String(means.map { Self.bar($0, floor: floor, rows: bodyRows, bottom: bottom, top: top) }), .bad)
      return line
    }
    lines.append(axis(seconds: width * secondsPerColumn))
    return lines
  }

  /// Whole tens around the values, no less than twenty apart: noise shall not look like a race.
  private static func scale(_ least: Double, _ most: Double) -> (bottom: Int, top: Int) {
    let bottom = Int(least / 10) * 10
    let top = (Int(most) / 10 + 1) * 10
    return top - bottom < 20 ? (max(0, bottom - 10), max(20, top)) : (bottom, top)
  }

  /// What a column shows in one line, lines counted from below. Every value shows at least a little.
  private static func bar(_ mean: Double?, floor: Int, rows: Int, bottom: Int, top: Int) -> Character {
    guard let mean else { return " " }
    let share = (mean - Double(bottom)) / Double(top - bottom)
    let eighths = max(1, Int(share * Double(rows * 8) + 0.5))
    return bars[min(max(eighths - floor * 8, 0), 8)]
  }

  private func axis(seconds: Int) -> LiveLine {
    var line = LiveLine()
    line.advance(to: Self.margin)
    line.add("\(TimeText.duration(Double(seconds))) \(isOver ? "before" : "ago")", .quiet)
    line.addRight(isOver ? "end" : "now", .quiet, width: columns)
    return line
  }
}

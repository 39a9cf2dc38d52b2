import GATTKit

/// Whether RR-Intervals are sent, and for how many of the beats.
enum RRPresenceAspect: ComparisonAspect {
  static let name = "rr-presence"
  static let title = "RR-Intervals"

  /// Fewer beats say nothing of the share that is sent.
  private static let leastBeats = 30.0
  /// A sensor sends one for each beat; one that sends fewer than two thirds of them leaves beats out, and one that sends
  /// more than four thirds repeats them.
  private static let usualShare = (2.0 / 3)...(4.0 / 3)

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(
      sides.map { side -> (key: String, words: String)? in
        let sample = side.series
        guard sample.measurements > 0 else { return nil }
        guard sample.intervals > 0 else { return ("none", "none") }
        guard sample.beats >= leastBeats else { return ("some", "sent") }
        let share = Double(sample.intervals) / sample.beats
        let kind = usualShare.contains(share) ? "each" : share < 1 ? "some" : "more"
        return (kind, "for \(number(100 * share, decimals: 0)) % of the beats")
      })
  }
}

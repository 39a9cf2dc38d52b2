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
      statistics: sides.map(words), testedBy: "some or none; from thirty beats on, two thirds to four thirds of them"
    ) { first, second in
      let (one, other) = (sides[first].series, sides[second].series)
      if (one.intervals == 0) != (other.intervals == 0) {
        return min(one.measurements, other.measurements) >= leastMeasurements ? true : nil
      }
      guard one.intervals > 0 else { return false }
      guard let share = share(one), let otherShare = Self.share(other) else { return nil }
      return kind(share) != kind(otherShare)
    }
  }

  /// Measurements of fewer seconds may be without a beat.
  private static let leastMeasurements = 5

  private static func words(_ side: SensorBehaviour) -> String? {
    let sample = side.series
    guard sample.measurements > 0 else { return nil }
    guard sample.intervals > 0 else { return "none" }
    return share(sample).map { "for \(percent($0)) of the beats" } ?? "sent"
  }

  /// How many there are for each beat; nil where there are too few beats to tell.
  private static func share(_ sample: MeasurementSample) -> Double? {
    sample.beats >= leastBeats ? Double(sample.timedIntervals) / sample.beats : nil
  }

  private static func kind(_ share: Double) -> Int { usualShare.contains(share) ? 0 : share < 1 ? -1 : 1 }
}

/// How much neighbouring RR-Intervals differ: noise adds to it, smoothing takes from it.
enum RRStatisticsAspect: ComparisonAspect {
  static let name = "rr-statistics"
  static let title = "RR variability"

  /// The variability of one heart changes as much from hour to hour: only what is beyond it may be the sensor's.
  private static let leastRatio = 1.5

  /// And differences of less than this, in milliseconds, are within what sensors resolve.
  private static let leastDifference = 5.0

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let samples = sides.map(\.series)
    let medians = samples.map { SampleStatistics.quantile($0.variability, 0.5) }
    let relative = samples.map { SampleStatistics.quantile($0.relativeVariability, 0.5) }
    var comparison = AspectComparison(
      statistics: medians.map { $0.map { "RMSSD \(number($0)) ms in 5 s" } },
      testedBy: "Mann–Whitney U of RMSSD over 5 s, in parts of the mean interval; half as much again, and 5 ms more"
    ) { first, second in
      guard
        let test = SampleStatistics.mannWhitney(
          samples[first].relativeVariability, samples[second].relativeVariability),
        let one = relative[first], let other = relative[second], let milliseconds = medians[first],
        let others = medians[second]
      else { return nil }
      return test.chance < SampleStatistics.significance && max(one, other) >= leastRatio * min(one, other)
        && (milliseconds - others).magnitude >= leastDifference
    }
    if comparison.differs, let note = comparison.note {
      comparison.note = "\(note); the wearer's heart makes as much, at rest or not"
    }
    return comparison
  }
}

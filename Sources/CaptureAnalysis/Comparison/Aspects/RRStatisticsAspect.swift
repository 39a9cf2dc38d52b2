/// How much neighbouring RR-Intervals differ: noise adds to it, smoothing takes from it.
enum RRStatisticsAspect: ComparisonAspect {
  static let name = "rr-statistics"
  static let title = "RR variability"

  /// The variability of one heart changes as much from hour to hour: only what is beyond it may be the sensor's.
  private static let leastRatio = 1.5

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let samples = sides.map(\.series.variability)
    let medians = samples.map { SampleTests.quantile($0, 0.5) }
    var comparison = AspectComparison(
      statistics: medians.map { $0.map { "RMSSD \(number($0)) ms" } },
      testedBy: "Mann–Whitney U of RMSSD in spans of 5 s, and half as much again"
    ) { first, second in
      guard let test = SampleTests.mannWhitney(samples[first], samples[second]), let one = medians[first],
        let other = medians[second]
      else { return nil }
      return test.chance < SampleTests.significance && max(one, other) >= leastRatio * max(min(one, other), 0.5)
    }
    if comparison.differs, let note = comparison.note {
      comparison.note = "\(note); it falls as a heart beats faster, so compare at like rates"
    }
    return comparison
  }
}

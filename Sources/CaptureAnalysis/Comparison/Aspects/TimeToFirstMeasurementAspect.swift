/// How long it takes from the connection's making to the first measurement.
enum TimeToFirstMeasurementAspect: ComparisonAspect {
  static let name = "time-to-first-measurement"
  static let title = "time to first value"

  /// One connection may take several times as long as another with the same sensor: of too few for a test, the medians
  /// have to be so many times apart.
  private static let leastRatioOfFew = 4.0
  /// And so many seconds.
  private static let leastSecondsOfFew = 2.0
  /// Of enough for a test, so many times is far enough.
  private static let leastRatioOfMany = 1.5

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let samples = sides.map { side in side.connections.compactMap(\.summary.secondsToFirstMeasurement) }
    let medians = samples.map { SampleTests.quantile($0, 0.5) }
    return AspectComparison(
      statistics: zip(samples, medians).map { sample, median in
        median.map { sample.count > 1 ? "\(seconds($0)), median of \(sample.count)" : length(seconds: $0) }
      },
      testedBy: "Mann–Whitney U, half as long again; of too few connections for that, four times as long, and 2 s"
    ) { first, second in
      guard let one = medians[first], let other = medians[second] else { return nil }
      let isFar = max(one, other) >= leastRatioOfFew * min(one, other) && (one - other).magnitude >= leastSecondsOfFew
      guard let test = SampleTests.mannWhitney(samples[first], samples[second]) else { return isFar }
      return test.chance < SampleTests.significance && max(one, other) >= leastRatioOfMany * min(one, other)
    }
  }
}

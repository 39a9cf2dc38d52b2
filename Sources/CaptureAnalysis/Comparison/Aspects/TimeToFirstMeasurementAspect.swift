/// How long it takes from the connection's making to the first measurement.
enum TimeToFirstMeasurementAspect: ComparisonAspect {
  static let name = "time-to-first-measurement"
  static let title = "time to first value"

  /// One connection may take several times as long as another with the same sensor.
  private static let leastRatio = 4.0
  /// And by so many seconds.
  private static let leastSeconds = 2.0

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let samples = sides.map { side in side.connections.compactMap(\.summary.secondsToFirstMeasurement) }
    let medians = samples.map { SampleTests.quantile($0, 0.5) }
    return AspectComparison(
      statistics: zip(samples, medians).map { sample, median in
        median.map { sample.count > 1 ? "\(seconds($0)), median of \(sample.count)" : length(seconds: $0) }
      },
      testedBy: "Mann–Whitney U of five connections, half as long again; of fewer, four times as long, and 2 s"
    ) { first, second in
      guard let one = medians[first], let other = medians[second] else { return nil }
      let isFar = max(one, other) >= leastRatio * min(one, other) && (one - other).magnitude >= leastSeconds
      guard let test = SampleTests.mannWhitney(samples[first], samples[second]) else { return isFar }
      return test.chance < SampleTests.significance && max(one, other) >= 1.5 * min(one, other)
    }
  }
}

/// How long it takes from the connection's making to the first measurement, if any comes.
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

  /// In seconds: by then a sensor that is asked for measurements has sent one.
  private static let leastSilence = 20.0

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let samples = sides.map { side in side.connections.compactMap(\.summary.secondsToFirstMeasurement) }
    let medians = samples.map { SampleStatistics.quantile($0, 0.5) }
    let silences = sides.map(silence)
    return AspectComparison(
      statistics: sides.indices.map { side in
        let sample = samples[side]
        return medians[side].map {
          sample.count > 1 ? "\(seconds($0)), median of \(sample.count)" : length(seconds: $0)
        }
          ?? silences[side].map { "none in \(seconds($0))" }
      },
      testedBy: "Mann–Whitney U, half as long again; of too few connections for that, four times as long, and 2 s"
    ) { first, second in
      if silences[first] != nil || silences[second] != nil { return silences[first] == nil || silences[second] == nil }
      guard let one = medians[first], let other = medians[second] else { return nil }
      let isFar = max(one, other) >= leastRatioOfFew * min(one, other) && (one - other).magnitude >= leastSecondsOfFew
      guard let test = SampleStatistics.mannWhitney(samples[first], samples[second]) else { return isFar }
      return test.chance < SampleStatistics.significance && max(one, other) >= leastRatioOfMany * min(one, other)
    }
  }

  /// How long the longest connection was that is in the capture from its making on, where no measurement came on any; nil
  /// where that says nothing.
  private static func silence(_ side: SensorBehaviour) -> Double? {
    guard !side.connections.contains(where: \.summary.hasMeasurements) else { return nil }
    let longest = side.connections.compactMap(duration).max()
    return longest.flatMap { $0 >= leastSilence ? $0 : nil }
  }

  private static func duration(_ connection: SensorBehaviour.SideConnection) -> Double? {
    let summary = connection.summary
    guard summary.wasOpened, !summary.lacksSome, summary.candidates.isEmpty else { return nil }
    return connection.duration
  }
}

/// Between which rates it measured. That is the wearer's doing first of all.
enum HeartRateRangeAspect: ComparisonAspect {
  static let name = "heart-rate-range"
  static let title = "heart rates"

  /// Only ranges that hardly overlap differ: in nineteen of twenty pairs of values the same side has the higher one.
  private static let leastSuperiority = 0.95
  /// With that much between them, half a minute of each is enough to leave chance behind.
  private static let significance = 0.01

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let samples = sides.map(\.series.rates)
    var comparison = AspectComparison(
      statistics: sides.map { side in side.series.extent.map { "\($0.lowerBound)–\($0.upperBound) bpm" } },
      testedBy: "Mann–Whitney U of means over 5 s, and ranges that hardly overlap"
    ) { first, second in
      guard let test = SampleTests.mannWhitney(samples[first], samples[second]) else { return nil }
      return test.chance < significance
        && max(test.superiority, 1 - test.superiority) >= leastSuperiority
    }
    if comparison.differs, let note = comparison.note { comparison.note = "\(note); the wearer's heart, most likely" }
    return comparison
  }
}

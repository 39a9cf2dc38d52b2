/// Between which rates it measured. That is the wearer's doing first of all.
enum HeartRateRangeAspect: ComparisonAspect {
  static let name = "heart-rate-range"
  static let title = "heart rates"

  /// Only ranges that hardly overlap differ: in nineteen of twenty pairs of values the same side has the higher one.
  private static let leastSuperiority = 0.95
  /// And the middle of one is a quarter above that of the other: hearts differ by less from one day to the next.
  private static let leastRatio = 1.25
  /// With that much between them, half a minute of each is enough to leave chance behind.
  private static let significance = 0.01

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let samples = sides.map(\.series.rates)
    var comparison = AspectComparison(
      statistics: sides.map { words($0.series, isCut: $0.hasCutPackets) },
      testedBy: "Mann–Whitney U of means over 5 s, which hardly overlap, with their middles a quarter apart"
    ) { first, second in
      guard let test = SampleStatistics.mannWhitney(samples[first], samples[second], beyond: significance),
        let one = SampleStatistics.quantile(samples[first], 0.5),
        let other = SampleStatistics.quantile(samples[second], 0.5)
      else { return nil }
      return test.chance < significance && max(one, other) >= leastRatio * min(one, other)
        && max(test.superiority, 1 - test.superiority) >= leastSuperiority
    }
    if comparison.differs, let note = comparison.note { comparison.note = "\(note); the wearer's heart, most likely" }
    return comparison
  }

  private static func words(_ sample: MeasurementSample, isCut: Bool) -> String? {
    guard let rates = sample.extent else { return sample.measurements > 0 && !isCut ? "none" : nil }
    return rates.count == 1 ? "\(rates.lowerBound) bpm" : "\(rates.lowerBound)–\(rates.upperBound) bpm"
  }
}

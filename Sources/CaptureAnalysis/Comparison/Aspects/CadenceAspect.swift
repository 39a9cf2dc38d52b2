/// How far apart measurements come, and how regularly.
enum CadenceAspect: ComparisonAspect {
  static let name = "cadence"
  static let title = "cadence"

  /// Usual periods that differ by less than a tenth are one.
  private static let leastRatio = 1.1
  /// How regularly they come depends on the connection's interval too: only a large difference is told, in seconds.
  private static let leastSpread = 0.3

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let samples = sides.map(\.series.periods)
    let figures = samples.map { sample -> (median: Double, mean: Double, spread: Double)? in
      guard let median = SampleStatistics.quantile(sample, 0.5), let low = SampleStatistics.quantile(sample, 0.1),
        let high = SampleStatistics.quantile(sample, 0.9)
      else { return nil }
      return (median, sample.reduce(0, +) / Double(sample.count), high - low)
    }
    return AspectComparison(
      statistics: figures.map { figure in
        figure.map {
          $0.median < HeartRateStatistics.together
            ? "\(number($0.mean, decimals: 2)) s, several at once"
            : "\(number($0.median, decimals: 2)) s ± \(number($0.spread / 2, decimals: 2))"
        }
      },
      testedBy: "Kolmogorov–Smirnov; a tenth longer, or 0.3 s more scattered"
    ) { first, second in
      guard let chance = SampleStatistics.kolmogorovSmirnov(samples[first], samples[second]), let one = figures[first],
        let other = figures[second]
      else { return nil }
      let isOther =
        max(one.median, other.median) >= leastRatio * min(one.median, other.median)
        || (one.spread - other.spread).magnitude >= leastSpread
      return chance < SampleStatistics.significance && isOther
    }
  }
}

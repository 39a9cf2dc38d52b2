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
    let figures = samples.map(Figure.init)
    return AspectComparison(
      statistics: figures.map { $0?.words },
      testedBy: "Kolmogorov–Smirnov; a tenth longer, or 0.3 s more scattered"
    ) { first, second in
      guard let chance = SampleStatistics.kolmogorovSmirnov(samples[first], samples[second]), let one = figures[first],
        let other = figures[second]
      else { return nil }
      return chance < SampleStatistics.significance && one.differs(from: other)
    }
  }

  /// What is shown of a side, in seconds.
  private struct Figure {
    private let median: Double
    private let mean: Double
    private let spread: Double
    /// Whether most of them wait for one another, and come together: what lies between those is the link's doing.
    private var areTogether: Bool { median < HeartRateStatistics.together }

    init?(_ sample: [Double]) {
      guard let median = SampleStatistics.quantile(sample, 0.5), let low = SampleStatistics.quantile(sample, 0.1),
        let high = SampleStatistics.quantile(sample, 0.9)
      else { return nil }
      (self.median, mean, spread) = (median, sample.reduce(0, +) / Double(sample.count), high - low)
    }

    var words: String {
      areTogether
        ? "\(number(mean, decimals: 2)) s, several at once"
        : "\(number(median, decimals: 2)) s ± \(number(spread / 2, decimals: 2))"
    }

    func differs(from other: Figure) -> Bool {
      guard areTogether, other.areTogether else {
        return isLonger(median, other.median) || (spread - other.spread).magnitude >= leastSpread
      }
      return words != other.words && isLonger(mean, other.mean)
    }

    private func isLonger(_ one: Double, _ other: Double) -> Bool { max(one, other) >= leastRatio * min(one, other) }
  }
}

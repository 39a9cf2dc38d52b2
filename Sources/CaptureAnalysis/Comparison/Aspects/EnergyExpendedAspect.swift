import GATTKit

/// Whether, and how often, Energy Expended is sent.
enum EnergyExpendedAspect: ComparisonAspect {
  static let name = "energy-expended"
  static let title = "energy expended"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(
      sides.map { side -> (key: Int, words: String)? in
        let sample = side.series
        guard sample.measurements > 0 else { return nil }
        let count = sample.count(.energyExpended)
        guard count > 0 else { return (0, "never") }
        guard let step = SampleTests.quantile(sample.energySteps.map(Double.init), 0.5).map({ Int($0.rounded()) })
        else {
          return (-1, "once")
        }
        return (step, step == 1 ? "in every measurement" : "every \(ordinal(step)) measurement")
      })
  }

  private static func ordinal(_ number: Int) -> String {
    let suffix =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
  }
}

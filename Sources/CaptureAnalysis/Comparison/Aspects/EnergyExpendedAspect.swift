import GATTKit

/// Whether, and how often, Energy Expended is sent.
enum EnergyExpendedAspect: ComparisonAspect {
  static let name = "energy-expended"
  static let title = "energy expended"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(
      statistics: sides.map(words), testedBy: "sent or never; in as many measurements"
    ) { first, second in
      let (one, other) = (sides[first].series, sides[second].series)
      switch (step(one), step(other)) {
      case (let step?, let otherStep?):
        // A few may be longer, where the one that had it was lost; of many the middle is what the sensor does.
        let areMany = min(one.energySteps.count, other.energySteps.count) >= 3
        if areMany || step == otherStep, goesOn(one), goesOn(other) { return step != otherStep }
        if goesOn(one) != goesOn(other) { return true }
        let (mean, otherMean) = (meanStep(one), meanStep(other))
        return max(mean, otherMean) * 2 > min(mean, otherMean) * 3
      case (nil, let step?): return isNever(one, otherwise: step)
      case (let step?, nil): return isNever(other, otherwise: step)
      case (nil, nil): return false
      }
    }
  }

  /// Whether a side sends it all the time, rather than for a part of it.
  private static func goesOn(_ sample: MeasurementSample) -> Bool {
    step(sample).map { meanStep(sample) * 2 <= Double($0) * 3 } ?? false
  }

  /// In how many measurements it comes once, on the whole.
  private static func meanStep(_ sample: MeasurementSample) -> Double {
    Double(sample.measurements) / Double(max(1, sample.count(.energyExpended)))
  }

  /// Whether a side without it would have had it twice, if it came every so many measurements; nil if that is too
  /// little to tell.
  private static func isNever(_ sample: MeasurementSample, otherwise step: Int) -> Bool? {
    sample.count(.energyExpended) == 0 && sample.measurements >= 2 * step ? true : nil
  }

  /// Every how many measurements it comes, usually; nil where it came less than twice.
  private static func step(_ sample: MeasurementSample) -> Int? {
    SampleStatistics.quantile(sample.energySteps.map(Double.init), 0.5).map { Int($0.rounded()) }
  }

  private static func words(_ side: SensorBehaviour) -> String? {
    let sample = side.series
    guard sample.measurements > 0 else { return nil }
    guard sample.count(.energyExpended) > 0 else { return "never" }
    guard let step = step(sample) else { return "once" }
    guard goesOn(sample) else { return "in \(sample.count(.energyExpended)) of \(sample.measurements)" }
    return step == 1 ? "in every measurement" : "every \(ordinal(step)) measurement"
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

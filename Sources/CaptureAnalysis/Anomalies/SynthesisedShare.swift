/// How many measurements have only RR-Intervals that are just what the heart rate beside them makes.
struct SynthesisedShare {
  private var measurements = 0
  private var synthesised = 0
  private var rates = (least: Int.max, most: 0)

  mutating func note(_ block: MeasurementBlock) {
    guard block.withIntervals > 0 else { return }
    measurements += block.withIntervals
    synthesised += block.synthesised
    rates = (min(rates.least, block.rateLeast), max(rates.most, block.rateMost))
  }

  /// Whether the intervals are computed: almost all, at more than two rates, in enough measurements.
  var isCertain: Bool { measurements >= Self.least && isPossible && rates.most > rates.least + 1 }

  private static let least = 40

  /// Whether they may be: of a rate that does not move nobody can tell.
  var isPossible: Bool { measurements > 0 && synthesised * 50 >= measurements * 49 }
}

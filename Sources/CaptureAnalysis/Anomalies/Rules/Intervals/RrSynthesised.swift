/// Intervals that were computed from the rate.
struct RrSynthesised: AnomalyRule {
  static let about = RuleDescription(
    "rr-synthesised", .info,
    finds: "Every RR-Interval is just 60 s divided by the heart rate beside it.",
    matters: "They were not measured: there is no variability in them but that of the rate. Optical sensors do so.",
    advice: "Do not compute heart rate variability from this sensor.",
    examples: [
      .finds(
        "at rates from 70 to 72",
        [.repeated(["10 46 6e 03", "10 47 61 03", "10 48 55 03"], times: 25)]),
      .quiet("intervals of their own", [.repeated(["10 46 6e 03", "10 47 75 03", "10 48 50 03"], times: 25)]),
      .quiet("a rate that never changes says nothing", [.repeated(["10 48 55 03"], times: 60)]),
    ])
  static let blocks: BlockWish = .apart
  private var share = SynthesisedShare()
  private var found: RecordSpan?

  init(_ settings: RuleSettings) {}

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    guard block.withIntervals > 0 else { return }
    share.note(block)
    found = found ?? RecordSpan(block.first, count: 0)
    found.extend(to: block.last, count: block.synthesised)
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard share.isCertain, let found else { return }
    let message = "the RR-Intervals of \(found.count) measurements are 60 s divided by the heart rate, exactly"
    scene.report(Self.self, message, over: found)
  }
}

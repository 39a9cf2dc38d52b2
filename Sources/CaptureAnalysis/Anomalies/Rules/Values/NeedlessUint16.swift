/// Two octets for what fits in one.
struct NeedlessUint16: AnomalyRule {
  static let about = RuleDescription(
    "needless-uint16", .info,
    finds: "Heart rates are sent as UINT16, be it all or some, on a connection where none is above 255.",
    matters: "Some receivers read only one octet, or the two in the wrong order; each value is an octet longer.",
    advice: "A sensor should use the UINT8 format up to 255; a receiver has to read both.",
    reference: "HRS 1.0, 3.1.1.1",
    examples: [
      .finds("72 in two octets", [.repeated(["17 48 00 e8 03"], times: 5)]),
      .finds("every other one", [.repeated(["01 48 00", "00 48"], times: 5)]),
      .quiet("72 in one octet", [.repeated(["16 48 e8 03"], times: 5)]),
      .quiet("a rate above 255 among them", [.values(["01 48 00", "01 2c 01", "01 48 00"])]),
    ])
  static let traits: MeasurementTraits = .uint16
  private var run: RecordSpan?
  private var most = 0

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.uint16), !measurement.traits.contains(.malformed), let rate = measurement.rate
    else { return }
    run.extend(to: scene.moment)
    most = max(most, rate)
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run, most <= 255 else { return }
    let rates = run.count == 1 ? "a heart rate of \(most) bpm" : "\(run.count) heart rates up to \(most) bpm"
    scene.report(Self.self, "\(rates) in two octets, where one is enough", over: run)
  }
}

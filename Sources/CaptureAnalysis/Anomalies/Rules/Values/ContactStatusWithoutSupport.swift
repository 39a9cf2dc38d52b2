/// A contact status that means nothing.
struct ContactStatusWithoutSupport: AnomalyRule {
  static let about = RuleDescription(
    "contact-status-without-support", .info,
    finds: "The contact status bit is set and the contact support bit is not.",
    matters:
      "It is legal, and means that the sensor cannot tell contact. Usually it is a slip: the sensor can, and apps "
      + "will not show it.",
    advice: "A sensor that can tell contact has to set the support bit in every value.",
    reference: "HRS 1.0, 3.1.1.1",
    examples: [
      .finds("in every value, which is told once", [.repeated(["12 48 e8 03"], times: 5)]),
      .quiet("contact, and its support", [.values(["16 48 e8 03"])]),
      .quiet("neither", [.values(["10 48 e8 03"])]),
    ])
  static let traits: MeasurementTraits = .statusWithoutSupport
  static let tellsWhatLasts = true
  private var run: RecordSpan?

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    // What contradicts its flags is no such measurement, and another finding.
    guard measurement.traits.contains(.statusWithoutSupport), !measurement.traits.contains(.malformed) else { return }
    run.extend(to: scene.moment)
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run else { return }
    let message = "\(times(run.count)), the contact status is set without its support, and so means nothing"
    scene.report(Self.self, message, over: run)
  }
}

/// A heart rate from a sensor that feels no skin.
struct HeartRateOffBody: AnomalyRule {
  static let seconds = RuleParameter("seconds", 5, in: 0...3600, "how long it has to last, in seconds")

  static let about = RuleDescription(
    "heart-rate-off-body", .warning,
    finds: "A heart rate above 0 for more than five seconds while the sensor says that it has no skin contact.",
    matters: "The rate is an old one, or noise. Apps that do not look at contact record it.",
    advice: "An app should not show a rate without contact; a sensor should send 0, or nothing, after a few seconds.",
    explainedBy: ["contact-lost"],
    parameters: [seconds],
    examples: [
      .finds(
        "ten seconds without contact",
        [.repeated(["06 48"], times: 5), .repeated(["04 48"], times: 10), .values(["06 48"])]),
      .finds("to the end of the connection", [.repeated(["04 48"], times: 20), .disconnect(0x13)]),
      .quiet("three seconds", [.repeated(["06 48"], times: 5), .repeated(["04 48"], times: 3), .values(["06 48"])]),
      .quiet(
        "three seconds, and a minute in which notifications were off",
        [
          .repeated(["06 48"], times: 5), .values(["04 48"]), .sent("12 11 00 00 00"), .received("13"), .wait(60),
          .sent("12 11 00 01 00"), .received("13"), .values(["04 48", "04 48", "06 48"]),
        ]),
      .quiet(
        "two, with a minute of silence between them",
        [
          .repeated(["06 48"], times: 10), .values(["04 48"]), .wait(60), .values(["04 48"]),
          .repeated(["06 48"], times: 5),
        ]),
      .quiet("a rate of 0 without contact", [.repeated(["06 48"], times: 5), .repeated(["04 00"], times: 20)]),
      .quiet("a sensor that cannot tell contact", [.repeated(["00 48"], times: 20)]),
    ])
  static let traits: MeasurementTraits = [.notInContact, .behind]
  static let tellsWhatLasts = true
  private let seconds: Double
  private var run: MeasurementRun?

  init(_ settings: RuleSettings) {
    seconds = settings.value(Self.seconds, of: Self.self)
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    if measurement.traits.contains(.notInContact), measurement.rate ?? 0 > 0 {
      run.extend(in: scene.series)
    } else {
      finish(&scene)
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run = run.end() else { return }
    let length = scene.covered(by: run)
    guard length > seconds else { return }
    let message = "\(run.count) heart rates above 0 in \(CaptureAnalysis.seconds(length)) without skin contact"
    scene.report(Self.self, message, over: run.span)
  }
}

/// A heart rate from a sensor that feels no skin.
struct HeartRateOffBody: AnomalyRule {
  static let seconds = RuleParameter("seconds", 5, in: 0...3600, "how long it has to last, in seconds")

  static let about = RuleDescription(
    "heart-rate-off-body", .warning,
    finds: "A heart rate above 0 for more than five seconds while the sensor says that it has no skin contact. "
      + "Where it never tells any, and RR-Intervals cover the time and fit the rates, its contact bit is most likely "
      + "inverted, or stuck.",
    matters: "The rate is an old one, or noise. Apps that do not look at contact record it; those that do show none, "
      + "though the heart was felt where only the bit is wrong.",
    advice: "An app should not show a rate without contact; a sensor should send 0, or nothing, after a few seconds.",
    explainedBy: ["contact-lost"],
    parameters: [seconds],
    examples: [
      .finds(
        "ten seconds without contact",
        [.repeated(["06 48"], times: 5), .repeated(["04 48"], times: 10), .values(["06 48"])]),
      .finds("to the end of the connection", [.repeated(["04 48"], times: 20), .disconnect(0x13)]),
      .finds(
        "never any contact, and the intervals of a heart: the bit is wrong",
        [.repeated(["14 3c 00 04", "14 3c 20 04", "14 3c e8 03"], times: 15), .disconnect(0x13)]),
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
  private var beats = BeatsWithoutContact()
  /// Measurements that tell no contact, whatever their rate.
  private var withoutContact = 0

  init(_ settings: RuleSettings) {
    seconds = settings.value(Self.seconds, of: Self.self)
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    let isWithout = measurement.traits.contains(.notInContact)
    if isWithout { withoutContact &+= 1 }
    if isWithout, let rate = measurement.rate, rate > 0 {
      beats.note(measurement, rate, scene.series.intervals.figures, isFirst: run == nil)
      run.extend(in: scene.series)
    } else {
      finish(&scene)
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    defer { beats = BeatsWithoutContact() }
    guard let run = run.end() else { return }
    let length = scene.covered(by: run)
    guard length > seconds else { return }
    // What lasts may yet turn out to be a sensor that finds contact.
    let isBitWrong = !scene.goesOn && withoutContact == scene.series.count && beats.areOfHeart(in: run.seconds)
    let message =
      "\(run.count) heart rates above 0 in \(CaptureAnalysis.seconds(length)) without skin contact"
      + (isBitWrong
        ? ", which the sensor never tells, though RR-Intervals cover the time and fit the rates: its contact bit is most "
          + "likely inverted, or stuck" : "")
    scene.report(Self.self, message, over: run.span)
  }
}

/// The RR-Intervals of measurements that tell no contact: those of a sensor that is not worn are none, computed, or noise,
/// which neither adds up to the time nor stays near the rate.
private struct BeatsWithoutContact {
  private var measurements = 0
  private var intervals = 0
  /// In units of 1/1024 s.
  private var length = 0
  private var rates = 0
  /// Measurements with an interval far from the rate, and those whose intervals are just what the rate makes them.
  private var stray = 0
  private var computed = 0

  /// With fewer, chance does it.
  private static let fewest = 30
  private static let tolerance = 0.05

  /// The beats of the first were before it.
  mutating func note(_ measurement: ObservedMeasurement, _ rate: Int, _ figures: IntervalFigures, isFirst: Bool) {
    if isFirst { return }
    measurements &+= 1
    rates &+= rate
    intervals &+= figures.count
    length &+= figures.sum
    if !measurement.traits.isDisjoint(with: [.strayInterval, .oddInterval]) { stray &+= 1 }
    if figures.deviation(from: rate) <= UInt(rate &+ rate / 2) { computed &+= 1 }
  }

  /// Whether they are of a heart, if they came in so many seconds.
  func areOfHeart(in seconds: Double) -> Bool {
    guard measurements >= Self.fewest, length > 0, stray * 20 <= measurements, computed * 2 < measurements else {
      return false
    }
    let made = 61_440 * Double(intervals) / Double(length)
    let sent = Double(rates) / Double(measurements)
    return abs(Double(length) / 1024 - seconds) <= Self.tolerance * seconds
      && abs(made - sent) <= Self.tolerance * sent
  }
}

import GATTKit

/// The sensor had contact, and has it no more.
struct ContactLost: AnomalyRule {
  static let lasting = RuleParameter(
    "lasting", 10, in: 0...3600, "how long it must last where it does not come back, in seconds")

  static let about = RuleDescription(
    "contact-lost", .warning,
    finds:
      "Skin contact that was detected goes away in the middle of a session; how long is said for each time. Info where "
      + "it does not come back before the sensor ends the connection, as one does that is taken off, or, with most "
      + "rates 0, before its client does, as at the end of a workout.",
    matters: "What is measured meanwhile is noise or an old value. With a strap it is dry electrodes or a loose belt.",
    advice: "Moisten the electrodes, tighten the belt; an app should tell its user at once.",
    parameters: [lasting],
    examples: [
      .finds(
        "for four seconds", [.repeated(["06 48"], times: 5), .repeated(["04 48"], times: 4), .values(["06 48"])]),
      .finds(
        "twice",
        [
          .values(["06 48", "06 48", "04 48", "06 48", "06 48", "04 00", "04 00", "06 48"])
        ], count: 2),
      .finds(
        "to the end, for twenty seconds", [.repeated(["06 48"], times: 5), .repeated(["04 00"], times: 20)]),
      .quiet(
        "to the end, for two seconds and a minute in which notifications were off",
        [
          .repeated(["06 48"], times: 5), .values(["04 00"]), .sent("12 11 00 00 00"), .received("13"), .wait(60),
          .sent("12 11 00 01 00"), .received("13"), .values(["04 00", "04 00"]),
        ]),
      .quiet("before the first contact", [.repeated(["04 00"], times: 5), .repeated(["06 48"], times: 5)]),
      .quiet(
        "before the first contact since it is switched on again",
        [
          .repeated(["06 48"], times: 5), .sent("12 11 00 00 00"), .received("13"), .wait(300),
          .sent("12 11 00 01 00"), .received("13"),
          .repeated(["04 00"], times: 5), .repeated(["06 48"], times: 5),
        ]),
      .finds(
        "to the end, since it is switched on again, for two minutes",
        [
          .repeated(["06 48"], times: 5), .sent("12 11 00 00 00"), .received("13"), .wait(300),
          .sent("12 11 00 01 00"), .received("13"),
          .repeated(["04 00"], times: 120),
        ]),
      .quiet(
        "the sensor is taken off, and hangs up",
        [.repeated(["06 48"], times: 5), .values(["04 00"]), .disconnect(0x13)]),
      .finds(
        "the sensor is taken off, and hangs up half a minute later, which is only mentioned",
        [.repeated(["06 48"], times: 5), .repeated(["04 00"], times: 30), .disconnect(0x13)]),
      .finds(
        "the sensor is taken off, and its client ends the connection soon, which is only mentioned",
        [.repeated(["06 48"], times: 5), .values(["04 48"]), .repeated(["04 00"], times: 12), .disconnect(0x16)]),
      .finds(
        "rates come without contact, until the host ends the connection",
        [.repeated(["06 48"], times: 5), .repeated(["04 48"], times: 12), .disconnect(0x16)]),
      .quiet("a sensor that cannot tell contact", [.repeated(["00 48"], times: 20)]),
    ])
  static let events = EventSelection([.disconnected])
  static let traits: MeasurementTraits = [.notInContact, .malformed, .behind]
  static let tellsWhatLasts = true
  private let lasting: Double
  private var run: MeasurementRun?
  /// Whether it begins where the sensor was switched on again.
  private var isStart = false
  /// Whether contact was told by the last value before those that are broken.
  private var hadContact = false
  /// How many of it have a rate of 0.
  private var zeros = 0
  /// Who has ended the connection.
  private var end = End.other
  /// In seconds: by then a sensor has found contact.
  private static let longestStart = 60.0

  private enum End { case bySensor, byClient, other }

  init(_ settings: RuleSettings) {
    lasting = settings.value(Self.lasting, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .disconnected(let end) = event.content, let server = scene.series.server else { return }
    self.end = end.isBySensor(server) ? .bySensor : end.isByClient(of: server) ? .byClient : .other
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    // A value that is broken, or cut, tells nothing of it.
    let previous = scene.series.previous
    if previous?.traits.contains(.malformed) != true { hadContact = previous?.contact == .detected }
    guard !measurement.traits.contains(.malformed), let contact = measurement.contact else { return }
    if measurement.traits.contains(.notInContact) {
      if run == nil {
        if !hadContact { return }
        (isStart, zeros) = (scene.series.beginsAnew, 0)
      }
      if measurement.traits.contains(.zeroRate) { zeros += 1 }
      run.extend(in: scene.series)
    } else if let run = run.end(), contact == .detected, !(isStart && run.seconds < Self.longestStart) {
      let (count, length) = (measurements(run.count), run.seconds(in: scene.series))
      let time = scene.hasTimes && length > 0 ? "\(seconds(length)) (\(count))" : count
      scene.report(Self.self, "contact lost for \(time)", over: run.span)
    }
  }

  /// Who takes a sensor off loses contact too, but not for long: the sensor goes to sleep, which ends the connection.
  mutating func finish(_ scene: inout RuleScene) {
    guard let run = run.end(), run.seconds >= (isStart ? max(lasting, Self.longestStart) : lasting) else { return }
    // What is measured at rest or from noise is no 0: that a sensor finds no rate tells that it is not worn.
    let isTakenOff = run.seconds <= Self.longestAwake && (end == .bySensor || end == .byClient && zeros * 2 > run.count)
    let until =
      scene.goesOn ? "" : isTakenOff && end == .bySensor ? ", until the sensor ended the connection" : ", to the end"
    let message = "contact lost for \(seconds(run.seconds))\(until) (\(measurements(run.count)))"
    scene.report(Self.self, message, severity: isTakenOff ? .info : nil, over: run.span)
  }

  /// In seconds: by then a sensor that is taken off has gone to sleep.
  private static let longestAwake = 300.0
}

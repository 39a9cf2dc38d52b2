/// Measurements came, and somebody switched them off, for good or for a while.
struct MeasurementsSwitchedOff: AnomalyRule {
  static let least = RuleParameter("least", 10, in: 1...3600, "how long they stay off, in seconds")

  static let about = RuleDescription(
    "measurements-switched-off", .info,
    finds: "The measurement's notifications are switched off, and not on again in the ten seconds or more that the "
      + "connection then lasts; or they are on again after ten seconds or more, which is counted.",
    matters: "No heart rate comes meanwhile, though the sensor is still connected. The sensor does as it was told.",
    advice:
      "See which app did it, and why: many do when their screen goes off. A phone has one configuration of the sensor "
      + "for all its apps: one that has done with it may switch off what another still wants.",
    reference: "Core 6.0, Vol 3, Part G, 3.3.3.3",
    belongsInHead: true,
    parameters: [least],
    examples: [
      .finds(
        "long before the connection ends",
        [.repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(30), .disconnect(0x16)]),
      .finds(
        "long before the capture ends",
        [.repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(30), .event(0x0F, "00 01 00 00")]),
      .finds(
        "they are switched on again",
        [
          .repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(20), .sent("12 11 00 01 00"),
          .received("13"), .wait(1), .repeated(["00 48"], times: 5), .disconnect(0x16),
        ]),
      .finds(
        "off and on again three times, which is told once", after: .subscribed,
        .times(
          3,
          [
            .repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(20), .sent("12 11 00 01 00"),
            .received("13"),
          ]) + [.repeated(["00 48"], times: 10), .disconnect(0x16)]),
      .finds(
        "for a while, and then for good", after: .subscribed,
        .times(
          2,
          [
            .sent("12 11 00 01 00"), .received("13"), .repeated(["00 48"], times: 10), .sent(off), .received("13"),
            .wait(20),
          ]) + [.disconnect(0x16)], count: 2),
      .quiet(
        "they are on again at once",
        [
          .repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(2), .sent("12 11 00 01 00"),
          .received("13"), .repeated(["00 48"], times: 5), .disconnect(0x16),
        ]),
      .quiet(
        "they are to be on again, and the answer is missing",
        [
          .repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(10), .sent("12 11 00 01 00"), .wait(20),
          .disconnect(0x16),
        ]),
      .quiet(
        "the table changes then",
        [.repeated(["00 48"], times: 10), .sent(off), .received("13")] + .tableChanged + [.wait(30), .disconnect(0x16)]),
      .quiet(
        "just before the connection ends",
        [.repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(2), .disconnect(0x16)]),
      .quiet("none ever came", [.sent(off), .received("13"), .wait(30), .disconnect(0x16)]),
      .quiet(
        "that is refused",
        [
          .repeated(["00 48"], times: 10), .sent(off), .received("01 12 11 00 05"), .repeated(["00 48"], times: 20),
          .disconnect(0x16),
        ]),
    ])
  private static let off = "12 11 00 00 00"
  static let events = EventSelection([.subscribed, .unsubscribed])
  static let dialogue: DialogueTraits = [.write, .tableChange]

  private let least: Double
  private var off: Phase?
  private var pauses: Pauses?

  /// A time in which they are off.
  private struct Phase {
    let start: Moment
    /// Whose measurements they are.
    let server: ServerSide
    /// How often somebody asked for them, or may have, and was not refused.
    var requests = 0
  }

  /// The times in which they were off, and came back.
  private struct Pauses {
    let first: Phase
    var end: Moment
    var count = 1
    var shortest: Double
    var longest: Double
  }

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .unsubscribed(let subscription) where scene.switchesOff(subscription) && scene.series.current != nil:
      if off.map({ $0.requests > 0 }) ?? true { off = Phase(start: event.moment, server: subscription.server) }
    case .subscribed(let subscription) where scene.switchesOn(subscription): end(scene)
    case .dialogue(.pdu(let pdu)):
      if let server = off?.server { note(pdu, scene.dialogue.step, of: server) }
    default: break
    }
  }

  private mutating func note(_ pdu: ATTDialoguePDU, _ step: ATTDialogue.Step, of server: ServerSide) {
    if pdu.serverTellingOfChange == server {
      off = nil
    } else if pdu.maySwitchOnMeasurements {
      if pdu.askedServer == server { off?.requests += 1 }
    } else if case .response(let asked?) = step, pdu.error != nil, asked.pdu.maySwitchOnMeasurements,
      asked.pdu.askedServer == server, let off, off.start < asked.moment
    {
      // Who was refused has not got them.
      self.off?.requests -= 1
    }
  }

  /// They are on again.
  private mutating func end(_ scene: RuleScene) {
    defer { off = nil }
    guard let off, let length = length(off, scene) else { return }
    guard var pauses else {
      return pauses = Pauses(first: off, end: scene.moment, shortest: length, longest: length)
    }
    (pauses.end, pauses.count) = (scene.moment, pauses.count + 1)
    (pauses.shortest, pauses.longest) = (min(pauses.shortest, length), max(pauses.longest, length))
    self.pauses = pauses
  }

  /// How long they have been off, in seconds; nil if that is short, or they may have been on.
  private func length(_ phase: Phase, _ scene: RuleScene) -> Double? {
    // What was on its way may still come.
    guard !scene.hasLost(since: phase.start), let last = scene.series.current,
      scene.seconds(from: phase.start, to: last.moment) < NotificationWithoutSubscription.grace.value
    else { return nil }
    let length = scene.seconds(since: phase.start)
    return length >= least ? length : nil
  }

  mutating func finish(_ scene: inout RuleScene) {
    if let pauses { report(pauses, &scene) }
    // What is asked for is another matter.
    guard let off, off.requests == 0, let length = length(off, scene) else { return }
    scene.report(
      Self.self,
      "\(off.server.client) switched the measurements off, and nobody switched them on again in the \(seconds(length)) "
        + "that follow", from: off.start, to: scene.moment)
  }

  private func report(_ pauses: Pauses, _ scene: inout RuleScene) {
    let switched = "\(pauses.first.server.client) switched the measurements off"
    let (shortest, longest) = (seconds(pauses.shortest), seconds(pauses.longest))
    let lengths = pauses.longest < 1.1 * pauses.shortest ? longest : "\(shortest) to \(longest)"
    let message =
      pauses.count == 1
      ? "\(switched), and on again \(longest) later"
      : "\(switched) \(times(pauses.count)), and on again after \(lengths)"
    scene.report(Self.self, message, from: pauses.first.start, to: pauses.end)
  }
}

import GATTKit

/// A sensor that ended the connection itself.
struct SensorHungUp: AnomalyRule {
  static let about = RuleDescription(
    "sensor-hung-up", .info,
    finds:
      "A heart rate sensor that ended the connection itself, with reason 0x13; how long it had sent no measurement, or "
      + "told that it has no contact, is said, and what the host wrote just before. A warning where it had asked for security within the last minute, and "
      + "the host has begun neither a pairing nor encryption, unless contact was lost.",
    matters: "It is no fault of the radio: the sensor decided to. Many do when they are taken off.",
    advice:
      "If contact was lost before, the sensor was taken off or has dried. If not, look at its battery, and for what the "
      + "sensor asked for and did not get: pairing, connection parameters.",
    reference: "Core 6.0, Vol 1, Part F, 1.3",
    explainedBy: [
      "access-refused", "contact-lost", "encryption-failed", "heart-rate-missing", "pairing-failed",
      "pairing-unfinished",
      "parameter-update-then-lost",
    ],
    tellsEnd: true,
    examples: [
      .finds("after measurements", [.values(["16 48 e8 03"]), .disconnect(0x13)]),
      .finds("after contact was lost", [.values(["16 48 e8 03", "14 48", "14 00"]), .disconnect(0x13)]),
      .finds(
        "after a minute without a measurement",
        [.repeated(["16 48 e8 03"], times: 10), .wait(60), .disconnect(0x13)]),
      .finds("before a measurement came", after: .discovered, [.disconnect(0x13)]),
      .finds(
        "before a measurement came, of a sensor that is known from an earlier connection",
        [.disconnect(0x16), .connect, .sent("12 11 00 01 00"), .received("13"), .wait(3), .disconnect(0x13)]),
      .finds(
        "it is known from an earlier connection, and refused what was written to it",
        [
          .disconnect(0x16), .connect, .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(3),
          .disconnect(0x13),
        ]
      ),
      .finds(
        "it is known from an earlier connection, and nothing was asked of it",
        [.disconnect(0x16), .connect, .wait(3), .disconnect(0x13)]),
      .finds(
        "the local host wanted to end it, and its controller did not",
        [
          .values(["16 48 e8 03"]), .command(0x0406, "40 00 13"), .event(0x0F, "0c 01 06 04"), .wait(3),
          .disconnect(0x13),
        ]),
      .finds(
        "it had asked for security, and nobody answered, which is a warning",
        [.securityReceived("0b 01"), .repeated(["16 48 e8 03"], times: 30), .disconnect(0x13)]),
      .finds(
        "right behind a write",
        [
          .repeated(["16 48 e8 03"], times: 30), .sent("12 11 00 01 00"), .received("13"), .wait(0.3),
          .disconnect(0x13),
        ]),
      .quiet("the local host ends it", [.values(["16 48 e8 03"]), .disconnect(0x16)]),
      .quiet(
        "the local host ends it, and its controller repeats the reason that it was given",
        [
          .values(["16 48 e8 03"]), .command(0x0406, "40 00 13"), .event(0x0F, "00 01 06 04"), .disconnect(0x13),
        ]),
      .quiet("nothing tells that the peer is a sensor", after: .connected, [.wait(3), .disconnect(0x13)]),
      .quiet(
        "the local host is the sensor", after: .connected,
        [
          .received("10 01 00 ff ff 00 28"), .sent("11 06 0e 00 13 00 0d 18"), .received("12 11 00 01 00"), .sent("13"),
          .sent("1b 10 00 16 48 e8 03"), .wait(3), .disconnect(0x13),
        ]),
    ])
  static let events = EventSelection([
    .service, .subscribed, .pairing, .encryption, .command, .databases, .disconnected,
  ])
  static let dialogue: DialogueTraits = .write
  static let traits: MeasurementTraits = [.notInContact, .malformed, .behind]

  private var hasService = false
  private var contactLost: Moment?
  /// What the host wrote last.
  private var written: (moment: Moment, words: String)?
  /// Where it asked for security first, and whether anything came of that, or of a pairing before.
  private var security = (asked: Moment?.none, isAnswered: false)

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    if measurement.traits.contains(.notInContact) {
      if contactLost == nil { contactLost = scene.moment }
    } else if measurement.contact != nil {
      contactLost = nil
    }
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .service(let service): if service.uuid == .heartRateService, service.server == .peer { hasService = true }
    case .subscribed(let subscription):
      if subscription.uuid == .heartRateMeasurement, subscription.server == .peer { hasService = true }
    case .pairing(let pairing) where !pairing.isOverBREDR:
      if pairing.step != .securityRequest {
        security.isAnswered = true
      } else if pairing.isFromPeer {
        security.asked = event.moment
      }
    case .encryption: security.isAnswered = true
    case .dialogue(.pdu(let pdu)) where pdu.askedServer == .peer && pdu.writesAttribute:
      written = (event.moment, pdu.phrase)
    case .command(let command):
      if command.wish == .encryption || command.wish == .noEncryption { security.isAnswered = true }
    case .databases(let databases):
      // What is known from earlier connections, or from elsewhere, too.
      if !databases.peer.services(.heartRateService).isEmpty { hasService = true }
    case .disconnected(let end): if end.isByPeer { report(&scene) }
    default: break
    }
  }

  private func told(for time: Double?) -> String {
    time.map { $0 < 1 ? "just told" : "told for \(seconds($0))" } ?? "told"
  }

  private func report(_ scene: inout RuleScene) {
    guard hasService || scene.series.server == .peer else { return }
    let isTimed = scene.wasSeen && !scene.hasClockStep && scene.hasTimes
    let duration = isTimed ? " after \(seconds(scene.seconds(since: scene.first)))" : ""
    let contact = contactLost.map {
      "; it had \(told(for: scene.hasTimes ? scene.seconds(since: $0) : nil)) that it has no contact"
    }
    let end = "the sensor ended the connection\(duration)\(silence(&scene))\(contact ?? "")\(scene.lowBattery)"
    let write = lastWrite(scene)
    let unanswered = unansweredRequest(scene)
    let request = unanswered.map { "; it had asked for security (\(frameWords($0))) in vain" } ?? ""
    scene.report(Self.self, end + write + request, severity: unanswered == nil ? nil : .warning)
  }

  /// That the host had just written something: that may be what the sensor did not like.
  private func lastWrite(_ scene: RuleScene) -> String {
    guard scene.hasTimes, let written, (0...Self.rightBehind).contains(scene.seconds(since: written.moment)) else {
      return ""
    }
    return "; right before, the local host had sent \(written.words) (\(frameWords(written.moment)))"
  }

  /// In seconds.
  private static let rightBehind = 1.0

  /// Where it asked for security, if nobody answered, and it had no other reason to end the connection.
  private func unansweredRequest(_ scene: RuleScene) -> Moment? {
    guard let asked = security.asked, !security.isAnswered, contactLost == nil, scene.isWhole, scene.hasTimes,
      scene.seconds(since: asked) <= Self.longestWait
    else { return nil }
    return asked
  }

  /// In seconds: a pairing has to go on within thirty, and sensors give hosts a little longer.
  private static let longestWait = 60.0

  /// That it had been silent for long: what it does then is no gap, but no measurement came.
  private func silence(_ scene: inout RuleScene) -> String {
    guard scene.hasTimes, !scene.areOff, let last = scene.series.current, !scene.hasLost(since: last.moment) else {
      return ""
    }
    let length = scene.seconds(since: last.moment)
    guard length >= Self.longSilence, length > 5 * (scene.series.periods.median() ?? 1) else { return "" }
    return ", \(seconds(length)) after its last measurement"
  }

  /// In seconds.
  private static let longSilence = 10.0
}

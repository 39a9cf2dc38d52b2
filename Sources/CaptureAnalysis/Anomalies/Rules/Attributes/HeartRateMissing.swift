import BluetoothHost
import GATTKit

/// A sensor that sends no heart rate, of whose attributes the capture tells nothing: then what was written may be what
/// switches its notifications on.
struct HeartRateMissing: AnomalyRule {
  static let least = RuleParameter("least", 10, in: 1...3600, "how long nothing comes, in seconds")
  static let patience = RuleParameter("patience", 30, in: 1...3600, "how long nobody asks, in seconds")

  static let about = RuleDescription(
    "heart-rate-missing", .warning,
    finds:
      "A device that advertises Heart Rate, or has sent some on an earlier connection, sends none, and the capture "
      + "does not tell its attributes. What may be the measurement's configuration was written, and was refused; or it "
      + "was taken, and nothing came in ten seconds or more. That nobody wrote anything in half a minute is only "
      + "mentioned.",
    matters:
      "The app shows a sensor that is connected, and no heart rate. Logs that begin after discovery, or of phones "
      + "that remember it, say no more than this.",
    advice:
      "The error tells why: one of security, that the two have to be paired; 0x01, 0x03 or 0x0A, that something else "
      + "is there now, and the phone remembers an older table: forget the sensor, and connect anew. Where it was taken, "
      + "see whether the sensor has skin contact. A log that begins with a new pairing tells all of it.",
    reference: "Core 6.0, Vol 3, Part G, 3.3.3.3",
    explainedBy: [
      "att-timeout", "cccd-invalid", "controller-failed", "encryption-failed", "pairing-failed", "pairing-unfinished",
    ],
    tellsWhatIsMissing: true, belongsInHead: true,
    parameters: [least, patience],
    examples: [
      .finds(
        "what switches it on is refused for want of security", after: .nothing,
        .advertisedSensor + [.sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(20), .disconnect(0x13)]),
      .finds(
        "the link is encrypted then, and nobody writes it again", after: .nothing,
        .advertisedSensor + [
          .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .event(0x08, "00 40 00 01"), .wait(20),
          .disconnect(0x13),
        ]),
      .finds(
        "something else is there now, and it is tried again and again, which is told once", after: .nothing,
        .advertisedSensor + .times(3, [.sent("12 11 00 01 00"), .received("01 12 11 00 03"), .wait(2)])
          + [.disconnect(0x13)]),
      .finds(
        "it is taken, and nothing comes", after: .nothing,
        .advertisedSensor + [.sent("12 11 00 01 00"), .received("13"), .wait(40), .disconnect(0x16)]),
      .finds(
        "nobody writes anything, which is only mentioned", after: .nothing,
        .advertisedSensor + [.sent("0a 03 00"), .received("0b 54"), .wait(40), .disconnect(0x16)]),
      .quiet(
        "it is refused for want of security, and written again", after: .nothing,
        .advertisedSensor + [
          .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .event(0x08, "00 40 00 01"), .sent("12 11 00 01 00"),
          .received("13"), .wait(5), .disconnect(0x13),
        ]),
      .quiet(
        "values come, whatever they are", after: .nothing,
        .advertisedSensor + [.sent("12 11 00 01 00"), .received("13"), .wait(20), .received("1b 10 00 00 48")]
          + [.wait(20), .disconnect(0x16)]),
      .quiet(
        "what was switched on sends other things, and many", after: .nothing,
        .advertisedSensor + [.sent("12 11 00 01 00"), .received("13")]
          + .times(20, [.wait(1), .received("1b 10 00 ff 10 20 30 40 50 60 70 80")]) + [.disconnect(0x16)]),
      .quiet(
        "what was switched on can be read, as a battery's level can", after: .nothing,
        .advertisedSensor + [
          .sent("12 11 00 01 00"), .received("13"), .sent("0a 10 00"), .received("0b 5a"), .wait(40), .disconnect(0x16),
        ]),
      .quiet(
        "it is switched off again", after: .nothing,
        .advertisedSensor + [
          .sent("12 11 00 01 00"), .received("13"), .wait(2), .sent("12 11 00 00 00"), .received("13"), .wait(30),
          .disconnect(0x16),
        ]),
      .quiet(
        "it is refused, and commanded then", after: .nothing,
        .advertisedSensor + [
          .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .sent("52 11 00 01 00"), .wait(20), .disconnect(0x16),
        ]),
      .quiet(
        "indications are asked for, as of Service Changed", after: .nothing,
        .advertisedSensor + [.sent("12 04 00 02 00"), .received("13"), .wait(40), .disconnect(0x16)]),
      .quiet(
        "another characteristic is configured, whose handle is known", after: .nothing,
        .advertisedSensor + NotificationWithoutSubscription.batteryService
          + [.sent("12 17 00 01 00"), .received("13"), .wait(20), .disconnect(0x16)]),
      .quiet(
        "the measurement is known, which makes it another finding", after: .discovered,
        [.sent("12 11 00 01 00"), .received("13"), .wait(20), .disconnect(0x16)]),
      .quiet(
        "nobody knows it for a sensor", after: .connected,
        [.sent("12 11 00 01 00"), .received("13"), .wait(40), .disconnect(0x16)]),
      .finds(
        "nobody writes anything on a link of a bond, which is only mentioned", after: .nothing,
        .advertisedSensor + [
          .event(0x08, "00 40 00 01"), .sent("0a 03 00"), .received("0b 54"), .wait(40), .disconnect(0x16),
        ]),
      .quiet(
        "it is over at once", after: .nothing,
        .advertisedSensor + [.sent("12 11 00 01 00"), .received("13"), .wait(3), .disconnect(0x16)]),
      .quiet(
        "the capture ends before they could be paired", after: .nothing,
        .advertisedSensor + [
          .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(20), .event(0x0F, "00 01 00 00"),
        ]),
    ])
  /// The database and what was inferred are told last.
  static let events = EventSelection([.databases, .inferred, .disconnected])
  static let dialogue: DialogueTraits = [.write, .discovery]

  private let least: Double
  private let patience: Double
  /// What was last written to each attribute that may be the configuration, in the order in which it was written first.
  private var writes: [Write] = []
  private var isDiscovered = false
  /// Whether the measurement is known, or something has notified that may be it.
  private var mayBeKnown = false
  private var isOver = false
  /// Whether the host has written anything to the peer.
  private var hasWritten = false
  /// The peer's attributes of unknown type that have notified, and those that were read or written.
  private var notifying: Set<UInt16> = []
  private var asked: Set<UInt16> = []

  /// No client subscribes to more before it asks for the heart rate.
  private static let mostWrites = 16

  private struct Write {
    let words: String
    let handle: UInt16
    let first: Moment
    var last: Moment
    var outcome = Outcome.awaited
  }

  private enum Outcome: Equatable {
    case awaited
    case taken
    case refused(ATTErrorCode)
  }

  init(_ settings: RuleSettings) {
    (least, patience) = (settings.value(Self.least, of: Self.self), settings.value(Self.patience, of: Self.self))
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .dialogue(.pdu(let pdu)): note(pdu, scene)
    case .databases(let databases):
      mayBeKnown = mayBeKnown || databases.peer.valueHandle(of: .heartRateMeasurement) != nil
      (notifying, asked) = (databases.notifying, databases.asked)
    case .inferred(let inference): mayBeKnown = mayBeKnown || inference.server == .peer
    case .disconnected: isOver = true
    default: break
    }
  }

  private mutating func note(_ pdu: ATTDialoguePDU, _ scene: RuleScene) {
    if pdu.range != nil, pdu.askedServer == .peer { isDiscovered = true }
    guard case .response(let asked?) = scene.dialogue.step else {
      return write(pdu, scene.moment)
    }
    guard asked.pdu.maySwitchOnUnknown, let handle = asked.pdu.attribute?.handle,
      let place = writes.firstIndex(where: { $0.handle == handle })
    else { return }
    writes[place].last = scene.moment
    if let error = pdu.error { writes[place].outcome = .refused(error) } else { writes[place].outcome = .taken }
  }

  private mutating func write(_ pdu: ATTDialoguePDU, _ moment: Moment) {
    guard pdu.writesAttribute, pdu.askedServer == .peer, let handle = pdu.attribute?.handle else { return }
    hasWritten = true
    // Whatever else is written there, it is not as it was: it may be switched off again.
    guard pdu.maySwitchOnUnknown else { return writes.removeAll { $0.handle == handle } }
    if let place = writes.firstIndex(where: { $0.handle == handle }) {
      writes[place].outcome = .awaited
    } else if writes.count < Self.mostWrites {
      writes.append(Write(words: pdu.words, handle: handle, first: moment, last: moment))
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard scene.isWhole, scene.hasTimes, scene.traffic?.hasLosses == false, !mayBeKnown, scene.series.current == nil,
      scene.isOfAdvertisedSensor || scene.left != nil
    else { return }
    // What is right before it, or behind one descriptor, has notified, and is none; or it was read, which no measurement is.
    writes.removeAll { write in
      asked.contains(write.handle &- 1) || (1...2).contains { notifying.contains(write.handle &- $0) }
    }
    // Which of them it was is known where it was switched on before.
    let known = scene.left.flatMap { left in writes.last { $0.handle == left.subscription.handle } }
    let isKnown = known != nil
    if let taken = known ?? writes.last(where: { $0.outcome == .taken }), taken.outcome == .taken {
      let length = scene.seconds(since: taken.last)
      guard length >= least, isKnown || notifying.isEmpty else { return }
      let what = isKnown ? "had switched its measurement on before" : "may have switched its measurement on"
      // A bond may keep what was switched on before; then it was something else, most likely.
      report(
        "none in the \(seconds(length)) behind the \(taken.words), which \(what)",
        severity: !isKnown && scene.encryption.mayBeOn ? .info : nil, since: taken.first, &scene)
    } else if let refused = known ?? writes.last, case .refused(let error) = refused.outcome {
      if error.wantsSecurity, !isOver, scene.seconds(since: refused.last) < PairingUnfinished.longestStep { return }
      let what = isKnown ? "had switched its measurement on before" : "may be what switches its measurement on"
      report(
        "none: the \(refused.words), which \(what), was refused with \(error.words)\(Self.end(error, scene))",
        severity: !isKnown && !notifying.isEmpty ? .info : nil, since: refused.first, &scene)
    } else if !hasWritten, notifying.isEmpty {
      reportSilence(&scene)
    }
  }

  /// What became of what was refused for want of security.
  private static func end(_ error: ATTErrorCode, _ scene: RuleScene) -> String {
    guard error.wantsSecurity else { return "" }
    if scene.encryption.isOn { return ", and not written again when the link was encrypted" }
    return scene.encryption.isAwaited
      ? ", and it is not told whether the link was encrypted then" : ", and no encryption followed"
  }

  /// Of a bonded client a sensor keeps what it has switched on.
  private func reportSilence(_ scene: inout RuleScene) {
    let length = scene.seconds(since: scene.first)
    guard length >= patience, !isDiscovered, scene.traffic?.lastReceived != nil else { return }
    let bond = scene.encryption.mayBeOn ? ", and a bond, if there is one, has not kept its notifications on" : ""
    report(
      "none: in the \(seconds(length)) of this connection nothing was written to it\(bond)", severity: .info,
      since: scene.first, &scene)
  }

  private func report(
    _ what: String, severity: Severity? = nil, since start: Moment, _ scene: inout RuleScene
  ) {
    let who = scene.isOfAdvertisedSensor ? "the peer advertises Heart Rate" : "the peer sent heart rates before"
    scene.report(Self.self, "\(who), and sends \(what)", severity: severity, from: start, to: scene.moment)
  }
}

extension ATTDialoguePDU {
  /// Whether this asks the peer for notifications of something of which nothing is told.
  fileprivate var maySwitchOnUnknown: Bool {
    opcode == .writeRequest && askedServer == .peer && attribute?.characteristic == nil && maySwitchOnNotifications
      && written?.last == 0
  }
}

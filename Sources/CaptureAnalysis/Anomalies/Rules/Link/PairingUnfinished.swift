import BluetoothHost

/// Two devices of which one wants to be paired, or safe, and the other lets it wait.
struct PairingUnfinished: AnomalyRule {
  static let least = RuleParameter("least", 10, in: 1...3600, "how long nobody goes on, in seconds")

  static let about = RuleDescription(
    "pairing-unfinished", .warning,
    finds:
      "A sensor asks for security, or one end asks for a pairing, and nothing comes of it in the ten seconds or more "
      + "that the connection then lasts: no answer, or no next step. Info if measurements come all the same.",
    matters:
      "A sensor that shows its measurement only to whom it is paired with keeps it to itself. After thirty seconds "
      + "without a step a pairing has failed, and the two cannot try again on the same connection.",
    advice:
      "See whether a dialogue waits on the phone for somebody to confirm it, perhaps as a notification. An app that "
      + "was bonded before may have lost the bond on one side: forget it on both, and pair again.",
    reference: "Core 6.0, Vol 3, Part H, 3.4",
    explainedBy: ["encryption-failed"],
    tellsWhatIsMissing: true,
    parameters: [least],
    examples: [
      .finds(
        "the sensor asks for security, and the phone does nothing", after: .discovered,
        [.securityReceived("0b 01"), .wait(30), .disconnect(0x13)]),
      .finds(
        "it asks again and again", after: .discovered,
        .times(3, [.securityReceived("0b 01"), .wait(12)]) + [.disconnect(0x13)]),
      .finds(
        "the sensor does not answer", after: .discovered, [.securitySent(request), .wait(30), .disconnect(0x16)]),
      .finds(
        "nobody confirms it at the phone", after: .discovered,
        [.securitySent(request), .securityReceived("02 03 00 01 10 01 01"), .wait(30), .disconnect(0x13)]),
      .finds(
        "the sensor measures all the same, which is only mentioned",
        [.securityReceived("0b 01"), .repeated(["16 48 e8 03"], times: 20), .disconnect(0x16)]),
      .finds(
        "until the capture ends", after: .discovered,
        [.securityReceived("0b 01"), .wait(40), .event(0x0F, "00 01 00 00")]),
      .quiet(
        "the two have a key, and use it", after: .discovered,
        [.securityReceived("0b 01"), .event(0x08, "00 40 00 01"), .wait(30), .disconnect(0x16)]),
      .quiet(
        "the host has begun to encrypt, and what came of that is another finding", after: .discovered,
        [
          .securityReceived("0b 01"),
          .command(0x2019, "40 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
          .event(0x0F, "00 01 19 20"), .wait(30), .disconnect(0x16),
        ]),
      .quiet(
        "it fails, which is another finding", after: .discovered,
        [.securityReceived("0b 01"), .securitySent("05 05"), .wait(30), .disconnect(0x16)]),
      .quiet(
        "they are paired, and tell each other keys", after: .discovered,
        [
          .securitySent(request), .securityReceived("02 03 00 01 10 01 01"), .event(0x08, "00 40 00 01"),
          .securityReceived("09 01 11 22 33 44 55 c6"), .wait(30), .disconnect(0x16),
        ]),
      .quiet(
        "the capture ends while somebody types", after: .discovered,
        [
          .securitySent(request), .securityReceived("02 00 00 05 10 01 01"), .wait(14), .event(0x0F, "00 01 00 00"),
        ]),
      .quiet(
        "keys are told, though the capture does not say that the link is encrypted", after: .discovered,
        [
          .securitySent(request), .securityReceived("02 03 00 01 10 01 01"), .wait(1),
          .securityReceived("06 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff"), .wait(40), .disconnect(0x16),
        ]),
      .quiet(
        "the local host is the one that lacks the key, which is another finding", after: .discovered,
        [
          .securitySent("0b 01"), .event(0x3E, "05 40 00 00 00 00 00 00 00 00 00 00 00"), .command(0x201B, "40 00"),
          .wait(30), .disconnect(0x13),
        ]),
      .quiet(
        "the connection ends soon", after: .discovered, [.securityReceived("0b 01"), .wait(3), .disconnect(0x16)]),
    ])
  /// The local host asks for a pairing with a bond, and has neither display nor keys.
  private static let request = "01 03 00 01 10 01 01"

  /// In seconds: a pairing fails where no step of it is done for so long. Core 6.0, Vol 3, Part H, 3.4.
  static let longestStep = 30.0

  static let events = EventSelection([.pairing, .encryption, .command, .disconnected])

  private let least: Double
  private var isOver = false
  /// What was asked first and has come to nothing so far, and what was said last of it.
  private var open: (asked: Moment, isByPeer: Bool, last: Moment, step: PairingStep, isLastOfPeer: Bool)?

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .encryption: open = nil
    // The peer asked for encryption, and the host has no key: that is another finding.
    case .command(let command) where command.wish == .encryption || command.wish == .noEncryption: open = nil
    case .disconnected: isOver = true
    case .pairing(let pairing) where !pairing.isOverBREDR && !scene.encryption.isOn: take(pairing, event.moment)
    default: break
    }
  }

  private mutating func take(_ pairing: PairingEvent, _ moment: Moment) {
    switch pairing.step {
    case .failed, .key: return open = nil
    // Of a pairing that began before the capture nobody knows how far it is.
    case .other where open == nil: return
    case .securityRequest, .request, .other: break
    }
    let isSameAgain = open.map { $0.step == pairing.step && $0.isLastOfPeer == pairing.isFromPeer } ?? false
    if isSameAgain, pairing.step != .other { return }
    let (asked, isByPeer) = open.map { ($0.asked, $0.isByPeer) } ?? (moment, pairing.isFromPeer)
    open = (asked, isByPeer, moment, pairing.step, pairing.isFromPeer)
  }

  mutating func finish(_ scene: inout RuleScene) {
    // A link may be encrypted since before the capture; and without events nobody knows when it is.
    guard let open, scene.wasSeen, scene.traffic?.hasEvents == true, !scene.hasLost(since: open.asked) else { return }
    let length = scene.seconds(since: open.last)
    // Where the capture ends, a person may still be typing.
    guard length >= (isOver ? least : max(least, Self.longestStep)) else { return }
    let measures = scene.series.current.map { $0.moment > open.asked } ?? false
    let (one, other) = open.isLastOfPeer ? ("the peer", "the local host") : ("the local host", "the peer")
    let message =
      switch open.step {
      case .securityRequest: "\(one) asked for security, and \(other) did nothing in the \(seconds(length)) that follow"
      case .request: "\(one) asked for a pairing, and \(other) has not answered in the \(seconds(length)) that follow"
      case .other, .key, .failed:
        "the pairing that \(open.isByPeer ? "the peer" : "the local host") asked for goes no further in the "
          + "\(seconds(length)) behind what \(one) said last (\(frameWords(open.last)))"
      }
    scene.report(Self.self, message, severity: measures ? .info : nil, from: open.asked, to: scene.moment)
  }
}

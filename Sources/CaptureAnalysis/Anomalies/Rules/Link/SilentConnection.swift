import CaptureFiles

/// A connection on which the peer sends no data.
struct SilentConnection: AnomalyRule {
  static let patience = RuleParameter("patience", 10, in: 1...3600, "how long the peer may send no data, in seconds")

  static let about = RuleDescription(
    "silent-connection", .warning,
    finds:
      "A connection on which no data ever come from the peer, whether or not the local host sends any. What its link "
      + "layer answers is none: that works where the sensor's program hangs. Where a link of a bond is encrypted, two "
      + "ends may have nothing to say to each other.",
    matters: "The app shows a sensor that is connected and measures nothing.",
    advice: "Switch the sensor off and on again. If that helps, its firmware hangs; if it does not, look at the "
      + "encryption of the link, and whether the log shows what the controller receives.",
    explainedBy: ["encryption-failed", "pairing-failed", "pairing-unfinished"],
    parameters: [patience],
    examples: [
      .finds(
        "a request, and nothing comes", after: .connected,
        [.sent("10 01 00 ff ff 00 28"), .wait(30), .disconnect(0x16)]),
      .finds(
        "at the end of the capture", after: .connected,
        [.sent("10 01 00 ff ff 00 28"), .wait(30), .event(0x0E, "01 14 0c 00")]),
      .quiet(
        "the peer says something, if only a refusal", after: .connected,
        [.sent("10 01 00 ff ff 00 28"), .received("01 10 01 00 0a"), .wait(30), .disconnect(0x16)]),
      .finds(
        "nobody says anything, which is only mentioned where no data are in the capture", after: .connected,
        [.wait(30), .disconnect(0x16)]),
      .finds(
        "nobody says anything on the second connection", after: .connected,
        [.sent("02 17 00"), .received("03 17 00"), .disconnect(0x16), .connect, .wait(30), .disconnect(0x16)]),
      .quiet(
        "nobody says anything on a link of a bond", after: .connected,
        [.event(0x08, "00 40 00 01"), .wait(30), .disconnect(0x16)]),
      .quiet(
        "nobody says anything over BR/EDR", after: .nothing,
        [.event(0x03, "00 40 00 01 11 22 33 44 c5 01 00"), .wait(30), .disconnect(0x16)]),
      .quiet(
        "nothing of what is said is in the capture", after: .connected,
        [.wait(5), .event(0x13, "01 40 00 01 00"), .wait(30), .disconnect(0x16)]),
      .quiet(
        "the local host is the sensor of a bonded phone, and what it notifies needs no answer", after: .connected,
        [.event(0x08, "00 40 00 01")] + .times(20, [.wait(1), .sent("1b 10 00 00 48")]) + [.disconnect(0x13)]),
      .quiet("it is over soon", after: .connected, [.sent("10 01 00 ff ff 00 28"), .wait(5), .disconnect(0x16)]),
      .quiet(
        "the host says something at the end only", after: .connected,
        [.wait(30), .sent("10 01 00 ff ff 00 28"), .wait(1), .disconnect(0x16)]),
      .quiet(
        "its beginning is not there", after: .nothing, [.sent("10 01 00 ff ff 00 28"), .wait(30), .disconnect(0x16)]),
    ])

  private let patience: Double

  init(_ settings: RuleSettings) {
    patience = settings.value(Self.patience, of: Self.self)
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard scene.wasSeen, let traffic = scene.traffic, !traffic.hasLosses, traffic.lastReceived == nil else { return }
    guard traffic.firstSent != nil || !scene.mayBeIdle, traffic.isLogged != false else { return }
    // Notifications need no answer: of a bonded phone, a sensor's own log need not hold a word.
    guard !scene.encryption.mayBeOn || !scene.dialogue.waiting.isEmpty else { return }
    // When the host began to speak is told by the clock, whatever that did.
    guard traffic.firstSent == nil || !scene.hasClockStep else { return }
    let passed = traffic.firstSent.map { scene.moment.time.seconds(since: $0) } ?? scene.seconds(since: scene.first)
    guard passed >= patience else { return }
    let sent = traffic.firstSent == nil ? "the local host sent no data" : "the local host sent data"
    // Some logs leave data out.
    let doubt = traffic.isLogged == nil ? "; the capture holds no data of any connection, and may log none" : ""
    scene.report(
      Self.self, "\(sent), and none came from the peer in \(seconds(passed))\(doubt)",
      severity: traffic.isLogged == nil ? .info : nil, from: scene.first, to: scene.moment)
  }
}

extension RuleScene {
  /// Whether its two ends may have nothing to say to each other: where a bond keeps what was set up, and on BR/EDR.
  fileprivate var mayBeIdle: Bool { encryption.mayBeOn || connected?.isLowEnergy != true }
}

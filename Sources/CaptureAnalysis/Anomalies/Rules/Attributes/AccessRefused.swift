import BluetoothHost

/// The sensor wants to be paired before it tells its heart rates, and nobody pairs.
struct AccessRefused: AnomalyRule {
  static let about = RuleDescription(
    "access-refused", .warning,
    finds: "The sensor refuses a heart rate attribute for want of authentication, authorization or encryption, and the "
      + "link is not encrypted afterwards, or, where it was already, not once more.",
    matters: "No heart rate will come on this connection: many apps show a connected sensor and nothing else.",
    advice: "Pair with the sensor. If it is paired already, one side has lost its keys: remove the bond on both and "
      + "pair again. If the link was encrypted and the authentication does not suffice, the sensor wants a key that was "
      + "confirmed by a person: pair again with a passkey, or by comparing numbers.",
    reference: "Core 6.0, Vol 3, Part F, 3.4.1.1",
    explainedBy: ["encryption-failed", "pairing-failed", "pairing-unfinished"],
    tellsWhatIsMissing: true,
    examples: [
      .finds(
        "the configuration may not be written", after: .discovered,
        [.sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(5), .disconnect(0x16)]),
      .finds(
        "tried again and again, which is told once", after: .discovered,
        [
          .sent("12 11 00 01 00"), .received("01 12 11 00 0f"), .wait(1), .sent("12 11 00 01 00"),
          .received("01 12 11 00 0f"), .wait(1), .disconnect(0x16),
        ]),
      .finds(
        "the location may not be read either, which is another refusal", after: .discovered,
        [
          .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .sent("0a 13 00"), .received("01 0a 13 00 0f"),
          .wait(5), .disconnect(0x16),
        ], count: 2),
      .finds(
        "the link is encrypted already, with a key that does not suffice", after: .discovered,
        [
          .event(0x08, "00 40 00 01"), .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(5),
          .disconnect(0x16),
        ]),
      .quiet(
        "the link is encrypted then, and it works", after: .discovered,
        [
          .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .event(0x08, "00 40 00 01"), .sent("12 11 00 01 00"),
          .received("13"), .values(["00 48"]),
        ]),
      .quiet(
        "it works a second time", after: .discovered,
        [
          .sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(1), .sent("12 11 00 01 00"), .received("13"),
          .values(["00 48"]),
        ]),
      .finds(
        "until the capture ends", after: .discovered,
        [.sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(40), .event(0x0F, "00 01 00 00")]),
      .quiet(
        "the capture ends before they could be paired", after: .discovered,
        [.sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(20), .event(0x0F, "00 01 00 00")]),
      .quiet(
        "something else may not be read", after: .discovered,
        [.sent("0a 30 00"), .received("01 0a 30 00 05"), .wait(5), .disconnect(0x16)]),
      .quiet(
        "the measurement cannot be read, as it must be", after: .discovered,
        [.sent("0a 10 00"), .received("01 0a 10 00 02"), .wait(5), .disconnect(0x16)]),
    ])
  static let events = EventSelection([.encryption, .disconnected])
  static let dialogue: DialogueTraits = .heartRate

  /// What is refused, and with which words.
  private struct Refusal: Hashable {
    let attribute: ServerAttribute
    let isWrite: Bool
    let message: String
  }

  private var refusals = RuleTallies<Refusal>()
  private var isOver = false

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .disconnected: isOver = true
    case .encryption(let change) where change.status == .success && change.isEncrypted: refusals = RuleTallies()
    case .dialogue(.pdu(let pdu)):
      guard case .response(let asked?) = scene.dialogue.step, let attribute = asked.pdu.attribute else { return }
      let place = ServerAttribute(handle: attribute.handle, server: attribute.server)
      let isWrite = asked.pdu.writesAttribute
      if let error = pdu.error {
        guard error.wantsSecurity, attribute.heartRateRole != nil else { return }
        let message = "the \(asked.pdu.words) was refused with \(error.words), \(Self.what(scene.encryption, error))"
        refusals.note(Refusal(attribute: place, isWrite: isWrite, message: message), scene.moment, message)
      } else {
        // What anybody may read, not everybody may write.
        refusals.removeAll { $0.attribute == place && $0.isWrite == isWrite }
      }
    default: break
    }
  }

  /// What is missing. On a link that is encrypted, that is no encryption.
  private static func what(_ encryption: LinkEncryption, _ error: ATTErrorCode) -> String {
    if !encryption.isOn { return "and \(encryption.isAwaited ? "it is not told whether" : "no") encryption followed" }
    return error == .insufficientAuthentication
      ? "although the link is encrypted: the key is not an authenticated one" : "although the link is encrypted"
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard !scene.hasLost, let last = refusals.last else { return }
    // Where the capture ends, the two may be about to be paired.
    if !isOver, scene.seconds(since: last) < PairingUnfinished.longestStep { return }
    refusals.report(Self.self, &scene)
  }
}

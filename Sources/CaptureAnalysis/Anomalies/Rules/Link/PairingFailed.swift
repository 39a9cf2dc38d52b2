import BluetoothHost
import GATTKit

/// Two devices that were to be paired, and one of them said no.
struct PairingFailed: AnomalyRule {
  static let about = RuleDescription(
    "pairing-failed", .warning,
    finds: "One of the two ends breaks off a pairing, and tells why. Info if the link is encrypted afterwards, or "
      + "measurements come, and over BR/EDR, where only keys for Low Energy were to be made.",
    matters: "Without a key the link is not encrypted: a sensor that shows its measurement only to whom it is paired "
      + "with keeps it to itself, and many end the connection.",
    advice:
      "0x05: put the sensor into its pairing mode, or do not pair at all if it needs no pairing. 0x01, 0x04 and 0x0C: "
      + "a person cancelled, or typed another passkey; try again. 0x03: this sensor and this app do not fit. 0x09 and "
      + "0x10: wait a while. 0x0B: the software of one end does it wrong. If the two were paired before, forget that on "
      + "both and try again.",
    reference: "Core 6.0, Vol 3, Part H, 3.5.5",
    explainedBy: ["encryption-failed"],
    examples: [
      .finds(
        "the sensor does not pair", after: .discovered,
        [.securitySent(request), .securityReceived("05 05"), .wait(5), .disconnect(0x16)]),
      .finds(
        "a person cancels at the phone", after: .discovered,
        [
          .securitySent(request), .securityReceived("02 00 00 05 10 01 01"), .wait(8), .securitySent("05 01"),
          .disconnect(0x13),
        ]),
      .finds(
        "again and again, which is told once", after: .discovered,
        [
          .securitySent(request), .securityReceived("05 05"), .wait(1), .securitySent(request),
          .securityReceived("05 05"), .wait(5), .disconnect(0x16),
        ]),
      .finds(
        "for one reason, and then for another", after: .discovered,
        [
          .securitySent(request), .securityReceived("05 04"), .wait(1), .securitySent(request),
          .securityReceived("05 09"), .wait(5), .disconnect(0x16),
        ], count: 2),
      .finds(
        "each end says so, which is told once", after: .discovered,
        [.securitySent(request), .securityReceived("05 04"), .securitySent("05 08"), .wait(5), .disconnect(0x16)]),
      .finds(
        "the second attempt succeeds, and the first is only mentioned", after: .discovered,
        [
          .securitySent(request), .securityReceived("05 04"), .wait(5), .securitySent(request),
          .securityReceived("02 03 00 01 10 01 01"), .event(0x08, "00 40 00 01"), .wait(5), .disconnect(0x16),
        ]),
      .finds(
        "the sensor needs no pairing, and it is only mentioned",
        [.securityReceived("0b 01"), .securitySent("05 05"), .values(["16 48 e8 03"])]),
      .finds(
        "the capture cuts the reason away", after: .discovered,
        [.keepingACL(9), .securitySent(request), .securityReceived("05 05"), .wait(5), .disconnect(0x16)]),
      .quiet(
        "they are paired", after: .discovered,
        [
          .securitySent(request), .securityReceived("02 03 00 01 10 01 01"), .event(0x08, "00 40 00 01"), .wait(5),
          .disconnect(0x16),
        ]),
      .quiet(
        "the connection ends amid it", after: .discovered,
        [.securitySent(request), .securityReceived("02 03 00 01 10 01 01"), .disconnect(0x16)]),
    ])
  /// The local host asks for a pairing with a bond, and has neither display nor keys.
  private static let request = "01 03 00 01 10 01 01"

  static let events = EventSelection([.pairing, .encryption])

  private var failures = RuleTallies<PairingEvent>()
  private var lastEncrypted: Moment?

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .encryption(let change) where change.status == .success && change.isEncrypted: lastEncrypted = event.moment
    case .pairing(let pairing):
      guard case .failed(let reason) = pairing.step else { return }
      failures.note(pairing, event.moment, Self.words(pairing, reason))
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    let good = [lastEncrypted, scene.series.current?.moment].compactMap(\.self).max()
    failures.report(Self.self, &scene, madeGood: good) { $0.isOverBREDR }
  }

  private static func words(_ failure: PairingEvent, _ reason: PairingFailedReason?) -> String {
    let who = failure.isFromPeer ? "the peer" : "the local host"
    let what = failure.isOverBREDR ? "the making of keys for Low Energy" : "the pairing"
    guard let reason else { return "\(who) broke off \(what); why, the capture does not show" }
    let meaning = meanings[reason.rawValue].map { ": \($0)" } ?? ""
    return "\(who) broke off \(what) with \(reason.words)\(meaning)"
  }

  /// What the one who says so means.
  private static let meanings: [UInt8: String] = [
    0x01: "a person did not type the passkey in, or cancelled",
    0x02: "it lacks what should have come by another way, such as NFC",
    0x03: "it wants a person to confirm the pairing, and the two ends lack the display or the keys for that",
    0x04: "the two ends did not have the same passkey, or one made a mistake in reckoning",
    0x05: "it does not let itself be paired with, or not now",
    0x06: "the key would be too short for it",
    0x07: "it does not know what it was sent",
    0x08: "it does not tell why",
    0x09: "it was tried again too soon",
    0x0A: "it takes what it was sent for wrong",
    0x0B: "the two ends did not come to the same key",
    0x0C: "a person did not confirm that both show the same number",
    0x0D: "the two are being paired over BR/EDR already",
    0x0E: "it makes no keys for one transport from those of the other",
    0x0F: "it does not take a key that it was given",
    0x10: "it is busy, and may be asked again later",
  ]
}

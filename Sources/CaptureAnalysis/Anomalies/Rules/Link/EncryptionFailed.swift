import BluetoothHost
import CaptureFiles
import GATTKit

/// A link that was to be encrypted, and could not be.
struct EncryptionFailed: AnomalyRule {
  static let about = RuleDescription(
    "encryption-failed", .warning,
    finds:
      "The controller tells that encryption could not be switched on; info if it was later, on the same connection.",
    matters: "What a sensor shows only to whom it is bonded with stays closed: no subscription, no heart rate. Many "
      + "sensors and phones end the connection, and try again without end.",
    advice:
      "0x06, PIN or Key Missing: one end has lost the bond, as sensors do that are reset or bonded anew. Forget the "
      + "sensor on the phone, reset it if it can be, and pair once more. 0x05 and 0x3D: the keys differ; the same helps.",
    reference: "Core 6.0, Vol 4, Part E, 7.7.8",
    examples: [
      .finds("the sensor has lost the bond", [.event(0x08, "06 40 00 00"), .wait(1), .disconnect(0x16)]),
      .finds(
        "again and again, which is told once",
        [.event(0x08, "06 40 00 00"), .wait(1), .event(0x08, "06 40 00 00"), .disconnect(0x13)]),
      .finds(
        "for one reason, and then for another",
        [.event(0x08, "06 40 00 00"), .wait(1), .event(0x08, "05 40 00 00"), .disconnect(0x13)], count: 2),
      .finds(
        "it is paired anew, which is only mentioned",
        [.event(0x08, "06 40 00 00"), .wait(3), .event(0x08, "00 40 00 01")]),
      .quiet("it is encrypted", [.event(0x08, "00 40 00 01"), .wait(1), .disconnect(0x16)]),
      .quiet("it ends before that is done", [.event(0x08, "16 40 00 00"), .disconnect(0x16)]),
    ])
  static let events = EventSelection(.encryption)

  private var faults = RuleTallies<HCIErrorCode>()
  private var lastEncrypted: Moment?

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .encryption(let change) = event.content else { return }
    if change.status == .success { return lastEncrypted = change.isEncrypted ? event.moment : nil }
    // What comes of the connection's end is no fault of its own.
    guard !Self.ends.contains(change.status.rawValue) else { return }
    let meaning = AbnormalDisconnect.meanings[change.status.rawValue].map { ": \($0)" } ?? ""
    faults.note(change.status, scene.moment, "the link could not be encrypted (\(words(change.status)))\(meaning)")
  }

  /// A connection that ended before the controller was done: out of range, or because one of the ends wished so.
  static let ends: Set<UInt8> = [0x08, 0x13, 0x14, 0x15, 0x16, 0x3E]

  mutating func finish(_ scene: inout RuleScene) {
    faults.report(Self.self, &scene, madeGood: lastEncrypted)
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit

/// A link that was to be encrypted, and could not be.
struct EncryptionFailed: AnomalyRule {
  static let about = RuleDescription(
    "encryption-failed", .warning,
    finds:
      "The controller tells that encryption could not be switched on, or refuses to try; info if it was later, on the "
      + "same connection.",
    matters: "What a sensor shows only to whom it is bonded with stays closed: no subscription, no heart rate. Many "
      + "sensors and phones end the connection, and try again without end.",
    advice:
      "0x06, PIN or Key Missing: one end has lost the bond, as sensors do that are reset or bonded anew. Forget the "
      + "sensor on the phone, reset it if it can be, and pair once more. 0x05 and 0x3D: the keys differ; the same helps. "
      + "A refusal to try is a fault of the phone's software, or of its controller.",
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
      .finds(
        "the controller refuses to try",
        [
          .command(0x2019, "40 00" + String(repeating: " 00", count: 26)), .event(0x0F, "1f 01 19 20"), .wait(1),
          .disconnect(0x16),
        ]),
      .quiet(
        "the controller refuses to try anew where it is encrypted",
        [
          .event(0x08, "00 40 00 01"), .command(0x2019, "40 00" + String(repeating: " 00", count: 26)),
          .event(0x0F, "0c 01 19 20"), .wait(1), .disconnect(0x16),
        ]),
      .quiet("it is encrypted", [.event(0x08, "00 40 00 01"), .wait(1), .disconnect(0x16)]),
      .quiet("it ends before that is done", [.event(0x08, "16 40 00 00"), .disconnect(0x16)]),
    ])
  static let events: EventSelection = [.command, EventSelection(.encryption)]

  private var faults = RuleTallies<Fault>()
  private var lastEncrypted: Moment?

  private struct Fault: Hashable {
    let status: HCIErrorCode
    /// Whether the controller did not even begin.
    var isRefusal = false
  }

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .encryption(let change) where change.status == .success:
      lastEncrypted = change.isEncrypted ? event.moment : nil
    case .encryption(let change): note(Fault(status: change.status), scene)
    case .command(let command):
      guard command.wish == .encryption, case .refused(let status) = command.step, !scene.isEncrypted else { return }
      note(Fault(status: status, isRefusal: true), scene)
    default: break
    }
  }

  private mutating func note(_ fault: Fault, _ scene: RuleScene) {
    // What comes of the connection's end is no fault of its own.
    guard !Self.ends.contains(fault.status.rawValue), fault.status != .unknownConnectionIdentifier else { return }
    let what = fault.isRefusal ? "the controller refused to encrypt the link" : "the link could not be encrypted"
    let meaning = AbnormalDisconnect.meanings[fault.status.rawValue].map { ": \($0)" } ?? ""
    faults.note(fault, scene.moment, "\(what) (\(words(fault.status)))\(meaning)")
  }

  /// A connection that ended before the controller was done: out of range, or because one of the ends wished so.
  static let ends: Set<UInt8> = [0x08, 0x13, 0x14, 0x15, 0x16, 0x3E]

  mutating func finish(_ scene: inout RuleScene) {
    faults.report(Self.self, &scene, madeGood: lastEncrypted)
  }
}

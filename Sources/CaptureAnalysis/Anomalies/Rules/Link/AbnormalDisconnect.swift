import BluetoothHost
import CaptureFiles
import GATTKit

/// A connection that ended for a reason that is neither the wish of one of the ends nor the distance.
struct AbnormalDisconnect: AnomalyRule {
  static let about = RuleDescription(
    "abnormal-disconnect", .error,
    finds:
      "A connection that ended for a reason other than that one end wanted it to, or was not heard any more.",
    matters: "Such an end has a cause that comes back with the next connection.",
    advice:
      "The message says what the reason means. 0x05, 0x06 and 0x3D: forget the sensor on both ends and pair anew. "
      + "0x3B: give the sensor the parameters that it asks for. 0x22, 0x28 and others: a fault of a controller.",
    reference: "Core 6.0, Vol 1, Part F, 1.3",
    explainedBy: [
      "controller-failed", "encryption-failed", "pairing-failed", "parameter-update-failed",
      "parameter-update-then-lost", "parameters-illegal",
    ],
    tellsEnd: true,
    examples: [
      .finds("an instant that has passed", [.values(["16 48 e8 03"]), .disconnect(0x28)]),
      .finds("a code that nobody defined", [.values(["16 48 e8 03"]), .disconnect(0xFE)]),
      .finds("the sensor goes off, which is worth knowing", [.values(["16 48 e8 03"]), .disconnect(0x15)]),
      .quiet("the sensor ends it", [.disconnect(0x13)]),
      .quiet("the local host ends it", [.disconnect(0x16)]),
      .quiet("it is out of range, which has its own rule", [.disconnect(0x08)]),
      .quiet("it was never there, which has its own rule", [.disconnect(0x3E)]),
      .quiet("its end is not in the capture", [.connect]),
    ])
  static let events = EventSelection(.disconnected)

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .disconnected(let end) = event.content, let reason = end.reason, !Self.others.contains(reason.rawValue)
    else { return }
    let meaning = Self.meanings[reason.rawValue].map { ": \($0)" } ?? ""
    let severity: Severity? = reason.rawValue == 0x15 ? .info : nil
    let battery = Self.wantsPower.contains(reason.rawValue) ? scene.lowBattery : ""
    scene.report(Self.self, "the connection ended with \(words(reason))\(meaning)\(battery)", severity: severity)
  }

  /// What a peer does whose battery is empty.
  private static let wantsPower: Set<UInt8> = [0x14, 0x15]

  /// The wish of one of the ends, and what has a rule of its own.
  private static let others: Set<UInt8> = [0x08, 0x13, 0x16, 0x3E]

  static let meanings: [UInt8: String] = [
    0x05: "the two ends did not agree on a key",
    0x06: "one end has a key of an earlier pairing that the other does not know any more",
    0x14: "the peer had no memory or power left for it",
    0x15: "the peer was switched off",
    0x1A: "the peer cannot do what it was asked for",
    0x20: "the peer does not take a value that it was sent",
    0x22: "the peer did not answer the controller in time",
    0x23: "both controllers wanted to change something at the same time",
    0x28: "a change of the link was told too late for the other end to follow",
    0x29: "the peer's key may not be used",
    0x2A: "both controllers wanted to change something at the same time",
    0x3B: "one end does not accept the connection parameters",
    0x3D: "an encrypted packet was forged or broken, or the two ends use different keys",
  ]
}

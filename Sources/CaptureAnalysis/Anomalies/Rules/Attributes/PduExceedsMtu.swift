import BluetoothHost
import CaptureFiles
import GATTKit

/// A PDU longer than what was agreed upon.
struct PduExceedsMtu: AnomalyRule {
  static let about = RuleDescription(
    "pdu-exceeds-mtu", .error,
    finds: "An ATT PDU longer than the ATT_MTU of the bearer: 23 octets, or what the two sides have agreed upon. "
      + "Requests, responses, indications and heart rate measurements are looked at.",
    matters: "The receiver drops it, cuts it, or closes the link.",
    advice: "Report it to the maker of the side that sends it: without an Exchange MTU a PDU has 23 octets at most, a "
      + "measurement 20.",
    reference: "Core 6.0, Vol 3, Part F, 3.2.8",
    examples: [
      .finds("a response without an exchange", [.sent("0a 13 00"), .received("0b" + long(23))]),
      .finds(
        "measurements, which are told once", [.repeated(["10 48" + long(20)], times: 3)]),
      .finds(
        "longer than agreed upon",
        [.sent("02 f7 00"), .received("03 1e 00"), .sent("0a 13 00"), .received("0b" + long(30))]),
      .quiet("as long as it may be", [.sent("0a 13 00"), .received("0b" + long(22)), .values(["10 48" + long(18)])]),
      .quiet(
        "after an exchange", [.sent("02 f7 00"), .received("03 b9 00"), .sent("0a 13 00"), .received("0b" + long(100))]),
      .quiet(
        "the beginning is not in the capture", after: .nothing,
        [.sent("0a 13 00"), .received("0b" + long(100))]),
    ])

  private static func long(_ count: Int) -> String { String(repeating: " 03", count: count) }

  static let events: EventSelection = EventSelection(.mtu)
  static let dialogue: DialogueTraits = .long
  static let traits: MeasurementTraits = .full

  private var most = 23
  /// Where measurements may come over enhanced bearers, which have an MTU of their own.
  private var hasEnhanced = false
  private var faults = RuleTally()

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.full), !hasEnhanced else { return }
    note(measurement.length &+ 3, "a Handle Value Notification with a measurement", scene)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .mtu(let agreed): if agreed.isEnhanced { hasEnhanced = true } else { most = max(most, Int(agreed.mtu)) }
    case .dialogue(.pdu(let pdu)) where pdu.bearer == nil: note(pdu.length, pdu.phrase, scene)
    default: break
    }
  }

  private mutating func note(_ length: Int, _ what: String, _ scene: RuleScene) {
    guard length > most, scene.isWhole, scene.connected?.isLowEnergy == true else { return }
    faults.note(scene.moment, "\(what) has \(octets(length)), and the ATT_MTU is \(most)")
  }

  mutating func finish(_ scene: inout RuleScene) { faults.report(Self.self, &scene) }
}

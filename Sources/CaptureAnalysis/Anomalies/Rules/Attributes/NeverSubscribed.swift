import BluetoothHost
import CaptureFiles
import GATTKit

/// The measurement is found, and nobody asks for it.
struct NeverSubscribed: AnomalyRule {
  static let least = RuleParameter("least", 10, in: 1...3600, "how long nobody asks, in seconds")

  static let about = RuleDescription(
    "never-subscribed", .warning,
    finds: "The heart rate measurement is discovered, and its notifications are not switched on in the ten seconds or "
      + "more that the connection then lasts.",
    matters: "Without a write to the Client Characteristic Configuration a sensor sends nothing: the fault is the "
      + "app's, not the sensor's.",
    advice: "Let the app write 0x0001 to the configuration of the measurement as soon as it has found it. If another "
      + "app made this connection, that one may not want heart rates at all.",
    reference: "Core 6.0, Vol 3, Part G, 3.3.3.3",
    explainedBy: ["cccd-invalid"],
    parameters: [least],
    examples: [
      .finds("nobody writes the configuration", after: .discovered, [.wait(20), .disconnect(0x16)]),
      .finds(
        "something else is configured", after: .discovered,
        [
          .sent("10 14 00 ff ff 00 28"), .received("11 06 14 00 17 00 0f 18"),
          .sent("08 14 00 17 00 03 28"), .received("09 07 15 00 12 16 00 19 2a"),
          .sent("04 17 00 17 00"), .received("05 01 17 00 02 29"),
          .sent("12 17 00 01 00"), .received("13"), .wait(20), .disconnect(0x16),
        ]),
      .finds(
        "a bond may have kept it, which is only mentioned", after: .discovered,
        [.event(0x08, "00 40 00 01"), .wait(20), .disconnect(0x16)]),
      .finds("until the capture ends", after: .discovered, [.wait(20), .event(0x0F, "00 01 00 00")]),
      .quiet("it is written", [.wait(20), .disconnect(0x16)]),
      .quiet("it is over at once", after: .discovered, [.wait(3), .disconnect(0x16)]),
      .quiet(
        "the write is refused, which is another fault", after: .discovered,
        [.sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(20), .disconnect(0x16)]),
      .quiet("measurements come all the same", after: .discovered, [.wait(12), .values(["00 48"])]),
      .quiet(
        "the beginning is not in the capture", after: .nothing,
        [.sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 10 10 00 37 2a"), .wait(20), .disconnect(0x16)]),
    ])
  /// The databases are told last: until then nobody has asked.
  static let events: EventSelection = EventSelection([.characteristic, .databases])
  static let dialogue: DialogueTraits = .write
  static let traits: MeasurementTraits = .first

  private let least: Double
  private var found: (moment: Moment, handle: UInt16)?
  private var isSettled = false

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) { isSettled = true }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .dialogue(.pdu(let pdu)) where pdu.maySwitchOnMeasurements: isSettled = true
    case .characteristic(let event) where event.characteristic.uuid == .heartRateMeasurement && found == nil:
      found = (scene.moment, event.characteristic.valueHandle)
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let found, !isSettled, scene.isWhole else { return }
    let length = scene.seconds(since: found.moment)
    guard length >= least else { return }
    let bond = scene.isEncrypted ? "; a bond may have kept them on" : ""
    let message =
      "the measurement \(handleWords(found.handle)) was discovered, and in the \(seconds(length)) since "
      + "then nobody switched its notifications on\(bond)"
    scene.report(
      Self.self, message, severity: scene.isEncrypted ? .info : nil, from: found.moment, to: scene.moment)
  }
}

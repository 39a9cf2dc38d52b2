import BluetoothHost
import GATTKit

/// A measurement that comes another way than by notification.
struct MeasurementNotNotified: AnomalyRule {
  static let about = RuleDescription(
    "measurement-not-notified", .error,
    finds:
      "A Heart Rate Measurement that can be read, or is indicated, or whose properties lack Notify. A read that is "
      + "refused is right.",
    matters: "Apps subscribe to notifications and do nothing else: they see no value, or one that is read and stale.",
    advice: "Report it to the sensor's maker: the measurement has the property Notify and no other.",
    reference: "HRS 1.0, 3.1",
    examples: [
      .finds("it is read", [.sent("0a 10 00"), .received("0b 00 48")]),
      .finds(
        "it is read twice, which is told once",
        [.sent("0a 10 00"), .received("0b 00 48"), .sent("0a 10 00"), .received("0b 00 48")]),
      .finds("it is indicated", [.received("1d 10 00 00 48"), .sent("1e")]),
      .finds(
        "its properties lack Notify", after: .connected,
        [.sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 22 10 00 37 2a")]),
      .finds(
        "its properties have Indicate in place of Notify, and it is indicated, which is one fault", after: .connected,
        [
          .sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 20 10 00 37 2a"), .sent("08 10 00 ff ff 03 28"),
          .received("01 08 10 00 0a"), .received("1d 10 00 00 48"), .sent("1e"),
        ]),
      .quiet("it is notified", [.values(["00 48"])]),
      .quiet("the read is refused", [.sent("0a 10 00"), .received("01 0a 10 00 02")]),
      .quiet("something else is read", [.sent("0a 13 00"), .received("0b 01")]),
    ])
  static let events: EventSelection = [.read, EventSelection(.characteristic)]
  static let dialogue: DialogueTraits = .indication

  private var read = RuleTally()
  private var indicated = RuleTally()
  private var lacking = RuleTally()
  /// The value handle of the one that lacks Notify.
  private var lackingHandle: UInt16?
  /// Where a measurement was discovered last.
  private var discovered: Moment?

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .read(let value) where value.uuid == .heartRateMeasurement && value.handle != lackingHandle:
      guard isStillIt(scene) else { return }
      read.note(scene.moment, "the measurement \(handleWords(value.handle)) can be read: \(octets(value.length))")
    case .dialogue(.pdu(let pdu)):
      // With the wrong properties it comes the wrong way: one fault.
      guard pdu.opcode == .handleValueIndication, let attribute = pdu.attribute,
        attribute.uuid == .heartRateMeasurement, attribute.handle != lackingHandle, isStillIt(scene)
      else { return }
      indicated.note(scene.moment, "the measurement \(handleWords(attribute.handle)) is indicated, not notified")
    case .characteristic(let found):
      let measurement = found.characteristic
      if measurement.uuid == .heartRateMeasurement { discovered = scene.moment }
      guard measurement.uuid == .heartRateMeasurement, let properties = measurement.properties,
        !properties.contains(.notify)
      else { return }
      lackingHandle = measurement.valueHandle
      lacking.note(
        scene.moment,
        "the measurement \(handleWords(measurement.valueHandle)) lacks Notify: its properties are \(properties)")
    default: break
    }
  }

  /// Whether the table holds by which the attribute is the measurement: behind lost records the connection may be
  /// another one on the same handle, unless measurements go on; or they come from another characteristic since.
  private func isStillIt(_ scene: RuleScene) -> Bool {
    let since = discovered ?? scene.first
    return (!scene.hasLost(since: since) || scene.isSameTable) && !scene.series.hasMoved(since: since)
  }

  mutating func finish(_ scene: inout RuleScene) {
    read.report(Self.self, &scene)
    indicated.report(Self.self, &scene)
    lacking.report(Self.self, &scene)
  }
}

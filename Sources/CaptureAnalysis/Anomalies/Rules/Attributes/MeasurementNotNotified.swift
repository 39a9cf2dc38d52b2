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

  private var read = RuleTallies<ServerAttribute>()
  private var indicated = RuleTallies<ServerAttribute>()
  private var lacking = RuleTallies<ServerAttribute>()
  /// No server has as many measurements.
  private static let most = 64
  /// Those that lack Notify.
  private var withoutNotify: Set<ServerAttribute> = []
  /// Where a measurement was discovered last.
  private var discovered: Moment?

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .read(let value) where value.uuid == .heartRateMeasurement:
      let attribute = ServerAttribute(handle: value.handle, server: value.server)
      guard !withoutNotify.contains(attribute), isStillIt(scene) else { return }
      read.note(attribute, scene.moment, "\(Self.words(attribute)) can be read: \(octets(value.length))")
    case .dialogue(.pdu(let pdu)):
      // With the wrong properties it comes the wrong way: one fault.
      guard pdu.opcode == .handleValueIndication, let attribute = pdu.attribute,
        attribute.uuid == .heartRateMeasurement
      else { return }
      let measurement = ServerAttribute(handle: attribute.handle, server: attribute.server)
      guard !withoutNotify.contains(measurement), isStillIt(scene) else { return }
      indicated.note(measurement, scene.moment, "\(Self.words(measurement)) is indicated, not notified")
    case .characteristic(let found):
      let measurement = found.characteristic
      if measurement.uuid == .heartRateMeasurement { discovered = scene.moment }
      guard measurement.uuid == .heartRateMeasurement, let properties = measurement.properties else { return }
      let attribute = ServerAttribute(handle: measurement.valueHandle, server: found.server)
      guard !properties.contains(.notify) else {
        withoutNotify.remove(attribute)
        return
      }
      if withoutNotify.count < Self.most { withoutNotify.insert(attribute) }
      lacking.note(
        attribute, scene.moment, "\(Self.words(attribute)) lacks Notify: its properties are \(properties)")
    default: break
    }
  }

  private static func words(_ measurement: ServerAttribute) -> String {
    "the measurement \(handleWords(measurement.handle))\(measurement.server.ofWhom)"
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

import BluetoothHost
import GATTKit

/// The energy is reset, and goes on.
struct EnergyResetIgnored: AnomalyRule {
  static let about = RuleDescription(
    "energy-reset-ignored", .error,
    finds: "The sensor acknowledges Reset Energy Expended, and the next energy it sends has not started again.",
    matters: "The app adds the energy of an earlier workout to this one.",
    advice: "Report it to the sensor's maker: after the reset the energy counts from 0.",
    reference: "HRS 1.0, 3.3",
    examples: [
      .finds("the energy goes on", after: .connected, reset(before: "08 48 64 00", after: "08 48 65 00")),
      .finds("it sticks at its highest value", after: .connected, reset(before: "08 48 ff ff", after: "08 48 ff ff")),
      .quiet("it starts again", after: .connected, reset(before: "08 48 64 00", after: "08 48 00 00")),
      .quiet(
        "both ends are sensors, and the other one's is reset", after: .connected,
        ControlPointResponse.controlPoint + [
          .received("08 0e 00 13 00 03 28"), .sent("09 07 11 00 08 12 00 39 2a"), .sent("12 10 00 01 00"),
          .received("13"), .received("1b 0f 00 08 48 64 00"), .received("12 12 00 01"), .sent("13"), .wait(3),
          .received("1b 0f 00 08 48 65 00"),
        ]),
      .quiet("it was near 0 before", after: .connected, reset(before: "08 48 01 00", after: "08 48 02 00")),
      .quiet(
        "the reset is refused", after: .connected,
        ControlPointResponse.controlPoint + [
          .sent("12 10 00 01 00"), .received("13"), .received("1b 0f 00 08 48 64 00"), .sent("12 12 00 01"),
          .received("01 12 12 00 05"), .wait(3), .received("1b 0f 00 08 48 65 00"),
        ]),
    ])

  /// The energy is reset between two measurements, on 0x000f.
  private static func reset(before: String, after: String) -> [ExampleStep] {
    ControlPointResponse.controlPoint + [
      .sent("12 10 00 01 00"), .received("13"), .received("1b 0f 00 " + before), .wait(1), .sent("12 12 00 01"),
      .received("13"), .wait(3), .received("1b 0f 00 " + after), .wait(10), .received("1b 0f 00 " + after),
    ]
  }

  static let events: EventSelection = EventSelection(.service)
  static let dialogue: DialogueTraits = .heartRate
  static let traits: MeasurementTraits = .awaitedEnergy

  /// In seconds: a measurement may be on its way while the reset is acknowledged.
  static let onTheWay = 2.0
  /// In kilojoules a second: more than anyone spends.
  private static let mostPower = 2.0

  private var resetAt: (moment: Moment, before: Int)?
  /// The heart rate services: each has its own energy.
  private var services: [ServiceEvent] = []

  private static let mostServices = 16

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    if case .service(let service) = event.content { note(service) }
    guard case .dialogue(.pdu(let pdu)) = event.content, pdu.opcode == .writeResponse,
      case .response(let asked?) = scene.dialogue.step, let attribute = asked.pdu.attribute,
      attribute.uuid == .heartRateControlPoint, scene.series.isOf(attribute.server), scene.isSameTable,
      !isElsewhere(attribute, than: scene.series.handle),
      let written = asked.pdu.written, written.count == 1, written.first == 1, let last = scene.series.energies.last
    else { return }
    resetAt = (scene.moment, last.kilojoules)
    scene.series.energies.isAwaited = true
  }

  private mutating func note(_ service: ServiceEvent) {
    services.removeAll {
      $0.server == service.server && $0.range.start <= service.range.end && service.range.start <= $0.range.end
    }
    if service.uuid == .heartRateService, services.count < Self.mostServices { services.append(service) }
  }

  /// Whether a control point is in one service, and the measurement in another, as far as is known.
  private func isElsewhere(_ controlPoint: DialogueAttribute, than measurement: UInt16?) -> Bool {
    guard let measurement else { return false }
    return services.contains {
      $0.server == controlPoint.server && $0.range.contains(controlPoint.handle) != $0.range.contains(measurement)
    }
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.awaitedEnergy), let energy = measurement.energy, let reset = resetAt else {
      return
    }
    let elapsed = scene.seconds(since: reset.moment)
    guard elapsed >= Self.onTheWay else { return }
    resetAt = nil
    scene.series.energies.isAwaited = false
    guard energy >= reset.before, Double(energy) > 1 + Self.mostPower * elapsed, !scene.hasLost(since: reset.moment)
    else {
      return
    }
    scene.report(
      Self.self,
      "the energy was reset at \(reset.before) kJ, and is \(energy) kJ \(seconds(elapsed)) later", from: reset.moment,
      to: scene.moment)
  }
}

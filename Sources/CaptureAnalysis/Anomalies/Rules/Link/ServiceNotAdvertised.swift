import BluetoothHost
import GATTKit

/// A heart rate sensor that does not say so when it advertises.
struct ServiceNotAdvertised: AnomalyRule {
  static let about = RuleDescription(
    "service-not-advertised", .info,
    finds: "A heart rate sensor whose advertising does not list the heart rate service, 0x180D.",
    matters: "Apps that look for the service when they scan do not find it.",
    advice: "The sensor's maker should list 0x180D; an app can look for its name instead.",
    reference: "HRP 1.0",
    examples: [
      .finds(
        "a name for who asks, and no service", after: .nothing,
        [
          .event(0x3E, "02 01 04 01 01 11 22 33 44 c5 06 05 09 54 65 73 74 c0"), .connect,
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"),
        ]),
      .finds(
        "a list of all services without it", after: .nothing,
        [
          .event(0x3E, "02 01 00 01 01 11 22 33 44 c5 0a 05 09 54 65 73 74 03 03 0f 18 c0"), .connect,
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"),
        ]),
      .quiet(
        "it is listed", after: .nothing,
        [
          .event(0x3E, "02 01 00 01 01 11 22 33 44 c5 04 03 03 0d 18 c0"),
          .event(0x3E, "02 01 04 01 01 11 22 33 44 c5 06 05 09 54 65 73 74 c0"), .connect,
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"),
        ]),
      .finds(
        "a name and no service, and nobody asked for more", after: .nothing,
        [
          .event(0x3E, "02 01 00 01 01 11 22 33 44 c5 06 05 09 54 65 73 74 c0"), .connect,
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"),
        ]),
      .quiet(
        "a name, and the service for who asks", after: .nothing,
        [
          .event(0x3E, "02 01 00 01 01 11 22 33 44 c5 06 05 09 54 65 73 74 c0"),
          .event(0x3E, "02 01 04 01 01 11 22 33 44 c5 04 03 03 0d 18 c0"), .connect,
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"),
        ]),
      .quiet(
        "the controller did not get all that it advertises", after: .nothing,
        [
          extended(status: "40"), .connect, .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"),
        ]),
      .finds(
        "the controller got all that it advertises at length", after: .nothing,
        [
          extended(status: "00"), .connect, .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18"),
        ]),
      .quiet(
        "it is no heart rate sensor", after: .nothing,
        [
          .event(0x3E, "02 01 04 01 01 11 22 33 44 c5 06 05 09 54 65 73 74 c0"), .connect,
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0f 18"),
        ]),
      .quiet("nobody scanned", [.values(["16 48 e8 03"])]),
    ])

  /// An extended advertising report with a name.
  private static func extended(status: String) -> ExampleStep {
    let address = "01 01 11 22 33 44 c5"
    let signal = "01 00 00 7f c0 00 00 00 00 00 00 00 00 00"
    return .event(0x3E, "0d 01 \(status) 00 \(address) \(signal) 06 05 09 54 65 73 74")
  }

  static let events = EventSelection(.service)
  static let traits: MeasurementTraits = [.first, .behind]

  private var isTold = false

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .service(let service) = event.content, service.uuid == .heartRateService, service.server == .peer else {
      return
    }
    report("has the heart rate service and does not advertise it", &scene)
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    if scene.series.server == .peer { report("sends heart rates and does not advertise their service", &scene) }
  }

  private mutating func report(_ what: String, _ scene: inout RuleScene) {
    guard !isTold, let peer = scene.connected?.peer, peer.lacksHeartRate else { return }
    isTold = true
    let name = peer.name == nil ? "" : ", though it gives a name"
    scene.report(
      Self.self, "the sensor \(peer.address.words) \(what)\(name)")
  }
}

import CaptureFiles
import GATTKit

/// A heart rate service without the one characteristic that makes it one.
struct MeasurementAbsent: AnomalyRule {
  static let about = RuleDescription(
    "measurement-absent", .error,
    finds: "The peer's Heart Rate service is discovered, its characteristics are looked for to the end, and the Heart "
      + "Rate Measurement (2A37) is not among them.",
    matters: "Every heart rate service has to have it. An app finds the service, and nothing in it that it could "
      + "subscribe to: it shows a sensor that is connected, and no heart rate.",
    advice: "If the sensor has worked before, the phone or the sensor may be amid a change of firmware or of mode: "
      + "switch both off and on, and remove the bond. Otherwise report it to the sensor's maker.",
    reference: "HRS 1.0, 3",
    examples: [
      .finds("there is only a location in it", after: .connected, service + location + [.wait(5), .disconnect(0x16)]),
      .finds(
        "there is nothing in it", after: .connected,
        service + [.sent("08 0e 00 13 00 03 28"), .received("01 08 0e 00 0a"), .wait(5), .disconnect(0x16)]),
      .finds(
        "it has room for nothing", after: .connected,
        [.sent("06 01 00 ff ff 00 28 0d 18"), .received("07 0e 00 0e 00"), .wait(5), .disconnect(0x16)]),
      .quiet("it is there", after: .discovered, [.wait(5), .disconnect(0x16)]),
      .quiet(
        "its characteristics are not looked for to the end", after: .connected,
        service + location.prefix(2) + [.wait(5), .disconnect(0x16)]),
      .quiet("nobody looks for its characteristics", after: .connected, service + [.wait(5), .disconnect(0x16)]),
      .quiet(
        "the capture cuts away what one of them is", after: .connected,
        service + [
          .keepingACL(16), .sent("08 0e 00 13 00 03 28"), .received("09 07 0f 00 10 10 00 37 2a"), .keepingACL(1000),
        ] + location.suffix(2)),
      .quiet(
        "another heart rate service has it", after: .connected,
        service + location + [
          .sent("06 14 00 ff ff 00 28 0d 18"), .received("07 14 00 18 00"), .sent("08 14 00 18 00 03 28"),
          .received("09 07 15 00 10 16 00 37 2a"), .sent("08 16 00 18 00 03 28"), .received("01 08 16 00 0a"),
        ]),
    ])
  private static let service: [ExampleStep] = [.sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18")]
  /// Its characteristics are looked for to the end.
  private static let location: [ExampleStep] = [
    .sent("08 0e 00 13 00 03 28"), .received("09 07 0f 00 02 10 00 38 2a"), .sent("08 10 00 13 00 03 28"),
    .received("01 08 10 00 0a"),
  ]

  static let events: EventSelection = EventSelection([.service, .databases])
  static let dialogue: DialogueTraits = .discovery

  /// Where the service was discovered on this connection, and where characteristics were asked for last.
  private var found: (first: Moment, last: Moment)?
  /// The handles of the services that lack it, if all do.
  private var lacking: [ClosedRange<UInt16>] = []

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .service(let service) where service.server == .peer && service.uuid == .heartRateService:
      found = (found?.first ?? scene.moment, scene.moment)
    case .dialogue(.pdu):
      guard case .response(let asked?) = scene.dialogue.step, asked.pdu.direction == .sent,
        asked.pdu.askedType == .characteristic
      else { return }
      found?.last = scene.moment
    case .databases(let databases): lacking = Self.lacking(databases)
    default: break
    }
  }

  private static func lacking(_ databases: ConnectionDatabases) -> [ClosedRange<UInt16>] {
    let services = databases.peer.services(.heartRateService)
    let lack = services.allSatisfy { service in
      let handles = service.handles
      let isEmpty = handles.lowerBound == handles.upperBound
      return (isEmpty || databases.searched.covers(handles.lowerBound + 1...handles.upperBound))
        && service.characteristics.allSatisfy { $0.uuid != nil }
    }
    return lack && !databases.peer.holdsCharacteristic(.heartRateMeasurement) ? services.map(\.handles) : []
  }

  mutating func finish(_ scene: inout RuleScene) {
    // What has sent measurements all the same has one, told or not.
    guard let found, !lacking.isEmpty, !scene.hasLost, scene.series.server != .peer else { return }
    let ranges = lacking.map { "\(handleWords($0.lowerBound)) to \(handleWords($0.upperBound))" }
    let what = lacking.count == 1 ? "the Heart Rate service (180D)" : "none of the Heart Rate services (180D)"
    let lack = lacking.count == 1 ? "has no Heart Rate Measurement (2A37)" : "has a Heart Rate Measurement (2A37)"
    scene.report(Self.self, "\(what), \(ranges.joined(separator: ", ")), \(lack)", from: found.first, to: found.last)
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit

/// A peer without a heart rate service, of which one was expected.
struct HeartRateServiceAbsent: AnomalyRule {
  static let about = RuleDescription(
    "heart-rate-service-absent", .warning,
    finds: "The peer's services are discovered to the end, and Heart Rate is not among them although the peer "
      + "advertises it; where it was only asked for, that is merely mentioned.",
    matters:
      "Apps that look for the service find nothing to subscribe to. It may need another mode of the device, or a "
      + "setting such as sharing the heart rate.",
    advice: "Switch heart rate broadcast on in the device, then connect anew; if the phone remembers an older table of "
      + "services, remove the bond or switch Bluetooth off and on.",
    reference: "Core 6.0, Vol 3, Part G, 4.4.1",
    examples: [
      .finds(
        "it is asked for and not there, which is mentioned", after: .connected,
        [.sent("06 01 00 ff ff 00 28 0d 18"), .received("01 06 01 00 0a")]),
      .finds(
        "the same, with all 128 bits of its type", after: .connected,
        [.sent("06 01 00 ff ff 00 28 fb 34 9b 5f 80 00 00 80 00 10 00 00 0d 18 00 00"), .received("01 06 01 00 0a")]),
      .quiet(
        "a maker's service, whose type ends like it, is asked for and not there", after: .connected,
        [.sent("06 01 00 ff ff 00 28 0d 18 9b 5f 80 00 00 80 00 10 00 00 0d 18 00 00"), .received("01 06 01 00 0a")]),
      .finds(
        "it is advertised and not there", after: .nothing, .advertisedSensor + discovery("11 06 01 00 09 00 00 18")),
      .finds(
        "it is advertised and not there, and the capture cuts away which service the host has", after: .nothing,
        .advertisedSensor + [
          .keepingACL(15), .received("10 01 00 ff ff 00 28"), .sent("11 06 0e 00 13 00 0d 18"), .keepingACL(1000),
        ] + discovery("11 06 01 00 09 00 00 18")),
      .quiet(
        "it was advertised, and is not any more since the last connection", after: .nothing,
        .advertisedSensor + [.disconnect(0x16), .event(0x3E, "02 01 00 01 01 11 22 33 44 c5 06 05 09 42 6f 6f 74 c4")]
          + [.connect] + discovery("11 06 01 00 09 00 00 18")),
      .finds(
        "it was advertised, and since the last connection only a name is heard, of who was asked for it",
        after: .nothing,
        .advertisedSensor + [.disconnect(0x16), .event(0x3E, "02 01 04 01 01 11 22 33 44 c5 06 05 09 42 6f 6f 74 c4")]
          + [.connect] + discovery("11 06 01 00 09 00 00 18")),
      .quiet("neither advertised nor asked for", after: .connected, discovery("11 06 01 00 09 00 00 18")),
      .quiet("it is there", after: .nothing, .advertisedSensor + discovery("11 06 01 00 09 00 0d 18")),
      .quiet(
        "discovery is not over", after: .nothing,
        .advertisedSensor + [.sent("10 01 00 ff ff 00 28"), .received("11 06 01 00 09 00 00 18")]),
      .quiet(
        "there is no second one", after: .connected,
        [
          .sent("06 01 00 ff ff 00 28 0d 18"), .received("07 0e 00 13 00"), .sent("06 14 00 ff ff 00 28 0d 18"),
          .received("01 06 14 00 0a"),
        ]),
      .quiet(
        "only the end of discovery is in the capture", after: .nothing,
        .advertisedSensor + [.sent("10 0a 00 ff ff 00 28"), .received("01 10 0a 00 0a")]),
    ])

  /// Its services are discovered to the end; the first answer is given.
  private static func discovery(_ answer: String) -> [ExampleStep] {
    [.sent("10 01 00 ff ff 00 28"), .received(answer), .sent("10 0a 00 ff ff 00 28"), .received("01 10 0a 00 0a")]
  }

  static let events = EventSelection(.service)
  static let dialogue: DialogueTraits = .discovery

  private var isThere = false
  private var isUnclear = false
  /// Up to which handle the services are known.
  private var known: UInt16 = 0
  private var begun: Moment?
  /// Where discovery ended, by everything or by the one service.
  private var ended: Moment?
  private var wasAskedFor: Moment?

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .service(let service):
      if service.server == .peer, service.uuid == .heartRateService { isThere = true }
      if service.server == .peer, service.uuid == nil { isUnclear = true }
    case .dialogue(.pdu(let pdu)): note(pdu, &scene)
    default: break
    }
  }

  private mutating func note(_ pdu: ATTDialoguePDU, _ scene: inout RuleScene) {
    guard case .response(let asked?) = scene.dialogue.step, asked.pdu.direction == .sent, let range = asked.pdu.range,
      asked.pdu.askedType == .primaryService
    else { return }
    if pdu.isCut { isUnclear = true }
    switch asked.pdu.opcode {
    case .findByTypeValueRequest:
      let isWanted = asked.pdu.askedService == .heartRateService
      if isWanted, range.start == 1, pdu.error == .attributeNotFound { wasAskedFor = scene.moment }
    case .readByGroupTypeRequest:
      guard range.start <= max(known, 1) || range.start == known &+ 1, !asked.pdu.isCut else { return }
      if begun == nil { begun = asked.moment }
      if pdu.error == .attributeNotFound { known = range.end }
      pdu.forEachEntry { place in known = max(known, pdu.uint16(at: place + 2) ?? 0) }
      if known == .max, ended == nil { ended = scene.moment }
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard !isThere, !isUnclear, !scene.hasLost else { return }
    if let ended, scene.isOfAdvertisedSensor {
      scene.report(
        Self.self, "the peer advertises Heart Rate (180D), and it is not among its services", from: begun ?? ended,
        to: ended)
    } else if let wasAskedFor {
      scene.report(
        Self.self, "the peer was asked for the Heart Rate service (180D), and has none", severity: .info,
        from: wasAskedFor)
    }
  }
}

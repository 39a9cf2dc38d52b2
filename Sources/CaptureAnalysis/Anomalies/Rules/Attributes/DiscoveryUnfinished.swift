import BluetoothHost
import CaptureFiles
import GATTKit

/// A discovery that the local host begins, and that stops before the measurement is found.
struct DiscoveryUnfinished: AnomalyRule {
  static let least = RuleParameter("least", 10, in: 1...3600, "how long nobody goes on with it, in seconds")

  static let about = RuleDescription(
    "discovery-unfinished", .warning,
    finds: "The local host discovers a sensor's services, or the characteristics of its Heart Rate service, and stops "
      + "before the measurement is found: every request was answered, and no other follows in the ten seconds or more "
      + "that the connection then lasts.",
    matters: "The app shows a sensor that is connected, and waits for a heart rate that nobody has asked for.",
    advice: "Look at the app, or at the phone's Bluetooth system: the sensor has answered. An app has to ask for the "
      + "characteristics of the service once it is told of the service. If another app made this connection, that one "
      + "may not want heart rates at all.",
    reference: "Core 6.0, Vol 3, Part G, 4.6.1",
    explainedBy: ["access-refused", "controller-failed", "encryption-failed", "pairing-failed", "pairing-unfinished"],
    parameters: [least],
    examples: [
      .finds("nobody looks for the characteristics", after: .connected, services + theirEnd + silence),
      .finds("the services are not all asked for", after: .connected, services + silence),
      .finds(
        "the service is asked for by its type, and then nothing", after: .connected,
        [.sent("06 01 00 ff ff 00 28 0d 18"), .received("07 0e 00 13 00")] + silence),
      .finds("it stops before the service is reached", after: .nothing, .advertisedSensor + others + silence),
      .finds("it stops amid the characteristics", after: .connected, services + theirEnd + location + silence),
      .finds(
        "the characteristics are refused", after: .connected,
        services + theirEnd + [.sent("08 0e 00 13 00 03 28"), .received("01 08 0e 00 0e")] + silence),
      .finds("until the capture ends", after: .connected, services + [.wait(20), .event(0x0F, "00 01 00 00")]),
      .quiet("the measurement is found, which is another fault", after: .discovered, silence),
      .quiet("the connection is over soon", after: .connected, services + [.wait(5), .disconnect(0x13)]),
      .quiet("nobody knows of a heart rate service", after: .connected, others + silence),
      .quiet(
        "the local host goes on with another service", after: .connected,
        services + theirEnd + [.sent("08 14 00 17 00 03 28"), .received("09 07 15 00 12 16 00 19 2a")] + silence),
      .quiet(
        "the next request has no answer, which is another fault", after: .connected,
        services + theirEnd + [.sent("08 0e 00 13 00 03 28")] + silence),
      .quiet(
        "there is no measurement, which is another fault", after: .connected,
        services + theirEnd + location + [.sent("08 10 00 13 00 03 28"), .received("01 08 10 00 0a")] + silence),
      .quiet(
        "the configuration is known, and written", after: .connected,
        services + theirEnd + [.sent("12 11 00 01 00"), .received("13")] + silence),
      .quiet("the beginning is not in the capture", after: .nothing, services + theirEnd + silence),
    ])
  private static let services: [ExampleStep] = [.sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18")]
  private static let theirEnd: [ExampleStep] = [.sent("10 14 00 ff ff 00 28"), .received("01 10 14 00 0a")]
  private static let others: [ExampleStep] = [.sent("10 01 00 ff ff 00 28"), .received("11 06 01 00 05 00 00 18")]
  private static let location: [ExampleStep] = [
    .sent("08 0e 00 13 00 03 28"), .received("09 07 0f 00 02 10 00 38 2a"),
  ]
  private static let silence: [ExampleStep] = [.wait(20), .disconnect(0x16)]

  static let events: EventSelection = EventSelection([.service, .characteristic, .databases])
  static let dialogue: DialogueTraits = [.discovery, .write]
  static let traits: MeasurementTraits = .first

  private let least: Double
  /// Whether the measurement is found, or may be known otherwise.
  private var isSettled = false
  private var service: AttributeRange?
  /// Up to which handle services are known, and characteristics of the heart rate service.
  private var known: (services: UInt16, characteristics: UInt16) = (0, 0)
  /// The last answer.
  private var last: (moment: Moment, stage: Stage, error: ATTErrorCode?)?

  /// What was looked for.
  private enum Stage {
    case services
    case characteristics
    /// What has nothing to do with heart rates.
    case others
  }

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) { isSettled = true }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .service(let found) where found.server == .peer: note(found)
    case .characteristic(let found) where found.server == .peer:
      if [.heartRateMeasurement, nil].contains(found.characteristic.uuid) { isSettled = true }
    case .databases(let databases):
      if databases.peer.holdsCharacteristic(.heartRateMeasurement) { isSettled = true }
    case .dialogue(.pdu(let pdu)):
      if pdu.maySwitchOnMeasurements, pdu.askedServer == .peer { isSettled = true }
      note(pdu, scene.dialogue.step, scene.moment)
    default: break
    }
  }

  private mutating func note(_ found: ServiceEvent) {
    guard found.uuid == .heartRateService, found.range != service else {
      // What the capture cuts away may be one.
      return isSettled = isSettled || found.uuid == nil
    }
    // Of two services, either may have the measurement.
    if service != nil { isSettled = true }
    service = found.range
    known.characteristics = found.range.start
  }

  private mutating func note(_ pdu: ATTDialoguePDU, _ step: ATTDialogue.Step, _ moment: Moment) {
    guard case .response(let asked?) = step, asked.pdu.direction == .sent, let range = asked.pdu.range,
      let stage = stage(of: asked.pdu, range)
    else { return }
    if pdu.isCut || asked.pdu.isCut { isSettled = true }
    last = (moment, stage, pdu.error == .attributeNotFound ? nil : pdu.error)
    let isOver = pdu.error == .attributeNotFound
    switch stage {
    case .services:
      if isOver, asked.pdu.opcode == .readByGroupTypeRequest { known.services = max(known.services, range.end) }
      pdu.forEachEntry { known.services = max(known.services, pdu.uint16(at: $0 + 2) ?? 0) }
    case .characteristics:
      if isOver { known.characteristics = max(known.characteristics, range.end) }
      pdu.forEachEntry { known.characteristics = max(known.characteristics, pdu.uint16(at: $0 + 3) ?? 0) }
    case .others: break
    }
  }

  /// What a request looks for; nil if it discovers nothing.
  private func stage(of asked: ATTDialoguePDU, _ range: AttributeRange) -> Stage? {
    switch (asked.opcode, asked.askedType) {
    case (.readByGroupTypeRequest, .primaryService?): .services
    case (.findByTypeValueRequest, .primaryService?): asked.askedService == .heartRateService ? .services : .others
    case (.readByTypeRequest, .characteristic?):
      service.map { $0.start <= range.start && range.start <= $0.end } ?? false ? .characteristics : .others
    case (.readByTypeRequest, .include?): last?.stage
    case (.readByTypeRequest, _): nil
    default: .others
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard !isSettled, scene.isWhole, !scene.dialogue.hasForgotten, let last,
      !scene.dialogue.waiting.contains(where: { $0.pdu.direction == .sent })
    else { return }
    let length = scene.seconds(since: last.moment)
    guard length >= least, let what = what(last.stage, scene.isOfAdvertisedSensor) else { return }
    let refusal = last.error.map { "; the last request was refused with \($0.words)" } ?? ""
    scene.report(
      Self.self, "\(what) in the \(seconds(length)) since then\(refusal)", from: last.moment, to: scene.moment)
  }

  /// What was found, and that nobody goes on; nil where that need not be amiss.
  private func what(_ stage: Stage, _ isAdvertised: Bool) -> String? {
    guard let service else {
      guard isAdvertised, stage == .services, known.services < .max else { return nil }
      let place = known.services > 0 ? "behind \(handleWords(known.services))" : "at its beginning"
      return
        "the discovery of services stopped \(place), before the Heart Rate service (180D) that the peer advertises "
        + "was found, and nobody went on with it"
    }
    let handles = handleWords(service)
    guard known.characteristics < service.end, stage != .others else { return nil }
    guard stage == .characteristics || known.characteristics > service.start else {
      return "the Heart Rate service (180D), \(handles), was discovered, and nobody looked for its characteristics"
    }
    let place =
      known.characteristics > service.start ? "behind \(handleWords(known.characteristics))" : "at its beginning"
    return
      "the discovery of the characteristics of the Heart Rate service (180D), \(handles), stopped \(place), before a "
      + "measurement was found, and nobody went on with it"
  }
}

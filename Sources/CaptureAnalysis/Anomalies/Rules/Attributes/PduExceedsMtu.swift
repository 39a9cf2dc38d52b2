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
        "a response and a measurement, each of which is told",
        [.sent("0a 13 00"), .received("0b" + long(23)), .values(["10 48" + long(20)])], count: 2),
      .finds(
        "longer than agreed upon",
        [.sent("02 f7 00"), .received("03 1e 00"), .sent("0a 13 00"), .received("0b" + long(30))]),
      .finds(
        "longer than an enhanced bearer takes", after: .connected,
        enhanced + [.receivedPiece("49 00 40 00 47 00 0b" + long(70), isContinuation: false)]),
      .quiet(
        "as long as an enhanced bearer takes", after: .connected,
        enhanced + [.receivedPiece("42 00 40 00 40 00 0b" + long(63), isContinuation: false)]),
      .finds(
        "longer, after one end of the enhanced bearer was reconfigured", after: .connected,
        enhanced + [
          .signalSent("19 02 06 00 80 00 80 00 40 00"), .signalReceived("1a 02 02 00 00 00"),
          .receivedPiece("49 00 40 00 47 00 0b" + long(70), isContinuation: false),
        ]),
      .quiet(
        "longer, after both ends were reconfigured", after: .connected,
        enhanced + [
          .signalSent("19 02 06 00 80 00 80 00 40 00"), .signalReceived("1a 02 02 00 00 00"),
          .signalReceived("19 01 06 00 80 00 80 00 40 00"), .signalSent("1a 01 02 00 00 00"),
          .receivedPiece("49 00 40 00 47 00 0b" + long(70), isContinuation: false),
        ]),
      .quiet(
        "the capture keeps so little that the exchange is cut", after: .connected,
        [
          .keepingACL(9), .sent("02 f7 00"), .received("03 f7 00"), .sent("10 01 00 ff ff 00 28"),
          .received("11 06" + long(30)),
        ]),
      .quiet(
        "the response to the exchange is not in the capture, as it seems",
        [.sent("02 f7 00"), .sent("0a 13 00"), .received("0b" + long(40))]),
      .finds(
        "the exchange is refused",
        [.sent("02 f7 00"), .received("01 02 00 00 06"), .sent("0a 13 00"), .received("0b" + long(40))]),
      .quiet("as long as it may be", [.sent("0a 13 00"), .received("0b" + long(22)), .values(["10 48" + long(18)])]),
      .quiet(
        "after an exchange", [.sent("02 f7 00"), .received("03 b9 00"), .sent("0a 13 00"), .received("0b" + long(100))]),
      .quiet(
        "the beginning is not in the capture", after: .nothing,
        [.sent("0a 13 00"), .received("0b" + long(100))]),
    ])

  /// An enhanced bearer on the channel 0x0040 of either side, whose ends take 64 octets.
  private static let enhanced: [ExampleStep] = [
    .signalSent("17 01 0a 00 27 00 40 00 64 00 08 00 40 00"),
    .signalReceived("18 01 0a 00 40 00 64 00 08 00 00 00 40 00"),
  ]

  private static func long(_ count: Int) -> String { String(repeating: " 03", count: count) }

  static let events: EventSelection = EventSelection(.mtu)
  static let dialogue: DialogueTraits = .long
  static let traits: MeasurementTraits = .full

  private var most = 23
  /// What is too long, and for which ATT_MTU: by how much may be another thing each time.
  private struct Excess: Hashable {
    let what: String
    let mtu: Int
  }

  private var faults = RuleTallies<Excess>()

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.full) else { return }
    note(measurement.length &+ 3, "a Handle Value Notification with a measurement", over: scene.series.bearer, scene)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .mtu(let agreed): if !agreed.isEnhanced { most = max(most, agreed.mtu.map { Int($0) } ?? .max) }
    case .dialogue(.pdu(let pdu)): note(pdu.length, pdu.phrase, over: pdu.bearer, scene)
    default: break
    }
  }

  private mutating func note(_ length: Int, _ what: String, over bearer: Int?, _ scene: RuleScene) {
    guard let most = bearer == nil ? max(most, scene.mtu) : scene.mtu(of: bearer), length > most else { return }
    guard scene.isWhole, scene.connected?.isLowEnergy == true else { return }
    faults.note(
      Excess(what: what, mtu: most), scene.moment, "\(what) has \(octets(length)), and the ATT_MTU is \(most)")
  }

  mutating func finish(_ scene: inout RuleScene) { faults.report(Self.self, &scene) }
}

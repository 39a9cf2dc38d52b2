import BluetoothHost
import GATTKit

/// A sensor that counts energy and cannot be told to begin again.
struct EnergyWithoutControlPoint: AnomalyRule {
  static let about = RuleDescription(
    "energy-without-control-point", .error,
    finds: "Measurements with Energy Expended from a sensor whose Heart Rate service was discovered to its end and has "
      + "no Heart Rate Control Point, on the same connection or an earlier one.",
    matters: "Nobody can start the energy again from 0: what an app shows belongs to an earlier workout, or someone "
      + "else's.",
    advice:
      "The sensor's maker has to offer the control point (0x2A39) with Energy Expended, or leave the energy away.",
    reference: "HRS 1.0, 3.3",
    examples: [
      .finds("energy, and no control point", [.values(["08 48 10 00", "00 48", "08 48 11 00"])]),
      .quiet("no energy", [.values(["00 48", "16 48 e8 03"])]),
      .quiet("RR-Intervals in its place", [.repeated(["08 48 55 03", "08 48 60 03", "08 48 49 03"], times: 8)]),
      .quiet("there is a control point", after: .connected, service("39 2a") + [.values(["08 48 10 00"])]),
      .quiet(
        "whether there is one was not looked for", after: .connected,
        Array(service("38 2a").prefix(4)) + [.values(["08 48 10 00"])]),
      .finds(
        "it was looked for to the end on an earlier connection", after: .nothing,
        [.connect] + service("38 2a") + [
          .disconnect(0x13), .connect, .sent("12 11 00 01 00"), .received("13"), .values(["08 48 10 00"]),
        ]),
      .finds(
        "energy on both connections, of which one looked for it", after: .nothing,
        [.connect] + service("38 2a") + [
          .values(["08 48 10 00"]), .disconnect(0x13), .connect, .sent("12 11 00 01 00"), .received("13"),
          .values(["08 48 10 00"]),
        ], count: 2),
      .quiet(
        "an earlier connection has found one", after: .nothing,
        [.connect] + service("39 2a") + [
          .disconnect(0x13), .connect, .sent("12 11 00 01 00"), .received("13"), .values(["08 48 10 00"]),
        ]),
      .quiet(
        "no earlier connection has looked for one", after: .nothing,
        [.connect] + service("38 2a").prefix(4) + [
          .disconnect(0x13), .connect, .sent("12 11 00 01 00"), .received("13"), .values(["08 48 10 00"]),
        ]),
      .quiet(
        "the service without one is the host's, and the peer sends energy", after: .connected,
        hostService + [
          .sent("08 01 00 ff ff 03 28"), .received("09 07 15 00 10 16 00 37 2a"), .sent("12 17 00 01 00"),
          .received("13"), .received("1b 16 00 08 48 10 00"),
        ]),
      .finds(
        "the sensor is the host, whose peer has looked for one to the end", after: .connected,
        hostService + [.received("12 11 00 01 00"), .sent("13"), .sent("1b 10 00 08 48 10 00")]),
      .quiet(
        "an earlier connection has found none at the peer, and the host sends energy", after: .nothing,
        [.connect] + hostService + service("38 2a") + [
          .disconnect(0x13), .connect, .received("12 11 00 01 00"), .sent("13"), .sent("1b 10 00 08 48 10 00"),
        ]),
      .finds("it is looked for to the end", after: .connected, service("38 2a") + [.values(["08 48 10 00"])]),
    ])

  /// The host's own service, in which the peer finds nothing but the measurement.
  private static let hostService: [ExampleStep] = [
    .received("10 01 00 ff ff 00 28"), .sent("11 06 0e 00 13 00 0d 18"), .received("08 0e 00 13 00 03 28"),
    .sent("09 07 0f 00 10 10 00 37 2a"), .received("08 10 00 13 00 03 28"), .sent("01 08 10 00 0a"),
  ]

  /// A service with room for three characteristics: the measurement, another, and nothing more.
  private static func service(_ last: String) -> [ExampleStep] {
    [
      .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 18 00 0d 18"),
      .sent("08 0e 00 18 00 03 28"), .received("09 07 0f 00 10 10 00 37 2a"),
      .sent("08 10 00 18 00 03 28"), .received("09 07 12 00 08 13 00 " + last),
      .sent("08 13 00 18 00 03 28"), .received("01 08 13 00 0a"),
      .sent("12 11 00 01 00"), .received("13"),
    ]
  }

  static let events: EventSelection = EventSelection([.service, .characteristic, .databases])
  static let dialogue: DialogueTraits = .discovery
  static let readsValues = true

  /// What is discovered of a server.
  private struct Server {
    var service: AttributeRange?
    /// Up to which handle its characteristics are known.
    var known: UInt16 = 0
    var isUnclear = false
    var hasControlPoint = false

    /// Whether it is known that there is no control point; nil where no service was found.
    var isWithout: Bool? { service.map { known >= $0.end && !hasControlPoint && !isUnclear } }

    mutating func note(_ answer: ATTDialoguePDU, to asked: ATTDialoguePDU) {
      guard service != nil, asked.opcode == .readByTypeRequest, asked.askedType == .characteristic,
        let range = asked.range, range.start <= known || range.start == known &+ 1
      else { return }
      if answer.isCut { isUnclear = true }
      if answer.error == .attributeNotFound { known = max(known, range.end) }
      answer.forEachEntry { place in known = max(known, answer.uint16(at: place + 3) ?? 0) }
    }
  }

  private var servers = BothServers(Server())
  /// Whether the peer's service is known from an earlier connection, and was discovered to its end there without one.
  private var wasWithout = false

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .service(let found) where found.uuid == .heartRateService:
      // With two of them, the control point may be in the other.
      if servers[found.server].service != nil { servers[found.server].isUnclear = true }
      servers[found.server].service = found.range
      servers[found.server].known = found.range.start
    case .characteristic(let found):
      if found.characteristic.uuid == .heartRateControlPoint { servers[found.server].hasControlPoint = true }
      if found.characteristic.uuid == nil { servers[found.server].isUnclear = true }
    case .dialogue(.pdu(let pdu)):
      if case .response(let asked?) = scene.dialogue.step { servers[asked.pdu.askedServer].note(pdu, to: asked.pdu) }
    case .databases(let databases): wasWithout = Self.lacksControlPoint(databases)
    default: break
    }
  }

  private static func lacksControlPoint(_ databases: ConnectionDatabases) -> Bool {
    let services = databases.peer.services(.heartRateService)
    guard services.count == 1, let service = services.first, service.handles.lowerBound < service.handles.upperBound,
      databases.searched.covers(service.handles.lowerBound + 1...service.handles.upperBound)
    else { return false }
    return service.characteristics.contains { $0.uuid == .heartRateMeasurement }
      && !service.characteristics.contains { $0.uuid == .heartRateControlPoint || $0.uuid == nil }
  }

  mutating func finish(_ scene: inout RuleScene) {
    let energies = scene.series.energies
    // What is no energy needs no control point: that is another finding.
    guard let server = scene.series.server, servers[server].isWithout ?? (wasWithout && server == .peer),
      !scene.hasLost, energies.impostor == nil || energies.impostor == .swapped,
      let (first, last) = energies.extent
    else { return }
    let message =
      "energy (first \(first.kilojoules) kJ) is sent, and the service has no Heart Rate Control Point"
      + inAll(energies.count)
    scene.report(Self.self, message, from: first.moment, to: last.moment, count: energies.count)
  }
}

import BluetoothHost
import GATTKit

/// Shows rules what happens, and keeps what they find: in memory that grows with the connections that are open, and with
/// the findings, of which only so many are kept.
public struct Diagnosis {
  private let table: RuleTable
  private var watches: [RuleWatch] = []
  /// Where each connection's watch is, if there is one.
  private var places = ConnectionPlaces()
  private var capture: RuleWatch?
  /// What connections that are over have left to the next ones with the same peers.
  private var left: [RemoteServer: LeftBehind] = [:]
  private static let mostLeft = 4096
  private var found: [Finding] = []
  /// How many findings have been collected so far, taken or not.
  private var collected = 0
  /// The findings of each rule for which there was no room.
  private var surplus: [String: [UnlistedFindings]] = [:]

  /// No host has as many connections open: of a file with more, the others are not watched.
  private static let mostWatches = 64
  private static let mostConnections = 1_000_000
  private static let mostFindings = 20_000
  /// More findings of one rule on one connection are only counted; and fewer are told of the connections that begin when
  /// many findings have been told, so that memory does not grow with every sensor that comes back.
  private let mostOfRule: (first: Int, later: Int)
  private static let many = 1000

  /// Creates a diagnosis of nothing yet.
  /// - Parameter isForPart: Whether only some of what is found will be told, so that all of it has to be found.
  public init(_ settings: RuleSettings, isForPart: Bool = false) {
    table = RuleTable(settings)
    mostOfRule = isForPart ? (2000, 100) : (100, 5)
  }

  /// Makes room for more findings than most captures have, where all are taken in the end. Room that is not used takes no
  /// memory, but an array that has to grow is in memory twice.
  mutating func makeRoom() { found.reserveCapacity(2 * Self.many) }

  /// The events that the rules need.
  public var selection: EventSelection { table.selection }

  /// Takes an event.
  public mutating func note(_ event: Event) {
    if case .heartRate(let measurement) = event.content {
      guard let connection = event.connection else { return }
      return measurement.lend { note($0, event.moment, connection: connection) }
    }
    let (kind, battery) = (event.content.kind, event.content.peerBattery)
    guard battery != nil || table.isWanted[kind.place] else { return }
    if capture == nil {
      let scene = RuleScene(connection: nil, event, mostFindings: mostOfRule.first, remarkable: table.remarkable)
      capture = RuleWatch(table.captureRules, scene)
    }
    switch event.content {
    case .dialogue(let dialogue): return note(dialogue, event)
    case .read(let value), .notification(let value), .indication(let value):
      if !value.uuid.isOfHeartRateService {
        return pass(event.moment, connection: event.connection, battery: battery)
      }
    default: break
    }
    capture?.note(event, table.captureEvents[kind.place])
    if let other = OtherRadioUse(event) { tell(other, event) }
    guard let connection = event.connection else { return }
    if kind == .connected { open(event, connection) }
    guard let place = places[connection] else { return }
    watches[place].note(event, table.events[kind.place])
    if kind == .disconnected { close(place, connection) }
  }

  /// Tells connections what goes on beside them, which shares their adapter's radio.
  private mutating func tell(_ other: OtherRadioUse, _ event: Event) {
    let adapter: UInt16? =
      switch event.content {
      case .connected(let made): made.adapter
      case .controller(let controller): controller.adapter
      default: event.connection.flatMap { places[$0] }.flatMap { watches[$0].scene.connected?.adapter }
      }
    for place in watches.indices where watches[place].isOpen && watches[place].scene.connection != event.connection {
      if let adapter, watches[place].scene.connected?.adapter == adapter { watches[place].scene.take(other) }
    }
  }

  /// Takes a PDU: rules see only those that are remarkable to them.
  private mutating func note(_ dialogue: ATTDialogueEvent, _ event: Event) {
    // All connections are told, each by itself, and the capture once.
    if case .clockStep = dialogue, event.connection == nil { capture?.scene.take(event) }
    let traits = DialogueTraits(of: dialogue)
    capture?.scene.take(event.moment)
    capture?.note(event, traits, table.captureDialogue)
    guard let connection = event.connection, let place = places[connection] else { return }
    watches[place].note(dialogue, event, traits, table.dialogue)
    guard case .pdu(let pdu) = dialogue else { return }
    if pdu.askedServer == .local, pdu.mayResetEnergy {
      tellAll(of: watches[place].scene.connected?.adapter) { $0.take(localReset: event.moment) }
    } else if pdu.error != nil, case .response(let asked?) = watches[place].scene.dialogue.step,
      asked.pdu.askedServer == .local, asked.pdu.mayResetEnergy
    {
      tellAll(of: watches[place].scene.connected?.adapter) { $0.takeBack(localReset: asked.moment) }
    }
  }

  /// Tells all connections what one of this device's clients does to its energy: it is the same for all of them.
  private mutating func tellAll(of adapter: UInt16?, _ change: (inout RuleScene) -> Void) {
    for place in watches.indices where watches[place].isOpen && watches[place].scene.connected?.adapter == adapter {
      change(&watches[place].scene)
    }
  }

  /// Takes a measurement.
  @inline(__always)
  public mutating func note(_ measurement: HeartRateNotification, _ moment: Moment, connection: Int) {
    guard let place = places[connection] else { return }
    watches[place].note(measurement, moment, table)
  }

  /// Takes a value of another attribute.
  public mutating func note(_ value: CapturedValue, as way: ValueWay, _ moment: Moment, connection: Int) {
    if value.uuid.isOfHeartRateService { return note(value.event(way, moment, connection: connection)) }
    let battery = value.peerBattery
    if battery != nil || table.isWanted[way.kind.place] { pass(moment, connection: connection, battery: battery) }
  }

  /// Something happened that rules need not see, but for the level of the peer's battery, in percent.
  private mutating func pass(_ moment: Moment, connection: Int?, battery: UInt8?) {
    capture?.scene.take(moment)
    guard let connection, let place = places[connection] else { return }
    watches[place].scene.take(moment)
    if let battery { watches[place].scene.take(battery: battery) }
  }

  /// Takes a signal's strength, in dBm: what rules may want to tell of it is the last.
  public mutating func note(signalStrength: Int8, _ moment: Moment, connection: Int) {
    capture?.scene.take(moment)
    guard let place = places[connection] else { return }
    watches[place].scene.take(signalStrength: signalStrength, moment)
  }

  /// Nothing more has happened until a moment of a capture that goes on.
  public mutating func pause(until moment: Moment) {
    for place in watches.indices where watches[place].isOpen { watches[place].pause(until: moment, table) }
  }

  /// The capture has ended.
  public mutating func finish() {
    for place in watches.indices where watches[place].isOpen { watches[place].finish() }
    capture?.finish()
    for place in watches.indices { collect(place) }
    for (rule, left) in surplus.sorted(by: { $0.key < $1.key }) {
      found += left.map { $0.finding(of: rule, connection: nil, "\($0.count) more like these, not listed") }
    }
    surplus = [:]
  }

  /// What was found since the last call.
  public mutating func takeFindings() -> [Finding] {
    // A timeline asks behind each event: there is almost never anything.
    for place in watches.indices where !watches[place].scene.findings.isEmpty { collect(place) }
    if let new = capture?.scene.takeFindings(), !new.isEmpty { found += new }
    guard !found.isEmpty else { return [] }
    defer { found = [] }
    return found
  }

  /// All that was found, in no order.
  public var findings: [Finding] {
    var copy = self
    return copy.takeFindings()
  }
}

// MARK: - Connections

extension Diagnosis {
  private mutating func open(_ event: Event, _ connection: Int) {
    guard connection > 0, connection <= Self.mostConnections, !table.rules.isEmpty else { return }
    if let place = places[connection] {
      // Its making is reported after its first packets.
      watches[place].scene.begin(event)
      return watches[place].scene.take(remains(for: event))
    }
    let told = watches.reduce(collected) { $0 + $1.scene.findings.count }
    let mostFindings = told < Self.many ? mostOfRule.first : mostOfRule.later
    var scene = RuleScene(connection: connection, event, mostFindings: mostFindings, remarkable: table.remarkable)
    scene.take(remains(for: event))
    let watch = RuleWatch(table.rules, scene)
    if let free = watches.firstIndex(where: { !$0.isOpen }) {
      collect(free)
      watches[free] = watch
      places[connection] = free
    } else if watches.count < Self.mostWatches {
      watches.append(watch)
      places[connection] = watches.count - 1
    } else {
      places.passOver(connection)
    }
  }

  /// Those of some connections, by their numbers, at which no rule looked, since there was no room for another watch.
  func unwatched(of connections: [Int]) -> Set<Int> {
    Set(connections.filter(places.isPassedOver))
  }

  private mutating func close(_ place: Int, _ connection: Int) {
    watches[place].finish()
    places[connection] = nil
    let scene = watches[place].scene
    guard let peer = scene.connected?.remoteServer, left.count < Self.mostLeft || left[peer] != nil else { return }
    left[peer] = scene.leaving
  }

  /// What an earlier connection has left to one that begins.
  private func remains(for event: Event) -> LeftBehind? {
    guard case .connected(let connected) = event.content else { return nil }
    return connected.remoteServer.flatMap { left[$0] }
  }

  private mutating func collect(_ place: Int) {
    let new = watches[place].scene.takeFindings()
    collected += new.count
    let room = max(0, Self.mostFindings - found.count)
    found += new.prefix(room)
    for finding in new.dropFirst(room) { surplus[finding.rule, default: []].add(UnlistedFindings(finding)) }
  }
}

extension BluetoothUUID? {
  /// Whether it is a characteristic of the heart rate service: rules see values of no others.
  fileprivate var isOfHeartRateService: Bool {
    self == .heartRateMeasurement || self == .bodySensorLocation || self == .heartRateControlPoint
  }
}

extension CapturedValue {
  /// How full the peer's battery is, in percent, if it tells that.
  fileprivate var peerBattery: UInt8? {
    // Some hosts read it every second.
    guard octets.length == 1, octets.octets.count == 1, uuid == .batteryLevel, server == .peer else { return nil }
    return BatteryLevel(percent: octets.octets[0])?.percent
  }
}

extension EventContent {
  /// The same of an event.
  fileprivate var peerBattery: UInt8? {
    switch self {
    case .read(let value), .notification(let value), .indication(let value): CapturedValue(value).peerBattery
    default: nil
    }
  }
}

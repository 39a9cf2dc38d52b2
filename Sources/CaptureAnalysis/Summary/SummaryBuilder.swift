/// Puts a capture's summary together from its events, in memory that grows with the number of connections and, where
/// measurements are listed, of measurements; with nothing else.
public struct SummaryBuilder: EventReceiver {
  private let listsMeasurements: Bool
  private var connections: [ConnectionSummary] = []
  /// Where each connection's summary is, if it is listed.
  private var places = ConnectionPlaces()
  private var databases = KeptDatabases()
  private var advertisers: [AdvertisementEvent] = []
  private var devices = KnownDevices()
  private var diagnosis: Diagnosis
  private let rules: RuleSettings

  private var unlisted = 0
  private var hasRoom = true

  /// Of more connections than this, those without a sensor are only counted; of more with one, too.
  private static let mostConnections = 10_000

  /// More sensors than these in one capture are not told one by one.
  private static let mostAdvertisers = 1000

  /// Creates a builder.
  /// - Parameters:
  ///   - listsMeasurements: Whether each measurement is kept, or only their figures.
  ///   - rules: Which rules are asked.
  public init(listsMeasurements: Bool, rules: RuleSettings = RuleSettings()) {
    self.listsMeasurements = listsMeasurements
    self.rules = rules
    diagnosis = Diagnosis(rules)
    diagnosis.makeRoom()
  }

  /// The events that a summary needs.
  public var selection: EventSelection {
    // What only rules need comes with theirs.
    let others: EventSelection = [
      .controller, .notification, .indication, .write, .rssi, .pairing, .dialogue, .traffic,
      .advertised,
    ]
    let events = EventSelection.all.subtracting(others).union(diagnosis.selection)
    return listsMeasurements ? events.union(.measurementOctets) : events
  }

  /// Takes a measurement.
  @inline(__always)
  public mutating func note(_ measurement: HeartRateNotification, _ moment: Moment, connection: Int) {
    diagnosis.note(measurement, moment, connection: connection)
    guard let place = places[connection] else { return }
    connections[place].note(measurement, moment, lists: listsMeasurements)
  }

  /// Takes a value: devices say what they are.
  public mutating func note(_ value: CapturedValue, as way: ValueWay, _ moment: Moment, connection: Int) {
    diagnosis.note(value, as: way, moment, connection: connection)
    guard let place = places[connection] else { return }
    connections[place].note(value, moment)
  }

  /// Takes a signal's strength: only rules ask for it.
  public mutating func note(signalStrength: Int8, _ moment: Moment, connection: Int) {
    diagnosis.note(signalStrength: signalStrength, moment, connection: connection)
  }

  /// Takes an event. A measurement that comes as one must have its octets.
  public mutating func note(_ event: Event) {
    let kind = event.content.kind
    if kind != .heartRate { diagnosis.note(event) }
    switch kind {
    case .connected, .heartRate, .advertising: take(event)
    default:
      guard let number = event.connection, let place = places[number] else { return }
      connections[place].note(event)
      guard kind == .databases else { return }
      // Told when a connection ends: what its ends have said of themselves holds on later ones.
      devices.note(connections[place])
      connections[place].databases = databases.keep(connections[place])
    }
  }

  /// Takes what is no news of a connection that is known.
  private mutating func take(_ event: Event) {
    switch event.content {
    case .connected(let connected):
      var connection = ConnectionSummary(event, connected)
      connection.take(devices.known(connected))
      if let place = places[connection.id] {
        // The connection's making is reported after its first packets.
        connections[place].begin(connection)
      } else {
        list(connection)
      }
    case .heartRate(let measurement):
      guard let connection = event.connection else { return }
      measurement.lend { note($0, event.moment, connection: connection) }
    case .advertising(let advertisement):
      note(advertisement)
    default: break
    }
  }

  /// Takes an event that a filter leaves out: of a measurement, only that it came.
  mutating func leaveOut(_ event: Event) {
    guard case .heartRate(let measurement) = event.content, let place = event.connection.flatMap({ places[$0] }) else {
      return
    }
    connections[place].leaveOut(measurement, event.moment)
  }

  private mutating func list(_ connection: ConnectionSummary) {
    if hasRoom, connections.count == Self.mostConnections { makeRoom() }
    guard hasRoom else { return unlisted += 1 }
    places[connection.id] = connections.count
    connections.append(connection)
  }

  /// Connections that have ended, and on which no sensor was, go. Where there are few of those, no more are listed.
  private mutating func makeRoom() {
    let kept = connections.filter { $0.closed == nil || $0.heartRate != nil }
    hasRoom = kept.count < Self.mostConnections * 3 / 4
    guard hasRoom else { return }
    unlisted += connections.count - kept.count
    connections = kept
    places = ConnectionPlaces()
    for (place, connection) in kept.enumerated() { places[connection.id] = place }
  }

  private mutating func note(_ advertisement: AdvertisementEvent) {
    if let place = advertisers.firstIndex(where: { $0.address == advertisement.address }) {
      advertisers[place] = advertisement
    } else if advertisers.count < Self.mostAdvertisers {
      advertisers.append(advertisement)
    }
  }

  /// The summary, when the capture has ended.
  public consuming func summary(path: String, memberNames: [String] = [], facts: CaptureFacts) -> CaptureSummary {
    // Findings may be many: there is no copy of them.
    diagnosis.finish()
    var findings = diagnosis.takeFindings()
    findings += facts.findings(rules)
    for place in connections.indices {
      // What a device said of itself later holds of its earlier connections, too.
      if let later = devices.known(peerOf: connections[place]) { connections[place].peer.fillIn(from: later) }
    }
    var summary = CaptureSummary(
      path: path, memberNames: memberNames, facts: facts, connections: connections, advertisers: advertisers,
      findings: Causes.linked(findings), unlistedConnections: unlisted + facts.unfollowedConnections)
    summary.asksAllRules = rules.asksAll
    summary.unwatched = diagnosis.unwatched(of: connections.map(\.id))
    return summary
  }
}

package import BluetoothHost
package import CaptureAnalysis
package import GATTKit
package import Octets

/// What a capture comes to, as reports show it.
package func summary(
  of octets: [UInt8], listsMeasurements: Bool = false, rules: RuleSettings = RuleSettings(),
  knowing knowledge: CaptureKnowledge = CaptureKnowledge()
) throws(ParsingError) -> CaptureSummary {
  let builder = SummaryBuilder(listsMeasurements: listsMeasurements, rules: rules)
  var analyzer = Analyzer(into: builder, knowing: knowledge)
  try deliver(octets, .whole) { (span, isLast) throws(ParsingError) in try analyzer.read(span, isLast: isLast) }
  return analyzer.receiver.summary(path: "", facts: analyzer.facts)
}

extension HostSide {
  /// What is found in its capture, by one rule or by all.
  package func findings(
    of rule: String? = nil, in container: Container = .btsnoopH4
  ) throws(ParsingError) -> [Finding] {
    let findings = try summary(of: file(container)).findings
    return if let rule { findings.filter { $0.rule == rule } } else { findings }
  }

  /// The rules that find something in its capture, as often as they do.
  package func rules() throws(ParsingError) -> [String] { try findings().map(\.rule) }
}

extension CaptureSummary {
  /// The rules whose findings explain the first one of a rule; nil where there is none.
  package func causes(of rule: String) -> [String]? {
    findings.first { $0.rule == rule }?.causes.map { findings[$0].rule }
  }
}

/// What an `Analyzer` makes of an input.
package struct Analysis {
  /// All events, in order.
  package var events: [Event] = []
  /// What the capture is like.
  package var facts: CaptureFacts

  /// Analyzes a capture.
  package init(
    _ octets: [UInt8], _ delivery: Delivery = .whole, isLive: Bool = false,
    selection: EventSelection = [.all, .measurementOctets]
  ) throws(ParsingError) {
    var events: [Event] = []
    var analyzer = Analyzer(into: EventForwarder(selection: selection, { events.append($0) }), isLive: isLive)
    try deliver(octets, delivery) { (span, isLast) throws(ParsingError) in try analyzer.read(span, isLast: isLast) }
    self.events = events
    facts = analyzer.facts
  }

  /// The connections, each with what belongs to it, in order of appearance.
  package var connections: [AnalyzedConnection] {
    var connections: [AnalyzedConnection] = []
    for event in events {
      guard let id = event.connection else { continue }
      if connections.last(where: { $0.id == id }) == nil { connections.append(AnalyzedConnection(id: id)) }
      guard let place = connections.firstIndex(where: { $0.id == id }) else { continue }
      connections[place].events.append(event)
    }
    return connections
  }

  /// Every heart rate measurement of the capture, in order.
  package var measurements: [HeartRateEvent] { events.compactMap(\.content.heartRate) }
}

/// One connection and its events.
package struct AnalyzedConnection {
  /// Its number in order of appearance.
  package var id: Int
  /// Its events, in order.
  package var events: [Event] = []

  /// How it began.
  package var connected: ConnectedEvent? {
    // The last one: a connection whose making comes to light after its first packets tells twice.
    events.compactMap { if case .connected(let event) = $0.content { event } else { nil } }.last
  }

  /// The peer, as it is known in the end.
  package var peer: PeerIdentity? {
    events.reduce(into: connected?.peer) { known, event in
      guard case .peer(let peer) = event.content else { return }
      if let address = peer.address { known?.address = address }
      if let name = peer.name { known?.name = name }
    }
  }

  /// The measurements.
  package var measurements: [HeartRateEvent] { events.compactMap(\.content.heartRate) }

  /// The ATT_MTU of the unenhanced bearer, as it was agreed upon last.
  package var mtu: UInt16? {
    events.compactMap { if case .mtu(let event) = $0.content, !event.isEnhanced { event.mtu } else { nil } }.last
  }

  /// The reason of the disconnections, each wrapped: what is known of it.
  package var disconnections: [HCIErrorCode?] {
    events.compactMap { if case .disconnected(let event) = $0.content { .some(event.reason) } else { nil } }
  }

  /// The databases told at the end.
  package var databases: ConnectionDatabases? {
    events.compactMap { if case .databases(let event) = $0.content { event } else { nil } }.last
  }

  /// Whether encryption went on.
  package var isEncrypted: Bool {
    events.contains {
      if case .encryption(let change) = $0.content { change.status == .success && change.isEncrypted } else { false }
    }
  }

  /// Values that were read, as a map from type to the last octets.
  package func lastValue(_ uuid: BluetoothUUID) -> [UInt8]? {
    events.compactMap { event -> [UInt8]? in
      switch event.content {
      case .read(let value) where value.uuid == uuid: Array(value.octets)
      case .notification(let value) where value.uuid == uuid: Array(value.octets)
      default: nil
      }
    }.last
  }

  /// Subscriptions that were made.
  package var subscriptions: [SubscriptionEvent] {
    events.compactMap { if case .subscribed(let event) = $0.content { event } else { nil } }
  }

  /// What contradicted its definition.
  package var malformed: [MalformedEvent] {
    events.compactMap { if case .malformed(let event) = $0.content { event } else { nil } }
  }
}

extension EventContent {
  /// The measurement, if this is one.
  package var heartRate: HeartRateEvent? { if case .heartRate(let event) = self { event } else { nil } }
}

import BluetoothHost
import CaptureFiles

/// Lets the events through that a filter leaves.
public struct EventGate {
  private let filter: EventFilter
  private let leavesAll: Bool
  private let keepsBackground: Bool
  private var window: FilterWindow
  private var devices = MatchingDevices()

  /// Creates a gate at the start of a capture.
  /// - Parameter keepsBackground: Whether it is to be known of all connections what they are, since they are chosen at
  ///   the end, when it is known who the peers were; otherwise each event is judged by what is known so far.
  public init(_ filter: EventFilter, keepsBackground: Bool = false) {
    self.filter = filter
    leavesAll = filter.isEmpty
    self.keepsBackground = keepsBackground
    window = FilterWindow(filter, nil)
  }

  /// The events that tell who the peers are: they are needed beside those that are wanted.
  public var selection: EventSelection {
    filter.device == nil ? [] : EventSelection([.advertising, .connected, .peer, .read])
  }

  /// The first packet is there.
  public mutating func begin(_ start: CaptureStart) {
    window = FilterWindow(filter, start)
  }

  /// Whether an event is let through. Each must be shown, in order.
  public mutating func admits(_ event: Event) -> Bool {
    if leavesAll { return true }
    if let device = filter.device { devices.note(event, device) }
    return keepsBackground && isBackground(event) || isWanted(event)
  }

  /// Whether a finding about a record is let through, with its connection.
  public func admits(_ finding: Finding) -> Bool {
    guard finding.frame != nil, finding.time != nil else { return true }
    return window.overlaps(finding.beginning, finding.ending)
      && (finding.connection.map(isWanted) ?? (filter.connection == nil && filter.device == nil))
  }

  /// Takes over which connections are the device's, from who has seen all of them before.
  public mutating func know(_ scout: DeviceScout) {
    if filter.device != nil { devices = scout.devices }
  }

  /// The part of the capture that is let through, with how many of the findings about what is wanted lie outside of it;
  /// nil if that is all.
  /// - Parameter connections: Those that are wanted.
  func part(_ findings: [Finding], of connections: [ConnectionSummary]) -> ShownPart? {
    guard var part = window.part else { return nil }
    for connection in connections {
      // One that has not ended goes on behind it.
      let isWhole = window.contains(connection.first) && connection.closed.map(window.contains) ?? false
      if !isWhole { part.findingsOutside[connection.id] = 0 }
    }
    for finding in findings where finding.severity > .info && !admits(finding) {
      guard let connection = finding.connection, let others = part.findingsOutside[connection] else { continue }
      part.findingsOutside[connection] = others + finding.amount
    }
    return part
  }

  /// Whether an event says what a connection is, or what holds when the part begins.
  private func isBackground(_ event: Event) -> Bool {
    if case .parameters = event.content { return window.isAhead(of: event.moment) }
    return event.content.isBackground
  }

  private func isWanted(_ event: Event) -> Bool {
    guard window.contains(event.moment) else { return false }
    guard let connection = event.connection else {
      return filter.connection == nil && isOfDevice(event.content)
    }
    return isWanted(connection)
  }

  private func isWanted(_ connection: Int) -> Bool {
    if let wanted = filter.connection, connection != wanted { return false }
    return filter.device == nil || keepsBackground || devices.contains(connection: connection)
  }

  /// Whether an event that belongs to no connection is about the device that is wanted.
  private func isOfDevice(_ content: EventContent) -> Bool {
    guard let device = filter.device else { return true }
    switch content {
    case .advertising(let event):
      return isOfDevice(event.address, event.name, device)
        || event.identity.map { isOfDevice($0, nil, device) } ?? false
    case .advertised(let event): return isOfDevice(event.address, event.name, device)
    case .connectAttempt(let event): return event.peer.map { isOfDevice($0, nil, device) } ?? false
    default: return false
    }
  }

  private func isOfDevice(_ address: DeviceAddress, _ name: String?, _ device: DeviceQuery) -> Bool {
    device.matches(address: address, name: name) || devices.contains(address: address)
  }
}

extension EventGate {
  /// A summary with the connections that the filter leaves: each is judged by all that is known of it in the end. The
  /// findings must be those that are let through.
  public func filtered(_ summary: CaptureSummary) -> CaptureSummary {
    let files = summary.facts.members
    let end = Moment(
      frame: files.count > 1 ? files.last?.progress.records ?? 0 : summary.facts.records,
      time: summary.facts.lastTime ?? Timestamp(microseconds: .max), member: files.count > 1 ? files.count - 1 : nil)
    var summary = summary
    // What is found of a connection may last longer than it: that another one followed at once, and one more.
    let told = Set(summary.findings.compactMap(\.connection))
    let hidden = summary.connections.filter { connection in
      // Where the clock was set back, its times do not tell whether it has something there.
      let isInPart =
        window.overlaps(connection.first, connection.closed ?? end) || told.contains(connection.id)
        || (connection.heartRate?.statistics.measurements ?? 0) > 0
      return !isWanted(connection.id) || !isInPart || !isOfDevice(connection)
    }
    summary.hiddenConnections = hidden.map(HiddenConnection.init)
    let hiddenNumbers = Set(hidden.map(\.id))
    summary.connections.removeAll { hiddenNumbers.contains($0.id) }
    let left = Set(summary.connections.map(\.id))
    summary.findings.removeAll { $0.connection.map { !left.contains($0) } ?? false }
    return summary
  }
}

extension EventGate {
  private func isOfDevice(_ connection: ConnectionSummary) -> Bool {
    guard let device = filter.device else { return true }
    return devices.contains(connection: connection.id) || device.matches(connection)
      || connection.lastingAddress.map { devices.contains(address: $0) } ?? false
  }
}

extension EventContent {
  /// Whether it says what a connection is, rather than what happened on it.
  fileprivate var isBackground: Bool {
    switch self {
    case .dialogue(.clockStep): true
    case .heartRate, .controller, .advertising, .advertised, .connectAttempt, .parameters, .parameterRequest,
      .command, .pairing, .malformed, .attError, .dialogue:
      false
    case .adapter, .connected, .peer, .transport, .phy, .dataLength, .encryption, .rssi, .version, .mtu, .service,
      .characteristic, .read, .write, .subscribed, .unsubscribed, .notification, .indication, .databases, .inferred,
      .traffic, .disconnected:
      true
    }
  }
}

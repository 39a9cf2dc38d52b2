import BluetoothHost
import GATTKit

/// The connections and addresses that are known, so far, to be of the device that is wanted.
struct MatchingDevices {
  private var connections: Set<Int> = []
  private var addresses: Set<DeviceAddress> = []
  /// The addresses of connections, for what is told later.
  private var peers: [Int: PeerIdentity] = [:]

  /// More than are open at once; a file with more is made to exhaust memory.
  private static let most = 1 << 16

  func contains(connection: Int) -> Bool {
    connections.contains(connection) || peers[connection].map(areKnown) ?? false
  }

  func contains(address: DeviceAddress) -> Bool { addresses.contains(address) }

  mutating func note(_ event: Event, _ device: DeviceQuery) {
    switch event.content {
    case .advertising(let seen):
      if device.matches(address: seen.address, name: seen.name) { note(seen.address) }
    case .connected(let connected):
      note(connected.peer, of: event.connection, device)
    case .peer(let identity):
      note(identity, of: event.connection, device)
    case .read(let value) where value.uuid == .deviceName && value.server == .peer:
      note(
        PeerIdentity(address: nil, name: String(decoding: value.octets, as: UTF8.self)), of: event.connection, device)
    default: break
    }
  }

  private mutating func note(_ told: PeerIdentity, of connection: Int?, _ device: DeviceQuery) {
    guard let connection else { return }
    if peers.count >= Self.most { peers.removeAll() }
    var peer = peers[connection] ?? PeerIdentity()
    (peer.address, peer.identity) = (told.address ?? peer.address, told.identity ?? peer.identity)
    peers[connection] = peer
    peer.name = told.name
    guard device.matches(peer) || areKnown(peer) else { return }
    // Numbers only grow: what is forgotten is long past.
    if connections.count >= Self.most { connections.removeAll() }
    connections.insert(connection)
    if let address = peer.address { note(address) }
    if let identity = peer.identity { note(identity) }
  }

  private func areKnown(_ peer: PeerIdentity) -> Bool {
    peer.address.map(addresses.contains) ?? false || peer.identity.map(addresses.contains) ?? false
  }

  private mutating func note(_ address: DeviceAddress) {
    if addresses.count < Self.most { addresses.insert(address) }
  }
}

/// Finds out which connections are the device's that is wanted, where a capture is read before it is shown.
public final class DeviceScout {
  private let filter: EventFilter
  private(set) var devices = MatchingDevices()

  /// Creates a scout that has seen nothing.
  public init(_ filter: EventFilter) {
    self.filter = filter
  }

  /// Takes the events of the capture; none if no device was asked for.
  public var receiver: EventForwarder {
    guard let device = filter.device else { return EventForwarder(selection: []) }
    return EventForwarder(selection: EventGate(filter).selection, { [self] event in devices.note(event, device) })
  }
}

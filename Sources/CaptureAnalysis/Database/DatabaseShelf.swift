import BluetoothHost
import GATTKit

/// The GATT databases of a capture: one for each peer of each adapter, kept across its connections, and one for each
/// adapter's own server. Never one for two peers.
struct DatabaseShelf {
  /// Where a database stands.
  struct Place: Hashable {
    fileprivate let index: Int
  }

  private var databases: [GATTDatabase] = []
  /// How often any of the databases may have changed.
  private(set) var edition = 1
  private var peers: [Peer: Place] = [:]
  private var adapters: [UInt16: Place] = [:]

  private struct Peer: Hashable {
    let adapter: UInt16
    let address: DeviceAddress
  }

  /// The database of a peer's server; a new one where the peer is not known.
  mutating func place(ofPeer address: DeviceAddress?, adapter: UInt16) -> Place {
    guard let address else { return newPlace() }
    let peer = Peer(adapter: adapter, address: address)
    if let place = peers[peer] { return place }
    let place = newPlace()
    peers[peer] = place
    return place
  }

  /// The database of a peer of which something was learned before it was known who it is. What is new counts more than
  /// what an earlier connection told.
  mutating func place(_ place: Place, becomesPeers address: DeviceAddress?, adapter: UInt16) -> Place {
    guard let address else { return place }
    if databases[place.index].isEmpty { return self.place(ofPeer: address, adapter: adapter) }
    peers[Peer(adapter: adapter, address: address)] = place
    return place
  }

  /// The database of an adapter's own server.
  mutating func place(ofAdapter adapter: UInt16) -> Place {
    if let place = adapters[adapter] { return place }
    let place = newPlace()
    adapters[adapter] = place
    return place
  }

  private mutating func newPlace() -> Place {
    databases.append(GATTDatabase())
    return Place(index: databases.count - 1)
  }

  subscript(place: Place) -> GATTDatabase {
    _read { yield databases[place.index] }
    _modify {
      edition &+= 1
      yield &databases[place.index]
    }
  }
}

import BluetoothHost
import GATTKit

/// The databases that the summaries of connections keep. A server that has the same on connection after connection takes
/// memory once, and all together only so much.
struct KeptDatabases {
  /// The last of each pair of servers whose addresses are known.
  private var last: [ConnectedDevice: ConnectionDatabases] = [:]
  /// How many attributes they know.
  private var attributes = 0

  /// More than any capture tells of: a file with more is made to exhaust memory.
  private static let mostAttributes = 300_000

  /// What is kept of a connection's databases; nil if they are not known, or take too much.
  mutating func keep(_ connection: ConnectionSummary) -> ConnectionDatabases? {
    guard let databases = connection.databases else { return nil }
    let peer = ConnectedDevice(.peer, of: connection)
    if let known = peer.flatMap({ last[$0] }), known == databases { return known }
    let count = databases.peer.count + databases.local.count
    guard attributes + count <= Self.mostAttributes else { return nil }
    attributes += count
    // Of most peers of a file with very many, nothing is known.
    if let peer, count > 0 { last[peer] = databases }
    return databases
  }
}

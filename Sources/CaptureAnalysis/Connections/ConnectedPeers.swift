/// On which handles peers are connected, as far as it is known who they are.
struct ConnectedPeers {
  private var handles: [RemoteServer: [UInt16]] = [:]

  /// The handles of the connections with a peer: over Low Energy there is one, unless ends are missing.
  subscript(peer: RemoteServer) -> [UInt16] { handles[peer] ?? [] }

  mutating func insert(_ peer: RemoteServer?, on handle: UInt16) {
    if let peer { handles[peer, default: []].append(handle) }
  }

  mutating func remove(_ peer: RemoteServer?, on handle: UInt16) {
    guard let peer, var left = handles.removeValue(forKey: peer) else { return }
    left.removeAll { $0 == handle }
    if !left.isEmpty { handles[peer] = left }
  }
}

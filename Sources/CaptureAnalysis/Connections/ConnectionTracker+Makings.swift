import BluetoothHost
import CaptureFiles

// What the making of one connection tells of another, or of the same.

extension ConnectionTracker {
  /// Whether the making of a connection has been reported already: some controllers send LE Connection Complete and LE
  /// Enhanced Connection Complete, one upon the other. Only the latter tells whose a private address is.
  mutating func isRepeated(_ made: ConnectionComplete, _ adapter: UInt16) -> Bool {
    guard let place = place(adapter, made.connectionHandle), links[place].isLowEnergy == made.isLowEnergy,
      links[place].isJustMade(at: context.time), let peer = made.peer, let known = links[place].known,
      made.role == nil || made.role == known.role,
      peer == known.peer || peer.isResolvable || known.peer.isResolvable
    else { return false }
    if made.privatePeer == known.peer { links[place].channels.identify(peer, &context) }
    return true
  }

  /// A peer is connected over Low Energy: if a connection with it has not ended in the capture, it has all the same. Two
  /// devices have no more than one.
  mutating func endEarlier(than event: ConnectedEvent) {
    guard event.isLowEnergy == true, let peer = event.remoteServer else { return }
    for place in places(of: peer) where links[place].handle != event.handle {
      close(place, reason: nil)
      links[place].endElsewhere()
    }
  }

  /// The open links with a peer.
  private mutating func places(of peer: RemoteServer) -> [Int] {
    peers[peer].compactMap { place(peer.adapter, $0) }.filter { links[$0].peer == peer }.sorted()
  }

  /// The open links with whoever has an address, over either transport.
  mutating func places(of address: DeviceAddress, _ adapter: UInt16) -> [Int] {
    let peer = RemoteServer(adapter: adapter, address: address, isLowEnergy: true)
    return (places(of: peer) + places(of: peer.otherTransport)).sorted()
  }
}

extension Link {
  /// Whether its making was reported a moment before, and nothing has come of it since.
  func isJustMade(at time: Timestamp) -> Bool {
    wasMade && hearing.isEmpty && time.isTold && abs(time.seconds(since: startedAt)) <= LateRun.longestGap
  }
}

import BluetoothHost
import CaptureFiles

// What the making of one connection tells of another, or of the same.

extension ConnectionTracker {
  /// Whether the making of a connection has been reported already: some controllers send LE Connection Complete and LE
  /// Enhanced Connection Complete, one upon the other. Only the latter tells whose a private address is.
  mutating func isRepeated(_ made: ConnectionComplete, _ adapter: UInt16) -> Bool {
    guard made.isLowEnergy, let place = place(adapter, made.connectionHandle),
      links[place].isJustMade(at: context.time), let peer = made.peer, let known = links[place].known?.peer,
      peer == known || peer.isResolvable || known.isResolvable
    else { return false }
    if made.privatePeer == known { links[place].identify(peer, &context) }
    return true
  }

  /// A peer is connected over Low Energy: if a connection with it has not ended in the capture, it has all the same. Two
  /// devices have no more than one.
  mutating func endEarlier(than event: ConnectedEvent) {
    guard event.isLowEnergy == true, let peer = event.remoteServer else { return }
    for place in links.indices
    where links[place].closedAt == nil && links[place].handle != event.handle && links[place].peer == peer {
      close(place, reason: nil)
      links[place].endElsewhere()
    }
  }
}

extension Link {
  /// Whether its making was reported a moment before, and nothing has come of it since.
  func isJustMade(at time: Timestamp) -> Bool {
    wasMade && lastReceived == nil && lastSent == nil && time.isTold
      && (0...LateRun.longestGap).contains(time.seconds(since: startedAt))
  }
}

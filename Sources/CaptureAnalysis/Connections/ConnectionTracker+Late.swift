import BluetoothHost
import CaptureFiles

// Data and events take different ways from the controller to the host: data may come behind the end of their connection,
// and before the making of theirs. Where a handle is given away at once, they may be either's.

extension ConnectionTracker {
  /// Tells that a connection was made, or was there. Where a channel turns out to be open whose opening is not in the
  /// capture, records of it are missing.
  mutating func tell(_ event: ConnectedEvent, _ place: Int) {
    let connection = links[place].id
    context.tell(.connected(event), connection: connection)
    guard let channels = context.knowledge.channels[connection] else { return }
    if event.wasSeen { context.tell(.dialogue(.lost), connection: connection) }
    if channels.contains(where: { !$0.isCreditBased }) { links[place].channels.learn(isLowEnergy: false, &context) }
  }

  /// Whether a packet is one of a connection that has ended.
  @inline(never)
  mutating func takesLate(_ place: Int, _ direction: Direction?) -> Bool {
    guard let closedAt = links[place].closedAt, links[place].isOpen(at: context.time) else { return false }
    // Who asks for another connection knows of the end: what it sends is for that one, be its making in the capture or not.
    if direction == .sent, let asked = attempts.begun(links[place].adapter), asked >= closedAt {
      links[place].end()
      return false
    }
    if context.knowledge.lateEnds.contains(context.place) {
      links[place].end()
      return false
    }
    links[place].noteLate(context.moment)
    return true
  }

  /// A connection takes the handle of one that has ended. What came last may have been its own already, which is known
  /// where the capture is read again.
  mutating func takeOver(_ ended: Link, _ new: inout Link) {
    guard let late = ended.late, late.isNearer(to: context.time) else { return }
    context.conclusions.noteLateEnd(at: late.first.place)
    new.hasEarlierData = true
  }

  /// Whether an end is that of the connection that had the handle before, which had none when this one was made, and of this
  /// one nothing was heard yet: the two were reported the other way round.
  mutating func isOfReplaced(_ ended: DisconnectionComplete, _ place: Int) -> Bool {
    guard let replacedAt = links[place].replacedAt else { return false }
    links[place].replacedAt = nil
    // Whoever is never heard has a reason of its own.
    return ended.reason != .connectionFailedToBeEstablished && links[place].hearing.isEmpty && context.time.isTold
      && abs(context.time.seconds(since: replacedAt)) <= LateRun.longestGap
  }
}

import BluetoothHost
import CaptureFiles

// Where records are missing, or may be, what was unfinished may stay so; and a connection may have ended unseen, and
// another one have been made on its handle.

extension ConnectionTracker {
  /// Records were lost: what is unfinished behind damage stays so. Of those that the capture itself lost nobody can tell
  /// whether they were a part of it.
  mutating func noteLoss(isDamage: Bool) {
    advertisers.noteLoss()
    for place in links.indices {
      // What waits was asked before.
      links[place].tellQuiet(&context)
      if isDamage { links[place].noteLoss(at: context.time) } else { links[place].noteDrop(at: context.time) }
      if links[place].closedAt == nil { context.tell(.dialogue(.lost), connection: links[place].id) }
    }
  }

  /// Something was said, or a connection ended, of which too little is left to tell on which it was.
  mutating func noteHidden() {
    guard hidden.areDue(at: context.frame, connections: links.count) else { return }
    for place in links.indices where links[place].closedAt == nil { noteHidden(place) }
  }

  /// A connection may have lost something so.
  mutating func noteHidden(_ place: Int) {
    links[place].noteDrop(at: context.time)
    context.tell(.dialogue(.lost), connection: links[place].id)
  }

  /// Records may be missing in which connections ended, and others began. It is said of each where that was so, once what
  /// came behind has told it.
  mutating func noteHole() {
    acceptLists.noteHole()
    let record = RecordPlace(frame: context.frame, member: context.member)
    for place in links.indices where links[place].closedAt == nil {
      let end = LostEnd(adapter: links[place].adapter, handle: links[place].handle, before: record)
      guard context.knowledge.lostEnds.contains(end) else {
        links[place].note(Hole(end, heardAt: links[place].heardAt, at: context.time))
        continue
      }
      replaced.insert(AdapterHandle(adapter: end.adapter, handle: end.handle))
      close(place, reason: nil)
      links[place].endInHole()
    }
  }

  /// A peer's controller is the same on each of its connections.
  mutating func note(_ version: RemoteVersionInformation, _ adapter: UInt16) {
    guard let place = place(adapter, version.connectionHandle) else { return }
    links[place].note(version, &context)
    context.tell(.version(version), connection: links[place].id)
  }
}

/// Packets of which nobody knows whose they are. All connections are told of them, which must not take long where there
/// are many of both: not for each packet, then, but once for as many as there are connections, and at a connection's end.
struct HiddenPackets {
  /// Whether there were some since all connections were told.
  private(set) var arePending = false
  private var toldAt: Int?

  /// There is one more.
  /// - Returns: Whether it is time to tell all connections.
  mutating func areDue(at frame: Int, connections: Int) -> Bool {
    let isTime = toldAt.map { (frame &- $0).magnitude >= connections } ?? true
    if isTime { toldAt = frame }
    arePending = !isTime
    return isTime
  }
}

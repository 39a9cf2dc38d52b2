/// Counts a connection's packets to the peer: those that its controller completes must be in the capture.
///
/// Data and events take different ways to who logs them: a packet may stand behind the word that it is complete. What
/// a further word still lacks, or the connection's end, is not in the capture.
struct PacketCount {
  /// How many that are in the capture the controller has still to complete; below 0, how many it lacks.
  private var uncompleted = 0
  /// The most that were lacking at once.
  private var missing = 0
  /// How many of them are known not to be in the capture.
  private var unlogged = 0
  /// Where those stand that may still come.
  private var awaited: RecordSpan?
  /// Whether there is anything to compare with: from the connection's beginning on, nothing was lost.
  private var isFromBeginning: Bool

  init(isFromBeginning: Bool) {
    self.isFromBeginning = isFromBeginning
  }

  /// A packet to the peer is in the capture.
  @inline(__always)
  mutating func noteSent() { uncompleted &+= 1 }

  /// Records were lost: from here on nobody knows how many there were.
  mutating func noteLoss() { isFromBeginning = false }

  /// The controller has sent packets, or flushed them.
  /// - Returns: Whether it lacks some.
  @inline(__always)
  mutating func note(completed count: Int) -> Bool {
    guard isFromBeginning else { return false }
    uncompleted &-= count
    return uncompleted < 0
  }

  /// It lacks some.
  /// - Parameter isLogged: Whether the capture holds data at all: else none are told.
  /// - Returns: Whether it did not before, or fewer.
  mutating func noteMissing(at moment: Moment, isLogged: Bool) -> Bool {
    let more = -uncompleted - missing
    guard more > 0 else { return false }
    missing += more
    if isLogged { awaited.extend(to: moment, count: more) } else { unlogged += more }
    return true
  }

  /// Those that are not in the capture, beyond those of before: what was lacking when the controller counted last, and is
  /// still; nil if there are none.
  mutating func takeUnlogged() -> RecordSpan? {
    let more = min(missing, -uncompleted) - unlogged
    guard isFromBeginning, more > 0, let awaited = awaited.end() else { return nil }
    unlogged += more
    if awaited.count > more {
      self.awaited = RecordSpan(from: awaited.first, to: awaited.last, count: awaited.count - more)
    }
    return RecordSpan(from: awaited.first, to: awaited.last, count: more)
  }
}

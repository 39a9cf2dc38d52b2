/// Counts a connection's packets to the peer: those that its controller completes must be in the capture.
struct PacketCount {
  /// How many that are in the capture the controller has still to complete.
  private var uncompleted = 0
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
  /// - Returns: How many of them are not in the capture.
  @inline(__always)
  mutating func note(completed count: Int) -> Int {
    guard isFromBeginning else { return 0 }
    uncompleted &-= count
    guard uncompleted < 0 else { return 0 }
    defer { uncompleted = 0 }
    return -uncompleted
  }
}

import CaptureFiles

/// Counts a connection's packets to the peer: those that its controller completes must be in the capture.
struct PacketCount {
  /// How many that are in the capture the controller has still to complete.
  private var uncompleted = 0
  /// Whether there is anything to compare with: from the connection's beginning on, nothing was lost.
  private var isFromBeginning: Bool
  /// When it was told last that packets are not in the capture; nil if it never was.
  private var toldAt: Timestamp?

  init(isFromBeginning: Bool) {
    self.isFromBeginning = isFromBeginning
  }

  /// Whether it was told that packets are not in the capture.
  var lacksSome: Bool { toldAt != nil }

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

  /// Packets are not in the capture.
  /// - Returns: Whether to tell it: where it goes on and on, it is not told for each of them.
  mutating func tell(at time: Timestamp) -> Bool {
    if let toldAt, (0..<Self.newsAfter).contains(time.seconds(since: toldAt)) { return false }
    toldAt = time
    return true
  }

  /// In seconds.
  private static let newsAfter = 0.5
}

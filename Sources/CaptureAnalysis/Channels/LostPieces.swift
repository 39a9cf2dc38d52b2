import CaptureFiles

/// Which pieces of a connection's PDUs may be missing: what is wrong with the rest is excused then.
///
/// Of records that a capture lost nobody knows whose they were. What is unfinished waits for its rest all the same, and is
/// given up when that comes too late; behind damage, and where the connection ends, at once.
struct LostPieces {
  /// When records were lost last, as far as the capture tells; nil if none were.
  private var lostAt: Timestamp?
  /// Whether pieces that went this way may be among the records that were lost last: until another PDU begins.
  private var mayLack = BothDirections(false)

  /// Records were lost, of this connection or another.
  mutating func noteLoss(at time: Timestamp) {
    lostAt = time
    mayLack = BothDirections(true)
  }

  /// A PDU begins in pieces: those of others have nothing to do with it.
  @inline(__always)
  mutating func noteStart(_ direction: Direction) {
    mayLack[direction] = false
  }

  /// Whether the rest of a PDU is among records that were lost: what comes now is not of one that began so long ago.
  /// - Parameter start: When the last PDU that went this way began; nil if none did.
  @inline(__always)
  func include(restOf start: Timestamp?, at time: Timestamp) -> Bool {
    guard let lostAt, let start, start <= lostAt else { return false }
    return time.seconds(since: start) > Self.longestPause
  }

  /// In seconds: the pieces of a PDU, and of an SDU, follow each other in neighbouring connection events. Where nothing is
  /// missing as far as the capture tells, it is rather the clock that was set between them.
  static let longestPause = 0.5

  /// Whether pieces need not fit: others are missing, or what they are of began before anything that is known. Where a PDU
  /// has begun since records were lost, what follows is not of one before it.
  /// - Parameters:
  ///   - isContinuation: Whether they do not begin a PDU.
  ///   - start: When the last PDU that went this way began; nil if none did.
  ///   - wasSeen: Whether the making of the connection was.
  @inline(__always)
  func excuse(_ direction: Direction, isContinuation: Bool, since start: Timestamp?, wasSeen: Bool) -> Bool {
    guard mayLack[direction], let lostAt else { return start == nil && !wasSeen }
    return !isContinuation || start.map { $0 <= lostAt } ?? true
  }
}

import CaptureFiles

/// A connection that ended in a hole of the capture.
struct LostEnd: Hashable, Sendable {
  /// The handle that it had.
  let handle: AdapterHandle
  /// The first record behind the hole.
  let record: RecordPlace
}

/// Where records are missing in which a connection may have ended, and another one begun on its handle.
struct Hole {
  /// The end that would be there.
  let end: LostEnd
  /// How many records are missing in it; of more than matter, not how many more.
  private var missing: Int
  /// When the record behind it was captured.
  private let time: Timestamp
  /// When the connection was heard last before; nil where the time since cannot be told.
  private var heardAt: Timestamp?
  /// When something was heard on its handle for the first time since; nil where nothing was.
  private var heardAgainAt: Timestamp?

  /// The end of a connection is a record, and the making of another one is, as are an answer and the next request: fewer
  /// hide no change.
  static let leastMissing = 2
  /// In seconds: to end, to be found again and to be made takes a connection longer.
  private static let shortestSilence = 0.5
  /// In seconds: what a host asks each time that it connects, it has asked by then.
  private static let longestBeginning = 10.0

  init(_ end: LostEnd, missing: Int, heardAt: Timestamp, at time: Timestamp) {
    (self.end, self.missing, self.time) = (end, missing, time)
    let isInOrder = heardAt.isTold && time.isTold && time.seconds(since: heardAt) >= -CaptureSpan.longestOverlap
    self.heardAt = isInOrder ? heardAt : nil
  }

  /// Whether a connection may have been replaced where nothing at all is in the capture for so many seconds.
  static func mayBe(inPause pause: Double) -> Bool { pause > shortestSilence }

  /// For how long, in seconds, nothing of the connection is in the capture at least.
  private var silence: Double { heardAt.map { time.seconds(since: $0) } ?? 0 }

  /// Another one comes behind it: where nothing was heard between, a connection may have ended in this one, and the next
  /// begun in that one.
  func joined(by next: Hole) -> Hole {
    var next = next
    if heardAgainAt == nil { next.missing &+= missing }
    return next
  }

  /// Whether what begins now may have begun in this one rather than in another one behind it: of several that follow each
  /// other, the one around which the connection was silent longest is meant.
  func outweighs(_ next: Hole) -> Bool {
    let distance = next.time.seconds(since: time)
    guard isWide, (0..<Self.longestBeginning).contains(distance) else { return false }
    return !next.isWide || distance < Self.longestBeginning / 2 && silence > next.silence
  }

  /// Whether two records have room in it, as an end and a making, or an answer and another request.
  var isWide: Bool { missing >= Self.leastMissing }

  /// Whether a connection that has just begun may have been made in it.
  func mayHide(at now: Timestamp) -> Bool {
    guard isWide else { return false }
    guard let heardAt else { return true }
    let silence = (heardAgainAt ?? now).seconds(since: heardAt)
    return silence > Self.shortestSilence && now.seconds(since: time) < Self.longestBeginning
  }

  /// Something comes on the handle: whoever it is of, no connection is made after this.
  mutating func noteHeard(at time: Timestamp) {
    if heardAgainAt == nil { heardAgainAt = time }
  }

  mutating func noteClockStep() { heardAt = nil }
}

/// Records from one to another: of each file of a capture by its own numbers, or of certain files.
public struct RecordRange: Sendable {
  /// The first and the last record, each counted from 1.
  public let frames: (first: Int, last: Int)
  /// The files that these two stand in, from 0; nil where records of each file are meant.
  public let members: (first: Int, last: Int)?

  /// Records of each file.
  public init(_ frames: ClosedRange<Int>) {
    self.frames = (frames.lowerBound, frames.upperBound)
    members = nil
  }

  /// Records from one of a file to one of the same or another; nil if that comes before.
  public init?(from first: (member: Int, frame: Int), to last: (member: Int, frame: Int)) {
    guard first <= last else { return nil }
    frames = (first.frame, last.frame)
    members = (first.member, last.member)
  }

  /// Whether a record is among them. The only file of a capture is its first.
  func contains(_ moment: Moment) -> Bool {
    guard let members else { return frames.first <= moment.frame && moment.frame <= frames.last }
    let place = (moment.member ?? 0, moment.frame)
    return (members.first, frames.first) <= place && place <= (members.last, frames.last)
  }

  /// Whether what lasted from one record to another has any of them.
  func overlaps(_ first: Moment, _ last: Moment) -> Bool {
    if let members {
      return (first.member ?? 0, first.frame) <= (members.last, frames.last)
        && (members.first, frames.first) <= (last.member ?? 0, last.frame)
    }
    let (beginsEarlyEnough, endsLateEnough) = (first.frame <= frames.last, frames.first <= last.frame)
    // Each file has records of its own: what lasts from one into another has the end of the one, and the other's
    // beginning.
    return first.member == last.member ? beginsEarlyEnough && endsLateEnough : beginsEarlyEnough || endsLateEnough
  }
}

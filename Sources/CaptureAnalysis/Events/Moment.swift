public import CaptureFiles

/// Where something stands in a capture: the record that completed it, and its time.
public struct Moment: Hashable, Sendable, BitwiseCopyable {
  /// The record, counted from 1.
  public let frame: Int
  /// Its time.
  public let time: Timestamp
  /// The file it stands in, from 0; nil if the capture has only one.
  public var member: Int? { file < 0 ? nil : Int(file) }
  // Moments are kept and handed on for every measurement: -1 takes less than nil.
  private let file: Int32

  /// A moment from its parts.
  public init(frame: Int, time: Timestamp, member: Int? = nil) {
    self.frame = frame
    self.time = time
    file = Int32(clamping: member ?? -1)
  }

  /// One of two: the first where the mask's bits are set, the second where they are not. There is no branch in it.
  @inline(__always)
  static func choice(_ mask: Int, _ first: Moment, _ second: Moment) -> Moment {
    Moment(
      frame: first.frame & mask | second.frame & ~mask,
      time: first.time.microseconds & Int64(mask) | second.time.microseconds & ~Int64(mask),
      file: first.file & Int32(truncatingIfNeeded: mask) | second.file & ~Int32(truncatingIfNeeded: mask))
  }

  /// Which record it is.
  var place: RecordPlace { RecordPlace(frame: frame, member: member) }

  private init(frame: Int, time: Int64, file: Int32) {
    (self.frame, self.time, self.file) = (frame, Timestamp(microseconds: time), file)
  }

  /// No record: what none shows, of one file or of all, comes before all records.
  static func nowhere(in member: Int? = nil) -> Moment { Moment(frame: -1, time: .unknown, member: member) }

  /// Before all others.
  static var none: Moment { Moment(frame: 0, time: Timestamp(microseconds: 0)) }
}

extension Moment: Comparable {
  /// In the order of the files, and in each of the records.
  public static func < (left: Moment, right: Moment) -> Bool {
    left.file == right.file ? left.frame < right.frame : left.file < right.file
  }
}

public import CaptureFiles

/// How one file of a capture has been read.
public struct MemberProgress: Sendable {
  /// Its place among the capture's files, from 0; nil if there is only one.
  public let member: Int?
  /// How far it was read, and what stood in the way.
  public internal(set) var progress = CaptureProgress()
  /// Records that it says it lost.
  public internal(set) var droppedRecords: UInt64 = 0
  /// Why reading ended before the file did, in words; nil if it did not.
  public internal(set) var interruption: String?

  /// Whether nothing was skipped and the last record is whole.
  public var isComplete: Bool { progress.isComplete && interruption == nil }
}

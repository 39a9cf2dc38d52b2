public import CaptureFiles

/// How one file of a capture has been read.
public struct MemberProgress: Sendable {
  /// Its place among the capture's files, from 0; nil if there is only one.
  public let member: Int?
  /// How far it was read, and what stood in the way.
  public internal(set) var progress = CaptureProgress()
  /// Packets that could not be read though their records could.
  var unread = UnreadPackets()
  /// Records that it says it lost.
  public internal(set) var droppedRecords: UInt64 = 0
  /// Why reading ended before the file did, in words; nil if it did not.
  public internal(set) var interruption: String?
  /// Why its octets are not to be trusted although they were read, in words; nil if nothing says so.
  public internal(set) var doubt: String?
  /// How many carriage returns a terminal had put before each line feed of it, which were taken out again.
  public internal(set) var insertedReturns = 0

  /// Octets that could not be read.
  var skippedOctets: Int { progress.skippedOctets + unread.octets }

  /// Whether nothing was skipped, the last record is whole, and no checksum says otherwise.
  public var isComplete: Bool { progress.isComplete && unread.isComplete && interruption == nil && doubt == nil }
}

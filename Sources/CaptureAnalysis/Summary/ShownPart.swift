public import CaptureFiles

/// Which part of a capture a summary is about, where records or moments were asked for.
public struct ShownPart: Sendable {
  /// The records that were asked for; nil if any.
  public let frames: RecordRange?
  /// The first moment that was asked for; nil if any.
  public let from: Timestamp?
  /// The last one; nil if any.
  public let to: Timestamp?
  /// How many findings, other than of what is only worth knowing, lie outside of the part, by the connection: of each
  /// that does, too, in part.
  var findingsOutside: [Int: Int] = [:]
}

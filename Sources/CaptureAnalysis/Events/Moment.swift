public import CaptureFiles

/// Where something stands in a capture: the record that completed it, and its time.
public struct Moment: Hashable, Sendable {
  /// The record, counted from 1.
  public let frame: Int
  /// Its time.
  public let time: Timestamp
}

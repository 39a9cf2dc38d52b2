public import CaptureFiles

/// Where a capture's time begins.
public struct CaptureStart: Sendable {
  /// When its first packet was captured.
  public let time: Timestamp
  /// What its times count from.
  public let clock: CaptureClock
}

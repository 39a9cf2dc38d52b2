public import CaptureFiles

/// How the time stamps of a capture are shown: what they count from, and which time zone was asked for.
public struct ClockReading: Sendable {
  private let stamps: CaptureClock
  private let zone: TimeZoneRule?

  /// The reading of a capture's clock.
  /// - Parameter zone: nil if none was asked for.
  public init(_ stamps: CaptureClock, zone: TimeZoneRule?) {
    self.stamps = stamps
    self.zone = zone
  }

  /// A time stamp as the clock on the wall showed it, where it is to be shown.
  public func wall(_ stamp: Timestamp) -> Timestamp {
    guard stamps == .utc, let zone else { return stamp }
    return zone.wall(stamp)
  }

  /// What to call the zone of `wall(_:)`.
  public var zoneName: String {
    switch stamps {
    case .utc: zone?.name ?? "UTC"
    case .local: "the device's local time"
    case .unknown: "unknown time zone"
    }
  }

  /// The time stamps of a moment that someone wrote down: the first and the last, where clocks showed it twice.
  /// - Parameters:
  ///   - written: Its date and its time of day.
  ///   - offset: The microseconds that its zone is ahead of UTC; nil where none is written, which is the zone that is
  ///     shown.
  func stamps(_ written: Timestamp, offset: Int64?) -> ClosedRange<Timestamp> {
    switch (stamps, zone, offset) {
    case (.utc, _, let offset?):
      let stamp = written.advanced(byMicroseconds: -offset)
      return stamp...stamp
    case (.utc, let zone?, nil): return zone.moments(written)
    // Where the capture's zone is not known, its times are compared as they stand.
    default: return written...written
    }
  }
}

public import CaptureFiles

/// How the time stamps of a capture are read: what its clock counted from, and which time zone was asked for.
///
/// A zone says in which zone times are shown; and of a capture whose clock was not UTC it says in which zone its times
/// are to be read.
public struct ClockReading: Sendable {
  private let stamps: CaptureClock
  private let zone: TimeZoneRule?

  /// The reading of a capture's clock.
  /// - Parameter zone: nil if none was asked for.
  public init(_ stamps: CaptureClock, zone: TimeZoneRule?) {
    self.stamps = stamps
    self.zone = zone
  }

  /// What the times of `utc(_:)` count from.
  public var clock: CaptureClock { zone == nil ? stamps : .utc }

  /// A time stamp in UTC, as far as that can be known.
  public func utc(_ stamp: Timestamp) -> Timestamp {
    guard stamps != .utc, let zone else { return stamp }
    return zone.utc(stamp)
  }

  /// A time stamp as the clock on the wall showed it, where it is to be shown.
  public func wall(_ stamp: Timestamp) -> Timestamp {
    guard stamps == .utc, let zone else { return stamp }
    return zone.wall(stamp)
  }

  /// What to call the zone of `wall(_:)`.
  public var zoneName: String {
    if let zone { return zone.name }
    switch stamps {
    case .utc: return "UTC"
    case .local: return "the device's local time"
    case .unknown: return "unknown time zone"
    }
  }

  /// The time stamp of a moment that someone wrote down.
  /// - Parameters:
  ///   - written: Its date and its time of day.
  ///   - offset: The microseconds that its zone is ahead of UTC; nil where none is written, which is the zone that is
  ///     shown.
  func stamp(_ written: Timestamp, offset: Int64?) -> Timestamp {
    switch (stamps, zone, offset) {
    case (.utc, _, let offset?): written.advanced(byMicroseconds: -offset)
    case (.utc, let zone?, nil): zone.utc(written)
    case (.local, let zone?, let offset?), (.unknown, let zone?, let offset?):
      zone.wall(written.advanced(byMicroseconds: -offset))
    // Where the capture's zone is not known, its times are compared as they stand.
    default: written
    }
  }
}

public import CaptureFiles

/// A time zone: how far its clocks are ahead of UTC, at any moment.
public struct TimeZoneRule: Sendable {
  /// What reports call it, such as "+02:00".
  public let name: String
  private let offset: @Sendable (Timestamp) -> Int64

  /// A zone from its rule.
  /// - Parameter offset: The microseconds that its clocks are ahead at a moment of UTC.
  public init(name: String, offset: @escaping @Sendable (_ utc: Timestamp) -> Int64) {
    self.name = name
    self.offset = offset
  }

  /// A zone whose clocks are always as far ahead of UTC.
  public init(name: String, microseconds: Int64) {
    self.init(name: name) { _ in microseconds }
  }

  /// Coordinated universal time.
  public static let utc = TimeZoneRule(name: "UTC", microseconds: 0)

  /// What the zone's clocks show at a moment of UTC.
  func wall(_ utc: Timestamp) -> Timestamp { utc.advanced(byMicroseconds: offset(utc)) }

  /// When the zone's clocks show a time. In the hour that is shown twice in autumn it is the first.
  func utc(_ wall: Timestamp) -> Timestamp {
    // The offset belongs to UTC, which is what is looked for: the second guess is right but for the hour of the change.
    let guess = wall.advanced(byMicroseconds: -offset(wall))
    return wall.advanced(byMicroseconds: -offset(guess))
  }
}

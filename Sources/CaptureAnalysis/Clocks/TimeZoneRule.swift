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

  /// When the zone's clocks show a time. In autumn they show an hour twice, and in spring they leave one out, which is
  /// either by the clocks of before or by those of behind: of such a time it is the earlier and the later moment.
  func moments(_ wall: Timestamp) -> ClosedRange<Timestamp> {
    let before = offset(wall.advanced(byMicroseconds: -Self.day))
    let behind = offset(wall.advanced(byMicroseconds: Self.day))
    let (first, second) = (wall.advanced(byMicroseconds: -before), wall.advanced(byMicroseconds: -behind))
    if before == behind { return first...first }
    return switch (offset(first) == before, offset(second) == behind) {
    case (true, false): first...first
    case (false, true): second...second
    default: min(first, second)...max(first, second)
    }
  }

  /// Clocks are changed once in two days at most, and are never so far from UTC. In microseconds.
  private static let day: Int64 = 86_400_000_000
}

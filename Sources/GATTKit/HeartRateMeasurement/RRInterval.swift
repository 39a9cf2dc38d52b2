/// The time between two heart beats, in units of 1/1024 s: 1024 is a second, not 1000.
///
/// HRS 1.0, 3.1.1.4.
@frozen public struct RRInterval: RawRepresentable, Hashable, Sendable {
  /// The interval as sent, in units of 1/1024 s.
  public var rawValue: UInt16

  /// An interval in units of 1/1024 s.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The nearest interval to a time in milliseconds, within 0 and 63999 ms.
  @inlinable public init(milliseconds: Double) {
    let units = milliseconds * 1.024 + 0.5
    // Written so that NaN, too, ends as 0.
    self.rawValue = units > 0 ? UInt16(min(units, 65535)) : 0
  }

  /// The nearest interval to a time in seconds, within 0 and 63.999 s.
  @inlinable public init(seconds: Double) { self.init(milliseconds: seconds * 1000) }

  /// The interval in milliseconds, exact: a unit is 0.9765625 ms.
  @inlinable public var milliseconds: Double { Double(rawValue) * 0.976_562_5 }

  /// The interval in seconds, exact.
  @inlinable public var seconds: Double { Double(rawValue) / 1024 }
}

extension RRInterval: Comparable {
  /// The shorter interval comes first.
  @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension RRInterval: CustomStringConvertible {
  /// The value as sent, and in milliseconds: "1000 (976.563 ms)".
  public var description: String { "\(rawValue) (\(milliseconds.text(decimals: 3)) ms)" }
}

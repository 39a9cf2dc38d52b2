/// A moment, in microseconds since 1970-01-01 00:00:00, as the capture's clock showed it.
@frozen public struct Timestamp: Hashable, Sendable, Comparable, BitwiseCopyable {
  /// Microseconds since 1970-01-01 00:00:00 UTC.
  public var microseconds: Int64

  /// Creates a moment from microseconds since 1970.
  @inlinable public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// No moment at all: of a record whose header says none that can be. What comes with it came when the record before did.
  @inlinable public static var unknown: Timestamp { Timestamp(microseconds: .min) }

  /// Whether it is told: where a capture has no times, all are 0.
  @inlinable public var isTold: Bool { microseconds != 0 && self != .unknown }

  /// The seconds from `earlier` to this moment; negative if it lies before it.
  @inlinable public func seconds(since earlier: Timestamp) -> Double {
    Double(microseconds &- earlier.microseconds) / 1_000_000
  }

  /// The microseconds from `earlier` to this moment; negative if it lies before it, nil if it is not told, and if they
  /// are too many to count.
  @inlinable public func microseconds(since earlier: Timestamp) -> Int64? {
    let (passed, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
    return isTold && !overflow ? passed : nil
  }

  /// This moment, some microseconds later; it stays at the end of time rather than overflow.
  @inlinable public func advanced(byMicroseconds step: Int64) -> Timestamp {
    let (sum, overflow) = microseconds.addingReportingOverflow(step)
    return Timestamp(microseconds: overflow ? (step > 0 ? .max : .min) : sum)
  }

  /// Whether one moment lies before another.
  @inlinable public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
}

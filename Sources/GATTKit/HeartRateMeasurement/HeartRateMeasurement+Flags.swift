extension HeartRateMeasurement {
  /// What a measurement holds, and in which format.
  ///
  ///      7   6   5    4    3    2    1    0
  ///     +-----------+----+----+----+----+----+
  ///     | reserved  | RR | EE | contact | 16 |
  ///     +-----------+----+----+----+----+----+
  ///
  /// HRS 1.0, 3.1.1.1.
  @frozen public struct Flags: OptionSet, Hashable, Sendable {
    /// The flags as sent, reserved bits too.
    public let rawValue: UInt8

    /// Flags as sent.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The heart rate is a UINT16; else a UINT8.
    @inlinable public static var uint16Format: Self { Self(rawValue: 1 << 0) }
    /// Skin contact is detected; it means something only with `contactSupport`.
    @inlinable public static var contactStatus: Self { Self(rawValue: 1 << 1) }
    /// The sensor can tell whether it has skin contact.
    @inlinable public static var contactSupport: Self { Self(rawValue: 1 << 2) }
    /// The Energy Expended field is present.
    @inlinable public static var energyExpended: Self { Self(rawValue: 1 << 3) }
    /// One RR-Interval or more are present.
    @inlinable public static var rrIntervals: Self { Self(rawValue: 1 << 4) }

    /// The bits that are reserved for future use and to be ignored.
    @inlinable public static var reserved: Self { Self(rawValue: 0b1110_0000) }

    /// What the two contact bits say together.
    @inlinable public var contact: Contact {
      guard contains(.contactSupport) else { return .unsupported }
      return contains(.contactStatus) ? .detected : .notDetected
    }

    /// The octets of the fields up to the RR-Intervals, these flags included: 2 to 5.
    @inlinable public var fixedLength: Int {
      2 &+ (contains(.uint16Format) ? 1 : 0) &+ (contains(.energyExpended) ? 2 : 0)
    }
  }

  /// Whether the sensor feels skin.
  ///
  /// HRS 1.0, 3.1.1.1.2.
  @frozen public enum Contact: CaseIterable, Hashable, Sendable {
    /// The sensor cannot tell, whatever its status bit says.
    case unsupported
    /// The sensor can tell, and there is no contact, or a poor one.
    case notDetected
    /// The sensor has contact.
    case detected
  }
}

extension HeartRateMeasurement.Contact: CustomStringConvertible {
  /// "unsupported", "not detected" or "detected".
  public var description: String {
    switch self {
    case .unsupported: "unsupported"
    case .notDetected: "not detected"
    case .detected: "detected"
    }
  }
}

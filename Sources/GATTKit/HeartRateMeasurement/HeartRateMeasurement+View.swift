public import Octets

extension HeartRateMeasurement {
  /// A measurement nothing is wrong with, read where it lies: nothing is copied, and nothing allocated.
  ///
  /// For whoever looks at millions of them once. HRS 1.0, 3.1.1.
  @frozen public struct View: ~Escapable, BitwiseCopyable {
    @usableFromInline let octets: OctetWindow
    /// The flags as sent.
    public let flags: Flags

    /// Looks at a value.
    /// - Returns: nil if the octets contradict the flags: `HeartRateMeasurement.Reading` tells how.
    @inlinable @inline(__always) @_lifetime(copy octets)
    public init?(_ octets: Span<UInt8>) {
      let all = OctetWindow(octets)
      guard all.count >= 2 else { return nil }
      flags = Flags(rawValue: all.uint8(at: 0))
      let left = all.count &- flags.fixedLength
      guard flags.contains(.rrIntervals) ? left > 0 && left & 1 == 0 : left == 0 else { return nil }
      self.octets = all
    }

    /// The heart rate in beats a minute.
    @inlinable @inline(__always) public var beatsPerMinute: UInt16 {
      flags.contains(.uint16Format) ? octets.uint16(at: 1) : UInt16(octets.uint8(at: 1))
    }

    /// The energy expended in kilojoules; nil if it was not sent.
    @inlinable @inline(__always) public var energyExpended: UInt16? {
      flags.contains(.energyExpended) ? octets.uint16(at: flags.contains(.uint16Format) ? 3 : 2) : nil
    }

    /// Whether the sensor feels skin.
    @inlinable public var contact: Contact { flags.contact }

    /// How many RR-Intervals there are.
    @inlinable public var rrCount: Int { (octets.count &- flags.fixedLength) &>> 1 }

    /// The first four RR-Intervals, the first in the lowest bits; zeros where there are fewer.
    @inlinable @inline(__always) public var firstRRIntervals: UInt64 {
      let count = rrCount
      guard count > 0 else { return 0 }
      // As many octets as are loaded at once lie before the end: the flags, a rate, and these.
      if count <= 2 { return UInt64(octets.uint32(at: octets.count &- 4) >> UInt32(32 &- 16 &* count)) }
      if count <= 4 { return octets.uint64(at: octets.count &- 8) >> UInt64(64 &- 16 &* count) }
      return octets.uint64(at: flags.fixedLength)
    }

    /// Calls a function with each RR-Interval, oldest first.
    @inlinable @inline(__always)
    public func forEachRRInterval(_ body: (RRInterval) -> Void) {
      var index = flags.fixedLength
      while index < octets.count {
        body(RRInterval(rawValue: octets.uint16(at: index)))
        index &+= 2
      }
    }
  }
}

public import Octets

extension HeartRateMeasurement {
  /// A measurement nothing is wrong with, of which the octets stay where they are: nothing is allocated, and of the
  /// RR-Intervals only the first four are copied, of which there hardly ever are more.
  ///
  /// For whoever looks at millions of them once: what differs from one to the next is decoded without a branch, as far as
  /// it can be. HRS 1.0, 3.1.1.
  @frozen public struct View: ~Escapable, BitwiseCopyable {
    @usableFromInline let octets: Span<UInt8>
    /// The first four RR-Intervals, the first in the lowest bits; zeros where there are fewer.
    public let firstRRIntervals: UInt64
    /// How many RR-Intervals there are.
    public let rrCount: Int
    /// The flags as sent.
    public let flags: Flags
    /// The heart rate in beats a minute.
    public let beatsPerMinute: UInt16
    /// Of no meaning where the flags tell of none.
    @usableFromInline let energy: UInt16

    /// Looks at a value.
    /// - Returns: nil if the octets contradict the flags: `HeartRateMeasurement.Reading` tells how.
    @inlinable @inline(__always) @_lifetime(copy octets)
    public init?(_ octets: Span<UInt8>) {
      let all = OctetWindow(octets)
      guard all.count >= 2 else { return nil }
      let word = all.word(at: 0)
      // Each flag a number, 0 or 1, to compute with.
      let isLong = Int(truncatingIfNeeded: word) & 1
      let hasEnergy = Int(truncatingIfNeeded: word >> 3) & 1
      let hasIntervals = Int(truncatingIfNeeded: word >> 4) & 1
      let fixed = 2 &+ isLong &+ 2 &* hasEnergy
      let left = all.count &- fixed
      // As many octets as the flags ask for, and at least one interval where there are to be any.
      guard left >= 0, left & 1 == 0, (left > 0 ? 1 : 0) == hasIntervals else { return nil }
      self.octets = octets
      flags = Flags(rawValue: UInt8(truncatingIfNeeded: word))
      beatsPerMinute = UInt16(truncatingIfNeeded: word >> 8) & (0xFF | 0xFF00 &* UInt16(truncatingIfNeeded: isLong))
      energy = UInt16(truncatingIfNeeded: word >> (16 &+ 8 &* UInt64(truncatingIfNeeded: isLong)))
      rrCount = left &>> 1
      if all.count <= 8 {
        firstRRIntervals = word >> (8 &* UInt64(truncatingIfNeeded: fixed))
      } else {
        let start = min(fixed, all.count &- 8)
        firstRRIntervals = all.uint64(at: start) >> (8 &* UInt64(truncatingIfNeeded: fixed &- start))
      }
    }

    /// The energy expended in kilojoules; nil if it was not sent.
    @inlinable @inline(__always) public var energyExpended: UInt16? {
      flags.contains(.energyExpended) ? energy : nil
    }

    /// Whether the sensor feels skin.
    @inlinable public var contact: Contact { flags.contact }

    /// Calls a function with each RR-Interval, oldest first.
    @inlinable @inline(__always)
    public func forEachRRInterval(_ body: (RRInterval) -> Void) {
      if rrCount > 4 { return forEachOfMany(body) }
      RRIntervals.forEach(firstRRIntervals, rrCount, body)
    }

    @inline(never) @usableFromInline
    func forEachOfMany(_ body: (RRInterval) -> Void) {
      var index = flags.fixedLength
      while index &+ 1 < octets.count {
        body(RRInterval(rawValue: octets.uint16(at: index)))
        index &+= 2
      }
    }
  }
}

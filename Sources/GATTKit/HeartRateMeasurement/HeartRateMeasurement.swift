/// A heart rate measurement as a sensor notifies it, characteristic 2A37.
///
///      1       1 or 2                 0 or 2            0, 2, 4 …
///     +-------+----------------------+-----------------+--------------+
///     | Flags | Heart Rate (bpm)     | Energy Expended | RR-Intervals |
///     +-------+----------------------+-----------------+--------------+
///
/// All numbers are little-endian. The flags follow the fields: whoever sets a field need not touch them.
///
/// Two are equal if they are sent as the same octets: one in the UINT16 format is none in UINT8, whatever the rate, and what
/// means nothing, a status bit without support and reserved bits, counts. To compare what they say, compare their fields.
///
/// HRS 1.0, 3.1.1.
@frozen public struct HeartRateMeasurement: Hashable, Sendable {
  @usableFromInline var rr: RRIntervals
  @usableFromInline var rate: UInt16
  /// Zero where `flags` has no energy, so that equal measurements are equal.
  @usableFromInline var energy: UInt16
  @usableFromInline var bits: Flags

  /// The fields of one measurement.
  /// - Parameters:
  ///   - beatsPerMinute: The heart rate; it is sent as a UINT8 up to 255 and as a UINT16 above.
  ///   - contact: Whether the sensor feels skin.
  ///   - energyExpended: The energy expended since the last reset, in kilojoules; nil to leave it out.
  ///   - rrIntervals: The intervals since the last measurement, oldest first; `rrCapacity(inOctets:)` tells how many can be
  ///     sent.
  @inlinable public init(
    beatsPerMinute: UInt16, contact: Contact = .unsupported, energyExpended: UInt16? = nil,
    rrIntervals: RRIntervals = []
  ) {
    bits = []
    rate = 0
    energy = 0
    rr = []
    self.beatsPerMinute = beatsPerMinute
    self.contact = contact
    self.energyExpended = energyExpended
    self.rrIntervals = rrIntervals
  }

  /// The fields of one measurement, of any list of intervals.
  /// - Parameters:
  ///   - beatsPerMinute: The heart rate; it is sent as a UINT8 up to 255 and as a UINT16 above.
  ///   - contact: Whether the sensor feels skin.
  ///   - energyExpended: The energy expended since the last reset, in kilojoules; nil to leave it out.
  ///   - rrIntervals: The intervals since the last measurement, oldest first.
  @_disfavoredOverload
  @inlinable public init(
    beatsPerMinute: UInt16, contact: Contact = .unsupported, energyExpended: UInt16? = nil,
    rrIntervals: some Sequence<RRInterval>
  ) {
    self.init(
      beatsPerMinute: beatsPerMinute, contact: contact, energyExpended: energyExpended,
      rrIntervals: RRIntervals(rrIntervals))
  }
}

// MARK: - Fields

extension HeartRateMeasurement {
  /// The flags as sent, reserved bits too.
  @inlinable public var flags: Flags { bits }

  /// The heart rate in beats a minute. A value above 255 makes the format UINT16; none makes it UINT8 again.
  ///
  /// HRS 1.0, 3.1.1.2.
  @inlinable public var beatsPerMinute: UInt16 {
    get { rate }
    set {
      rate = newValue
      if newValue > 255 { bits.insert(.uint16Format) }
    }
  }

  /// Whether the heart rate is sent as a UINT16. Values above 255 have no other format: there it stays true.
  ///
  /// HRS 1.0, 3.1.1.1.1.
  @inlinable public var usesUInt16Format: Bool {
    get { bits.contains(.uint16Format) }
    set {
      if newValue || rate > 255 { bits.insert(.uint16Format) } else { bits.remove(.uint16Format) }
    }
  }

  /// Whether the sensor feels skin. Without support the status bit says nothing, and `unsupported` it is.
  ///
  /// HRS 1.0, 3.1.1.1.2.
  @inlinable public var contact: Contact {
    get { bits.contact }
    set {
      bits.subtract([.contactStatus, .contactSupport])
      if newValue != .unsupported { bits.insert(.contactSupport) }
      if newValue == .detected { bits.insert(.contactStatus) }
    }
  }

  /// The energy expended since the last reset, in kilojoules: nil if the measurement does not tell. It stays at 65535
  /// once it gets there.
  ///
  /// HRS 1.0, 3.1.1.3.
  @inlinable public var energyExpended: UInt16? {
    get { bits.contains(.energyExpended) ? energy : nil }
    set {
      energy = newValue ?? 0
      if newValue == nil { bits.remove(.energyExpended) } else { bits.insert(.energyExpended) }
    }
  }

  /// The intervals since the last measurement, oldest first.
  ///
  /// HRS 1.0, 3.1.1.4.
  @inlinable public var rrIntervals: RRIntervals {
    get { rr }
    set {
      rr = newValue
      if newValue.isEmpty { bits.remove(.rrIntervals) } else { bits.insert(.rrIntervals) }
    }
  }

  /// How many RR-Intervals can be sent with the other fields as they are; those that are left are for the next measurement.
  /// - Parameter length: How many octets there are: a notification carries ATT_MTU − 3, which Core Bluetooth's
  ///   `CBCentral.maximumUpdateValueLength` tells. Of the least, 20, there is room for nine intervals; for eight beside a
  ///   UINT16 or the energy, and for seven beside both. Of more than 512, the most that an attribute holds, only these
  ///   are used.
  ///
  /// HRS 1.0, 3.1.1.4. Core 6.0, Vol 3, Part F, 3.2.9 and 3.4.7.1.
  @inlinable public func rrCapacity(inOctets length: Int) -> Int {
    let fixed = bits.fixedLength
    return (max(min(length, 512), fixed) - fixed) / 2
  }
}

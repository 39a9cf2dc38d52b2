extension HeartRateMeasurement {
  /// What can be told of a measurement that may be wrong, or that a capture may have cut short: the fields before the
  /// fault, and the fault.
  ///
  /// The lax twin of `HeartRateMeasurement`. Two things are kept apart. A value whose octets, **as sent**, contradict
  /// its flags has an `error`. A value of which the capture kept only the beginning `isCut`: that is no error of the
  /// sensor, but the fields behind the cut are unknown, and nil.
  ///
  /// The flags and the two lengths tell which fields there are and what is wrong, so nothing else is stored. Two are equal if
  /// that is, and if they have the same `origin`.
  @frozen public struct Reading: Hashable, Sendable {
    /// The measurement, as far as it is known; zeros where it is not.
    @usableFromInline let measurement: HeartRateMeasurement
    /// How many octets were sent.
    @usableFromInline let length: UInt16
    /// How many of them are there.
    @usableFromInline let kept: UInt16
    /// Where the value begins, in octets from the start of the input.
    public let origin: Int

    /// Reads what there is of a value. It never fails, whatever it is given; `error` says what was wrong.
    ///
    /// A value that is longer than 65535 octets, which no attribute is, is read as if it ended there.
    /// - Parameters:
    ///   - octets: The octets of the value that were kept.
    ///   - length: How many octets were sent: more than were kept if the capture cut the value.
    ///   - origin: Where the value begins, in octets from the start of the input: what the `offset` of an error counts from.
    @inlinable @inline(__always) public init(lax octets: Span<UInt8>, length: Int, origin: Int = 0) {
      self.length = UInt16(clamping: length)
      self.kept = UInt16(clamping: min(octets.count, length))
      self.origin = origin
      if length == octets.count, let usual = HeartRateMeasurement(usual: octets) {
        measurement = usual
      } else {
        measurement = HeartRateMeasurement(unusual: octets, length: length)
      }
    }

    /// Reads a value all of whose octets are there. It never fails; `error` says what was wrong.
    ///
    /// A value that is longer than 65535 octets, which no attribute is, is read as if it ended there.
    @inlinable public init(lax octets: some Collection<UInt8>) {
      self = octets.withOctets { Self(lax: $0, length: $0.count) }
    }
  }
}

// MARK: - Fields

extension HeartRateMeasurement.Reading {
  /// The flags as sent; nil if not even they are there.
  @inlinable @inline(__always) public var flags: HeartRateMeasurement.Flags? { kept > 0 ? measurement.bits : nil }

  /// The heart rate in beats a minute; nil if it is not there.
  @inlinable @inline(__always) public var beatsPerMinute: UInt16? {
    kept >= (measurement.bits.contains(.uint16Format) ? 3 : 2) ? measurement.rate : nil
  }

  /// Whether the sensor feels skin; nil if the flags are not there.
  @inlinable @inline(__always) public var contact: HeartRateMeasurement.Contact? { flags?.contact }

  /// The energy expended in kilojoules; nil if it was not sent, or is not there.
  @inlinable @inline(__always) public var energyExpended: UInt16? {
    kept >= measurement.bits.fixedLength ? measurement.energyExpended : nil
  }

  /// The intervals, oldest first: empty if none were sent, nil if the capture kept too little or the fault came before
  /// them.
  @inlinable @inline(__always) public var rrIntervals: RRIntervals? {
    hasAllRRIntervals ? measurement.rr : nil
  }

  /// Whether `rrIntervals` are there, without a copy of them.
  @inlinable @inline(__always) package var hasAllRRIntervals: Bool {
    guard let rrCount else { return false }
    return rrCount == 0 || !isCut
  }

  /// Calls a function with each of `keptRRIntervals`, without a copy of them.
  @inlinable @inline(__always) package func forEachKeptRRInterval(_ body: (RRInterval) -> Void) {
    measurement.rr.forEach(body)
  }

  /// The intervals that are there, oldest first, even if the capture cut off others.
  @inlinable @inline(__always) public var keptRRIntervals: RRIntervals { measurement.rr }

  /// How many whole intervals were sent, known from the length even where the capture cut them away; nil if the flags
  /// are not there or the fault came before the intervals.
  @inlinable @inline(__always) public var rrCount: Int? {
    let left = Int(length) &- measurement.bits.fixedLength
    guard kept > 0, left >= 0 else { return nil }
    return measurement.bits.contains(.rrIntervals) ? left &>> 1 : 0
  }

  /// Whether the capture kept less of the value than was sent.
  @inlinable @inline(__always) public var isCut: Bool { kept < length }

  /// The measurement, if nothing is wrong with it and nothing is missing.
  @inlinable @inline(__always) public var whole: HeartRateMeasurement? { isCut || isMalformed ? nil : measurement }
}

// MARK: - In words

extension HeartRateMeasurement.Reading {
  /// What is there of the measurement in words, a field each.
  public var fields: [ValueField] {
    HeartRateMeasurement.fields(flags, beatsPerMinute, contact, energyExpended, keptRRIntervals)
  }
}

extension HeartRateMeasurement.Reading: CustomStringConvertible {
  /// Its fields in a line, then what is wrong: "…, Sensor Contact: detected, error: RR-Interval needs 2 octets, 1 left".
  public var description: String {
    (fields.map(\.description) + (error.map { ["error: \($0)"] } ?? [])).joined(separator: ", ")
  }
}

public import Octets

extension HeartRateMeasurement: AttributeValue {
  /// The name of the characteristic.
  @inlinable public static var name: StaticString { "Heart Rate Measurement" }

  /// Reads a measurement that makes up all of the reader's octets: nothing else tells how many RR-Intervals there are.
  ///
  /// Reserved flags are kept in `flags` and otherwise ignored.
  /// - Throws: `ParsingError` if the octets contradict the flags: too few of them, half an RR-Interval, no RR-Interval
  ///   although the flags announce some, or octets left over.
  @inlinable public init(parsing reader: inout OctetReader) throws(ParsingError) {
    let origin = reader.offset
    let octets = reader.rest()
    let reading = Reading(lax: octets, length: octets.count, origin: origin)
    if let error = reading.error { throw error }
    self = reading.measurement
  }

  /// Appends the measurement as it is sent.
  public func encode(into octets: inout [UInt8]) {
    octets.append(bits.rawValue)
    if bits.contains(.uint16Format) {
      octets.append(littleEndian: rate)
    } else {
      octets.append(UInt8(truncatingIfNeeded: rate))
    }
    if bits.contains(.energyExpended) { octets.append(littleEndian: energy) }
    rr.encode(into: &octets)
  }

  /// The measurement in words.
  public var fields: [ValueField] {
    Self.fields(bits, rate, contact, energyExpended, rr)
  }

  /// What is there of a measurement in words, a field each.
  static func fields(
    _ flags: Flags?, _ rate: UInt16?, _ contact: Contact?, _ energy: UInt16?, _ intervals: RRIntervals
  ) -> [ValueField] {
    var fields: [ValueField] = []
    if let flags { fields.append(flags.field) }
    if let rate { fields.append(ValueField("Heart Rate Measurement Value", "\(rate)", unit: "bpm")) }
    if let contact { fields.append(ValueField("Sensor Contact", "\(contact)")) }
    if let energy { fields.append(ValueField("Energy Expended", "\(energy)", unit: "kJ")) }
    return fields + intervals.map { ValueField("RR-Interval", "\($0)") }
  }
}

extension HeartRateMeasurement.Flags {
  /// The flags in words: "0xE0, with reserved bits".
  public var field: ValueField {
    ValueField("Flags", "0x" + rawValue.hexadecimal + (isDisjoint(with: .reserved) ? "" : ", with reserved bits"))
  }
}

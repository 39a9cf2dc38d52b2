import Octets

extension OctetReader {
  /// Reads a field of bits that is as long as there are octets, the least significant first; those behind the eighth are
  /// passed over.
  /// - Throws: `ParsingError` if there is none.
  @_lifetime(self: copy self)
  mutating func bitField(_ field: StaticString) throws(ParsingError) -> UInt64 {
    var bits = UInt64(try uint8(field))
    let rest = rest()
    for place in 0..<min(rest.count, 7) { bits |= UInt64(rest[place]) << UInt64(8 * (place + 1)) }
    return bits
  }
}

extension [UInt8] {
  /// Appends a field of bits, the least significant octet first: one, and as many as there are up to the last bit that is
  /// set.
  mutating func append(bitField bits: UInt64) {
    append(UInt8(truncatingIfNeeded: bits))
    var rest = bits >> 8
    while rest > 0 {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}

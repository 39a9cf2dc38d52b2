public import Octets

// A connection handle has 12 bits, in fields of 16: what stands above it is something else, or reserved.

extension UInt16 {
  /// The connection handle in such a field.
  @inlinable @inline(__always) public var connectionHandle: UInt16 { self & 0xFFF }
}

extension OctetReader {
  /// Reads a connection handle.
  /// - Throws: `ParsingError` if fewer than two octets are left.
  @_lifetime(self: copy self)
  public mutating func connectionHandle(_ field: StaticString = "Connection_Handle") throws(ParsingError) -> UInt16 {
    try uint16(field).connectionHandle
  }
}

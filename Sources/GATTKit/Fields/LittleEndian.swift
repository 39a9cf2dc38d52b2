extension [UInt8] {
  /// Appends a number, least significant octet first.
  mutating func append<Integer: FixedWidthInteger>(littleEndian value: Integer) {
    for shift in stride(from: 0, to: Integer.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
    }
  }
}

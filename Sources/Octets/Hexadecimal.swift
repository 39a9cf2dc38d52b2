extension FixedWidthInteger where Self: UnsignedInteger {
  /// The number in upper-case hexadecimal, with all its digits: "180D", "0001ABCD".
  package var hexadecimal: String {
    let digits = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }

  /// Reads hexadecimal digits in either case: nil if there are none, too many, or anything else among them.
  package init?(hexadecimal digits: some Collection<UInt8>) {
    guard !digits.isEmpty, digits.count <= Self.bitWidth / 4 else { return nil }
    var value: Self = 0
    for digit in digits {
      guard let nibble = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      value = value << 4 | Self(nibble)
    }
    self = value
  }
}

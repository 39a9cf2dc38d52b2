extension FixedWidthInteger where Self: UnsignedInteger {
  /// The number in upper-case hexadecimal, with all its digits: "180D", "0001ABCD".
  package var hexadecimal: String {
    let digits = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }

  /// Reads hexadecimal digits in either case: nil if there are none, too many, or anything else among them.
  @inlinable package init?(hexadecimal digits: some Collection<UInt8>) {
    guard !digits.isEmpty, digits.count <= Self.bitWidth / 4 else { return nil }
    var value: Self = 0
    for digit in digits {
      guard let number = digit.ofHexadecimalDigit else { return nil }
      value = value << 4 | Self(number)
    }
    self = value
  }
}

extension UInt64 {
  /// Its lowest octets, the most significant one first: "E0:9E:1A:2C:5A:11".
  package func hexadecimal(ofOctets count: Int) -> String {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: self >> UInt64(8 * $0)).hexadecimal }.joined(separator: ":")
  }
}

extension UInt8 {
  /// What a hexadecimal digit stands for, in either case; nil if this is none.
  @usableFromInline var ofHexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// Octets written as people write them: "16 48 e8 03". Anything that is no hexadecimal digit is a mistake in the test.
package func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }.map { digit in
    guard let value = digit.hexDigitValue else { fatalError("\(digit) is no hexadecimal digit in \(text)") }
    return UInt8(value)
  }
  precondition(digits.count.isMultiple(of: 2), "half an octet in \(text)")
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

extension Sequence<UInt8> {
  /// The octets as lower-case digits without spaces.
  package var hexadecimal: String {
    map { octet in (octet < 16 ? "0" : "") + String(octet, radix: 16) }.joined()
  }
}

extension FixedWidthInteger {
  /// The octets of the number, least significant first.
  package var little: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }

  /// The octets of the number, most significant first.
  package var big: [UInt8] { little.reversed() }
}

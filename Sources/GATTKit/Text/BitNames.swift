extension OptionSet where RawValue: FixedWidthInteger & UnsignedInteger, Element == Self {
  /// The names of the bits that are set with commas, then the others as a number: "notification, reserved 0x8000".
  /// - Parameter none: What is said where none is set.
  func words(_ names: [(bit: Self, name: String)], none: String) -> String {
    var parts = names.filter { contains($0.bit) }.map(\.name)
    let reserved = subtracting(Self(names.map(\.bit)))
    if !reserved.isEmpty {
      var digits = Substring(reserved.rawValue.hexadecimal)
      // Of a field that may be long, the octets that there are.
      while RawValue.bitWidth > 16, digits.count > 2, digits.hasPrefix("00") { digits = digits.dropFirst(2) }
      parts.append("reserved 0x\(digits)")
    }
    return parts.isEmpty ? none : parts.joined(separator: ", ")
  }
}

extension BluetoothUUID: CustomStringConvertible {
  /// The shortest form in upper case: "180D", "0001ABCD" or "6E400001-B5A3-F393-E0A9-E50E24DCCA9E".
  public var description: String {
    switch shortestLength {
    case 2: UInt16(truncatingIfNeeded: high >> 32).hexadecimal
    case 4: UInt32(truncatingIfNeeded: high >> 32).hexadecimal
    default: longDescription
    }
  }

  /// The 128-bit form, whatever the length of the shortest: "0000180D-0000-1000-8000-00805F9B34FB".
  public var longDescription: String {
    let parts = [
      UInt32(truncatingIfNeeded: high >> 32).hexadecimal,
      UInt16(truncatingIfNeeded: high >> 16).hexadecimal,
      UInt16(truncatingIfNeeded: high).hexadecimal,
      UInt16(truncatingIfNeeded: low >> 48).hexadecimal,
      String(low.hexadecimal.suffix(12)),
    ]
    return parts.joined(separator: "-")
  }
}

extension BluetoothUUID: LosslessStringConvertible {
  /// Reads a UUID as people write it, in either case: "2A37", "0x2A37", "0001ABCD", or the 128-bit form with its hyphens
  /// or with none. Anything else is nil.
  public init?(_ text: String) {
    var digits = text.utf8[...]
    let isPrefixed = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
    if isPrefixed { digits = digits.dropFirst(2) }
    switch digits.count {
    case 4:
      guard let short = UInt16(hexadecimal: digits) else { return nil }
      self.init(short)
    case 8:
      guard let short = UInt32(hexadecimal: digits) else { return nil }
      self.init(short)
    case 32, 36:
      guard !isPrefixed, let plain = Self.withoutHyphens(digits),
        let high = UInt64(hexadecimal: plain.prefix(16)), let low = UInt64(hexadecimal: plain.suffix(16))
      else { return nil }
      self.init(high: high, low: low)
    default:
      return nil
    }
  }

  /// The 32 digits of a 128-bit UUID: nil if its hyphens are not where they belong.
  private static func withoutHyphens(_ text: Substring.UTF8View) -> [UInt8]? {
    let octets = Array(text)
    guard octets.count == 36 else { return octets }
    let hyphen = UInt8(ascii: "-")
    guard [8, 13, 18, 23].allSatisfy({ octets[$0] == hyphen }) else { return nil }
    let digits = octets.filter { $0 != hyphen }
    return digits.count == 32 ? digits : nil
  }
}

extension BluetoothUUID: Codable {
  /// Reads a UUID from its text.
  /// - Throws: `DecodingError` if it is no text, or the text no UUID.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let uuid = Self(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no UUID")
    }
    self = uuid
  }

  /// Writes the UUID as its shortest text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

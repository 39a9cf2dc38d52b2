import Octets

/// Base64, as RFC 4648 has it, in lines of any length, and through the hands of mailers: quoted, or quoted-printable as
/// RFC 2045, 6.7, has it.
struct Base64Decoder {
  /// What has been decoded.
  private(set) var octets = ContiguousArray<UInt8>()
  private var bits: UInt32 = 0
  private var count = 0
  /// What these were where the line began.
  private var atLine: (octets: Int, bits: UInt32, count: Int) = (0, 0, 0)
  /// How many characters the line has so far.
  private(set) var lineLength = 0
  /// How many the line before had; 0 where there is none.
  private(set) var lengthBefore = 0
  /// What has come of a character that a mailer may have written as "=" and two digits.
  private var escape = Escape.none
  /// The places of characters, from 0, instead of which others stood that are none of base64: the first two.
  private(set) var lost: [Int] = []

  private enum Escape {
    case none, begun
    case digit(UInt8)
  }

  /// Whether a line ends with it, or with what follows it.
  static func endsLine(_ octet: UInt8) -> Bool { octet == 0x0A || octet == 0x0D }

  /// Whether it is white space, or what stands for none at the end.
  static func isFiller(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: "=") || (0x09...0x0D).contains(octet) || octet == 0x20
  }

  /// What a character stands for; nil if it is none.
  static func value(of octet: UInt8) -> UInt8? {
    switch octet {
    case 0x41...0x5A: octet - 0x41
    case 0x61...0x7A: octet - 0x61 + 26
    case 0x30...0x39: octet - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  /// Decodes on.
  /// - Returns: How many characters were taken; fewer than there are if one is neither base64 nor space.
  mutating func decode(_ text: Span<UInt8>) -> Int {
    for index in text.indices {
      let octet = text[index]
      if case .none = escape {} else if takeEscape(octet) { continue }
      if let value = Self.value(of: octet) {
        take(value)
      } else if Self.endsLine(octet) {
        endLine()
      } else if octet == UInt8(ascii: "=") {
        escape = .begun
      } else if !Self.isFiller(octet), !(lineLength == 0 && Self.isQuoteMark(octet)) {
        return index
      }
    }
    return text.count
  }

  private mutating func take(_ value: UInt8) {
    lineLength += 1
    bits = bits << 6 | UInt32(value)
    count += 6
    if count >= 8 {
      count -= 8
      octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }

  private mutating func endLine() {
    atLine = (octets.count, bits, count)
    if lineLength > 0 { lengthBefore = lineLength }
    lineLength = 0
  }

  /// Whether a mailer or a window puts it before a line; the last three are the octets of a byte order mark.
  private static func isQuoteMark(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: ">"), UInt8(ascii: "|"), 0xEF, 0xBB, 0xBF: true
    default: false
    }
  }

  /// Takes what stands behind an equals sign, if it is part of what a mailer writes so: white space, a quote mark, or one of
  /// the three characters that are no letters. Anything else stands for itself.
  private mutating func takeEscape(_ octet: UInt8) -> Bool {
    switch escape {
    case .begun where octet == UInt8(ascii: "0") || octet == UInt8(ascii: "2") || octet == UInt8(ascii: "3"):
      escape = .digit(octet)
      return true
    case .digit(let first):
      escape = .none
      switch (first, octet) {
      case (0x30, 0x39), (0x30, 0x41), (0x30, 0x44), (0x32, 0x30), (0x33, 0x44), (0x33, 0x45): return true
      case (0x32, 0x42): take(62)
      case (0x32, 0x46): take(63)
      default:
        if let value = Self.value(of: first) { take(value) }
        return false
      }
      return true
    default:
      escape = .none
      return false
    }
  }

  /// Takes a character that was another one.
  mutating func takeLost() {
    if lost.count < 2 { lost.append((octets.count * 8 + count) / 6) }
    take(0)
  }

  /// Forgets what has been decoded of the line.
  mutating func forgetLine() {
    octets.removeLast(octets.count - atLine.octets)
    (bits, count) = (atLine.bits, atLine.count)
    (lineLength, escape) = (0, .none)
  }
}

extension ContiguousArray<UInt8> {
  /// Puts another value where a character of base64 was lost, for which 0 stands.
  mutating func restore(_ value: UInt8, at character: Int) {
    let (first, shift) = ((character * 6) / 8, (character * 6) % 8)
    let bits = UInt16(value & 0x3F) << UInt16(10 - shift)
    for (place, octet) in [(first, UInt8(bits >> 8)), (first + 1, UInt8(bits & 0xFF))] where place < self.count {
      self[place] |= octet
    }
  }
}

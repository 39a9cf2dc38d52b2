import Octets

/// A capture that some program took for text: what is no UTF-8 was replaced by U+FFFD, so that no octet above 7F is what
/// it was, and none can be had back.
enum SavedAsText {
  static let refusal =
    "a binary file that was saved as text, in which the octets above 7F are lost (EF BF BD stands in their place): copy "
    + "the file itself, anew from where it was logged"

  /// Whether it is one by its first octets: text has no zeros, and of what is no text hardly anything is UTF-8.
  static func isOne(_ start: Span<UInt8>) -> Bool {
    let head = start.extracting(0..<min(start.count, 4096))
    var (replaced, zeros, index) = (0, 0, 0)
    while index < head.count {
      let length = characterLength(head[index])
      guard length > 0 else { return false }
      // The last character may be cut.
      if length > head.count - index { break }
      for place in index + 1..<index + length where head[place] & 0xC0 != 0x80 { return false }
      if length == 3, head[index] == 0xEF, head[index + 1] == 0xBF, head[index + 2] == 0xBD { replaced += 1 }
      if head[index] == 0 { zeros += 1 }
      index += length
    }
    return replaced >= 2 && zeros >= 2
  }

  /// How many octets a character has in UTF-8, by its first one; 0 if none begins so.
  private static func characterLength(_ first: UInt8) -> Int {
    switch first {
    case 0x00...0x7F: 1
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 0
    }
  }
}

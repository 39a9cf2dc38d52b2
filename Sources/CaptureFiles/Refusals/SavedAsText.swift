import Octets

/// A capture that some program took for text: what is no UTF-8 was replaced by U+FFFD, so that no octet above 7F is what
/// it was, and none can be had back.
enum SavedAsText {
  static let refusal =
    "a binary file that was saved as text, in which the octets above 7F are lost (EF BF BD stands in their place): copy "
    + "the file itself, anew from where it was logged"

  /// Whether it is one by its first octets: text has no zeros, and of what is no text hardly anything is UTF-8.
  static func isOne(_ start: Span<UInt8>) -> Bool {
    var end = min(start.count, 4096)
    // The last character may be cut: those up to one that has but one octet are whole.
    while end > 0, start[end - 1] > 0x7F { end -= 1 }
    var octets = ContiguousArray(start.extracting(0..<end)).makeIterator()
    var (decoder, replaced, zeros) = (UTF8(), 0, 0)
    while true {
      switch decoder.decode(&octets) {
      case .scalarValue("\u{FFFD}"): replaced += 1
      case .scalarValue("\0"): zeros += 1
      case .scalarValue: continue
      case .emptyInput: return replaced >= 2 && zeros >= 2
      case .error: return false
      }
    }
  }
}

import Octets

/// A capture that some program took for text: what is no UTF-8 was replaced by U+FFFD or left out, so that no octet above
/// 7F is what it was, and none can be had back.
enum SavedAsText {
  /// What is to be said of a file that is one by its first octets; nil where it is none.
  static func refusal(of start: Span<UInt8>) -> String? {
    let place = isReplaced(start) ? " (EF BF BD stands in their place)" : isLeftOut(start) ? "" : nil
    return place.map {
      "a binary file that was saved as text, in which the octets above 7F are lost\($0): copy the file itself, anew from "
        + "where it was logged"
    }
  }

  /// Every data link of HCI in btsnoop ends with such an octet: 03 E9 to 03 EC, 07 D1.
  private static func isLeftOut(_ start: Span<UInt8>) -> Bool {
    let headers = [0x03, 0x07].map { ContiguousArray("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, $0] }
    guard start.count > 15, headers.contains(where: { ContiguousArray(start.extracting(first: 15)) == $0 }) else {
      return false
    }
    return !ContiguousArray(start.extracting(first: 4096)).contains { $0 > 0x7F }
  }

  /// Text has no zeros, and of what is no text hardly anything is UTF-8.
  private static func isReplaced(_ start: Span<UInt8>) -> Bool {
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

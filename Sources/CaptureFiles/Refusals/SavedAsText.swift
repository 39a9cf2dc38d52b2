import Octets

/// A capture that some program took for text. What is no UTF-8 was replaced by U+FFFD or left out, so that no octet above 7F
/// is what it was, and none can be had back; or each was taken for a character of Latin-1, which has two octets in UTF-8.
enum SavedAsText {
  /// A file is one.
  case certain(refusal: String)
  /// A file may be one: more of its octets tell.
  case undecided

  /// So many octets at the start are looked at.
  private static let enough = 4096

  /// What a file is by its first octets; nil where it is none.
  init?(_ start: Span<UInt8>, isAll: Bool) {
    guard let (replaced, zeros) = Self.characters(of: start), zeros >= 2 else { return nil }
    let isWidened = Self.isWidened(start)
    guard replaced >= 2 || isWidened || Self.hasLostDataLink(start) else { return nil }
    // One octet that is no text is enough to be none, and it may be still to come.
    guard isAll || start.count >= Self.enough else {
      self = .undecided
      return
    }
    self = .certain(refusal: Self.refusal(replaced: replaced, isWidened: isWidened))
  }

  private static func refusal(replaced: Int, isWidened: Bool) -> String {
    let place = replaced >= 2 ? " (EF BF BD stands in their place)" : ""
    let fate = isWidened ? "each octet above 7F became two" : "the octets above 7F are lost\(place)"
    return "a binary file that was saved as text, in which \(fate): copy the file itself, anew from where it was logged"
  }

  /// How many characters stand for what was none, and how many are zeros, which text does not have; nil for what is no
  /// UTF-8: of what is no text hardly anything is.
  private static func characters(of start: Span<UInt8>) -> (replaced: Int, zeros: Int)? {
    var end = min(start.count, enough)
    // The last character may be cut: those up to one that has but one octet are whole.
    while end > 0, start[end - 1] > 0x7F { end -= 1 }
    var octets = ContiguousArray(start.extracting(0..<end)).makeIterator()
    var (decoder, replaced, zeros) = (UTF8(), 0, 0)
    while true {
      switch decoder.decode(&octets) {
      case .scalarValue("\u{FFFD}"): replaced += 1
      case .scalarValue("\0"): zeros += 1
      case .scalarValue: continue
      case .emptyInput: return (replaced, zeros)
      case .error: return nil
      }
    }
  }

  /// Whether it begins as a btsnoop file of which an octet was left out: every data link of HCI ends with one above 7F, from
  /// 03 E9 to 07 D1.
  private static func hasLostDataLink(_ start: Span<UInt8>) -> Bool {
    start.count > 15 && start[15] < 0x80 && isBTSnoop(start)
  }

  /// Whether the last octet of its data link became two, or those of the number that pcap begins with.
  private static func isWidened(_ start: Span<UInt8>) -> Bool {
    if start.count > 16, isBTSnoop(start) { return start[15] & 0xFE == 0xC2 && start[16] & 0xC0 == 0x80 }
    return ([0xA1B2_C3D4, 0xA1B2_3C4D] as [UInt32]).contains { number in
      [OctetOrder.little, .big].contains { order in
        var magic = ContiguousArray<UInt8>()
        magic.append(number, order: order)
        return start.starts(with: Array(String(decoding: magic.map(UInt16.init), as: UTF16.self).utf8))
      }
    }
  }

  /// Whether it begins as a btsnoop file does, up to the last octet of the data link.
  private static func isBTSnoop(_ start: Span<UInt8>) -> Bool {
    let headers = [0x03, 0x07].map { ContiguousArray("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, $0] }
    return start.count > 15 && headers.contains(ContiguousArray(start.extracting(first: 15)))
  }
}

import Octets

/// An Android bug report whose text holds no log of Bluetooth: a capture was expected there, and why there is none can be
/// said.
public enum BarrenReport: Hashable, Sendable {
  /// No log begins in it.
  case without
  /// The log in it has nothing in it.
  case empty
  /// It ends where the log begins.
  case cutOff

  /// Where the text of a bug report begins, no more than these octets stand before its date.
  private static let longestHead = 4096
  private static let head = Array("\n== dumpstate: ".utf8)

  /// Whether the text of a bug report begins so.
  static func begins(_ text: Span<UInt8>) -> Bool {
    // The line above it is made of equals signs.
    let last = min(text.count, longestHead) - head.count
    guard last >= 0 else { return false }
    for place in 0...last where text[place] == head[0] {
      if text.extracting(place..<place + head.count).starts(with: head) { return true }
    }
    return false
  }
}

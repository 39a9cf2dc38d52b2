/// Keys from what a terminal sends for them.
///
/// A key of its own is one octet; arrows and the like are sequences that begin with escape and end with a letter, and may
/// come in pieces.
struct KeyReader {
  /// A key.
  enum Key: Equatable {
    /// A key with a character, as its octet.
    case character(UInt8)
    case up, down, left, right
    case backTab
  }

  private enum State {
    case plain, escape, sequence
  }

  private var state = State.plain

  /// The keys that octets mean. What means none is left out.
  mutating func keys(_ octets: some Sequence<UInt8>) -> [Key] {
    octets.compactMap { next($0) }
  }

  private mutating func next(_ octet: UInt8) -> Key? {
    switch (state, octet) {
    case (_, 0x1B): state = .escape
    case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")): state = .sequence
    case (.sequence, 0x20...0x3F): break
    case (.sequence, _):
      state = .plain
      return Self.key(ending: octet)
    // An escape that stands alone means nothing.
    case (.plain, _), (.escape, _):
      state = .plain
      return .character(octet)
    }
    return nil
  }

  private static func key(ending octet: UInt8) -> Key? {
    switch octet {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "Z"): .backTab
    default: nil
    }
  }
}

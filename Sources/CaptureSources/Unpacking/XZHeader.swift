import Octets

/// The beginning of what xz has packed.
///
///     stream header            12 octets
///     block header             length, 1 octet
///                              flags, 1 octet: 0x40, 0x80: a size follows; in the lowest two bits: filters but one
///                              sizes, up to two numbers
///                              filters: identity, a number; length, a number; properties
///
/// Each octet of a number has seven bits of it, the lowest first; the last is below 0x80.
/// The .xz File Format 1.2.1, 1.2, 3.1 and 5.3.1.
enum XZHeader {
  /// No header is longer.
  static let longest = streamHeader + 1024

  private static let streamHeader = 12
  /// The filter that packs: its one octet of properties tells the dictionary.
  private static let packingFilter = 0x21

  /// How many octets the first block wants to look back, all of which are kept in memory; nil if nothing tells.
  static func dictionaryLength(_ start: Span<UInt8>) -> Int? {
    guard start.count > streamHeader + 1 else { return nil }
    let flags = start[streamHeader + 1]
    var place = streamHeader + 2
    for flag in [0x40, 0x80] as [UInt8] where flags & flag != 0 { _ = number(start, &place) }
    for _ in 0...(flags & 3) {
      guard let filter = number(start, &place), let length = number(start, &place), length <= start.count - place
      else { return nil }
      if filter == packingFilter { return length == 1 ? dictionaryLength(start[place]) : nil }
      place += length
    }
    return nil
  }

  /// Twice or three times a power of two.
  private static func dictionaryLength(_ property: UInt8) -> Int? {
    property < 40 ? Int(2 | property & 1) << Int(property / 2 + 11) : property == 40 ? Int(UInt32.max) : nil
  }

  private static func number(_ start: Span<UInt8>, _ place: inout Int) -> Int? {
    var value = 0
    for shift in stride(from: 0, through: 56, by: 7) where place < start.count {
      let octet = start[place]
      place += 1
      value |= Int(octet & 0x7F) << shift
      if octet < 0x80 { return value }
    }
    return nil
  }
}

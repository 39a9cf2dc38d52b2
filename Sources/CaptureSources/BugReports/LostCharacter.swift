import Octets

// A character of a bug report's log that was changed on its way to one that is none of base64.

extension BugReportLog {
  /// Whether the first octets are those of such a character, and not of a line that another program has written: it is the
  /// only one of its line, and that is as long as the one before; or, where it is the first or the last, as it may be.
  /// - Parameter decoder: What has been decoded of the line.
  /// - Returns: How many octets stand for it; nil if it is none.
  static func lengthOfLostCharacter(
    _ buffer: inout OctetBuffer, _ source: inout any OctetSource, behind decoder: Base64Decoder
  ) throws(SourceError) -> Int? {
    while lineLength(buffer.octets).map({ buffer.octets.count < $0 + longestMarker }) ?? true {
      guard buffer.octets.count < longestLine else { break }
      guard try buffer.fill(from: &source) else { break }
    }
    let text = buffer.octets
    let end = lineLength(text).map { $0 - 1 } ?? text.count
    guard end > 0 else { return nil }
    var first = 1
    // U+FFFD is three octets.
    while text[0] >= 0x80, first < end, text[first] >= 0x80 { first += 1 }
    guard let rest = characters(of: text.extracting(first..<end)) else { return nil }
    let length = decoder.lineLength + 1 + rest.count
    let isWhole = (length + rest.padding) % 4 == 0
    let isOfLog =
      if decoder.lengthBefore == 0 {
        isWhole && length >= shortestLine
      } else {
        length == decoder.lengthBefore
          || isWhole && length < decoder.lengthBefore && endStands(in: text.extracting(end..<text.count))
      }
    return isOfLog ? first : nil
  }

  /// Of a longer line, what is none of base64 is not looked at.
  private static let longestLine = 0x1_0000
  /// The line that ends a log, and whatever quotes it.
  private static let longestMarker = 100
  /// A line that is the first is not judged by another.
  private static let shortestLine = 32

  /// The characters of the rest of a line, and how many stand for none; nil if there is anything else.
  private static func characters(of rest: Span<UInt8>) -> (count: Int, padding: Int)? {
    var (count, padding, spaces) = (0, 0, 0)
    for index in rest.indices {
      if Base64Decoder.value(of: rest[index]) != nil, spaces == 0 {
        count += 1
      } else if rest[index] == UInt8(ascii: "=") {
        padding += 1
      } else if Base64Decoder.isFiller(rest[index]) {
        spaces += 1
      } else {
        return nil
      }
    }
    return (count, padding)
  }

  private static func endStands(in text: Span<UInt8>) -> Bool {
    var place = 0
    while place < min(text.count, longestMarker), text[place] != UInt8(ascii: "-") { place += 1 }
    return text.extracting(place..<text.count).starts(with: end)
  }

  /// The packed octets with a character that was lost, where the checksum of what comes out tells which it was.
  static func restored(
    _ packed: ContiguousArray<UInt8>, lost places: [Int], among all: UnpackedLogs
  ) -> ContiguousArray<UInt8>? {
    // Of the header there is no checksum.
    guard let place = places.first, places.count == 1, place >= headerCharacters, packed.count <= longestRestored else {
      return nil
    }
    var restored: ContiguousArray<UInt8>?
    var buffer = OctetBuffer(longest: 0)
    for value in 0..<64 as Range<UInt8> {
      var octets = packed
      octets.restore(value, at: place)
      guard let isSound = isSound(octets, &buffer, all) else { return nil }
      guard isSound else { continue }
      guard restored == nil else { return nil }
      restored = octets
    }
    return restored
  }

  /// Phones keep a quarter of it.
  private static let longestRestored = 1 << 20

  /// Whether all of a log can be unpacked, and its checksum is right; nil if enough has been tried.
  private static func isSound(
    _ packed: ContiguousArray<UInt8>, _ buffer: inout OctetBuffer, _ all: UnpackedLogs
  ) -> Bool? {
    guard all.mayTry(OctetBuffer.piece),
      var source = try? InflatedSource(StoredSource(packed, from: headerLength), .zlib)
    else { return nil }
    buffer.clear()
    do throws(SourceError) {
      while try buffer.fill(from: &source) {
        guard all.mayTry(buffer.octets.count) else { return nil }
        buffer.clear()
      }
      return true
    } catch {
      return false
    }
  }
}

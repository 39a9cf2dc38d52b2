import CaptureFiles
import Octets

/// What an input is, by its first octets alone.
enum ContentKind {
  /// A capture.
  case capture
  /// Several files in one, or one that is compressed.
  case archive
  /// Text, which may hold a capture.
  case text
  /// Something else, or a capture that cannot be read.
  case unreadable(ParsingError)

  /// The kind of an input, or nil if more octets are needed to tell.
  /// - Parameter isAll: Whether `start` is the whole input.
  init?(_ start: Span<UInt8>, isAll: Bool) {
    if let name = Self.unsupportedArchive(start) {
      let what = "\(name) archive, which hrsnoop does not open: unpack it, or make it a zip"
      self = .unreadable(.refusal(what, layer: "archive"))
      return
    }
    if Self.isArchive(start) {
      self = .archive
      return
    }
    // All octets that say something before a capture may be text; no capture is.
    if Self.isText(start, upTo: CaptureReader.longestPreface) {
      guard isAll || start.count >= CaptureReader.longestPreface else { return nil }
      self = .text
      return
    }
    var reader = CaptureReader()
    do throws(ParsingError) {
      guard try reader.recognise(start, isAll: isAll) else { return nil }
      self = .capture
    } catch {
      if TerminalCopy(start) != nil {
        self = .capture
      } else {
        self = Self.isText(start, upTo: Self.textLength) ? .text : .unreadable(error)
      }
    }
  }

  /// A tar's header, in which its own signature stands late.
  private static let tarLength = 512
  /// So much text is one, whatever is behind it.
  private static let textLength = 512

  /// A zip, and one without members.
  private static let zips: [[UInt8]] = [[0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06]]

  private static func isArchive(_ start: Span<UInt8>) -> Bool {
    zips.contains { start.starts(with: $0) } || Packing(start) != nil || isTar(start)
  }

  private static func unsupportedArchive(_ start: Span<UInt8>) -> String? {
    if start.starts(with: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) { return "a 7-Zip" }
    if start.starts(with: [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07]) { return "a RAR" }
    return nil
  }

  /// Whether a member's header begins here: its checksum, six octal digits, is the sum of its octets, those of the
  /// checksum itself counted as spaces.
  private static func isTar(_ start: Span<UInt8>) -> Bool {
    guard start.count >= tarLength, start[0] != 0 else { return false }
    var sum = 0
    for index in 0..<tarLength { sum += (148..<156).contains(index) ? 0x20 : Int(start[index]) }
    var told = 0
    for index in 148..<156 {
      let octet = start[index]
      if (0x30...0x37).contains(octet) {
        told = told * 8 + Int(octet - 0x30)
      } else if octet != 0x20, octet != 0 {
        return false
      }
    }
    return sum == told
  }

  /// Whether the first octets are those of text: no controls but those of lines, pages and terminals.
  private static func isText(_ start: Span<UInt8>, upTo most: Int) -> Bool {
    for index in 0..<min(start.count, most) {
      switch start[index] {
      case 0x09...0x0D, 0x1B, 0x20...0x7E, 0x80...0xFF: continue
      default: return false
      }
    }
    return !start.isEmpty
  }
}

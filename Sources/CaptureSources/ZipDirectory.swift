import Octets

/// What the list of members at the end of a zip is.
///
/// Of a zip that is not all there, the last such list may be that of another zip which is a member of it: whoever goes by
/// it sees the members of that one, and no other. PKWARE, .ZIP File Format Specification 6.3.10, 4.3.6 and 4.3.16.
enum ZipDirectory {
  /// It is the zip's own; or what has none is no zip.
  case own
  /// It is that of a zip within it.
  case foreign
  /// There is none.
  case missing

  private static let memberSignature: UInt32 = 0x0403_4B50
  private static let listSignature: UInt32 = 0x0201_4B50
  private static let endSignature: UInt32 = 0x0605_4B50
  private static let endLength = 22
  /// A comment may stand behind it.
  private static let longestTail = endLength + 0xFFFF

  /// Looks at the end of what may be a zip, and leaves the source at its beginning.
  init(in source: any SeekableOctetSource) {
    self = Self.directory(in: source)
    _ = source.seek(to: 0)
  }

  private static func directory(in source: any SeekableOctetSource) -> ZipDirectory {
    guard let size = source.size, begins(source, at: 0, with: memberSignature) else { return .own }
    let tail = read(longestTail, of: source, at: max(0, size - longestTail))
    guard let end = lastEnd(in: OctetWindow(tail.octets)) else { return .missing }
    let (members, start) = (end.uint16(at: 10), end.uint32(at: 16))
    // Where a number is too small for it, the place stands elsewhere; without members there is no list.
    guard members > 0, start != .max else { return .own }
    return begins(source, at: Int(start), with: listSignature) ? .own : .foreign
  }

  @_lifetime(copy tail)
  private static func lastEnd(in tail: OctetWindow) -> OctetWindow? {
    for place in (0..<max(0, tail.count - endLength + 1)).reversed() where tail.uint32(at: place) == endSignature {
      return OctetWindow(tail, at: place, count: endLength)
    }
    return nil
  }

  private static func begins(_ source: any SeekableOctetSource, at place: Int, with signature: UInt32) -> Bool {
    OctetWindow(read(4, of: source, at: place).octets, count: 4)?.uint32(at: 0) == signature
  }

  /// As many octets of a source, or more; fewer where it ends or cannot be read.
  private static func read(_ count: Int, of source: any SeekableOctetSource, at place: Int) -> OctetBuffer {
    var buffer = OctetBuffer(longest: count)
    guard source.seek(to: place) else { return buffer }
    var source: any OctetSource = source
    while buffer.octets.count < count, (try? buffer.fill(from: &source)) == true {}
    return buffer
  }
}

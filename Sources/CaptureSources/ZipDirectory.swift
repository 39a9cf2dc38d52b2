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

  private static let memberSignature: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
  private static let listSignature: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
  private static let endSignature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
  private static let endLength = 22
  /// A comment may stand behind it.
  private static let longestTail = endLength + 0xFFFF

  /// Looks at the end of what may be a zip, and leaves the source at its beginning.
  init(in source: any SeekableOctetSource) {
    self = Self.directory(in: source)
    _ = source.seek(to: 0)
  }

  private static func directory(in source: any SeekableOctetSource) -> ZipDirectory {
    guard let size = source.size, octets(of: source, 0, 4) == memberSignature else { return .own }
    let tail = octets(of: source, max(0, size - longestTail), longestTail)
    guard let end = lastEnd(in: tail) else { return .missing }
    let (members, start) = (tail.uint16(at: end + 10), tail.uint32(at: end + 16))
    // Where a number is too small for it, the place stands elsewhere; without members there is no list.
    guard members > 0, start != 0xFFFF_FFFF else { return .own }
    return octets(of: source, start, 4) == listSignature ? .own : .foreign
  }

  private static func lastEnd(in tail: [UInt8]) -> Int? {
    guard tail.count >= endLength else { return nil }
    return (0...(tail.count - endLength)).last { tail[$0...].starts(with: endSignature) }
  }

  /// Some octets of a source, fewer where it ends or cannot be read.
  private static func octets(of source: any SeekableOctetSource, _ start: Int, _ count: Int) -> [UInt8] {
    guard source.seek(to: start) else { return [] }
    var source: any OctetSource = source
    var octets = [UInt8](repeating: 0, count: count)
    var read = 0
    unsafe octets.withUnsafeMutableBytes { space in
      while read < count {
        let more = (try? unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: space[read...]))) ?? 0
        guard more > 0 else { return }
        read += more
      }
    }
    return Array(octets.prefix(read))
  }
}

extension [UInt8] {
  fileprivate func uint16(at place: Int) -> Int { Int(self[place]) | Int(self[place + 1]) << 8 }
  fileprivate func uint32(at place: Int) -> Int { uint16(at: place) | uint16(at: place + 2) << 16 }
}

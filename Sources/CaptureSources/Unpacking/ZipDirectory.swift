import Octets

/// What the list of members at the end of a zip is.
///
/// Of a zip that is not all there, the last such list may be that of another zip which is a member of it: whoever goes by
/// it sees the members of that one, and no other. Where it is damaged, whoever goes by it sees none behind the damage, though
/// each stands behind a header of its own. PKWARE, .ZIP File Format Specification 6.3.10, 4.3.6, 4.3.12 and 4.3.16.
enum ZipDirectory {
  /// It is the zip's own; or what has none is no zip.
  case own
  /// It is that of a zip within it.
  case foreign
  /// There is none.
  case missing
  /// Something in it is none of its entries, or leads to no member.
  case damaged

  private static let memberSignature: UInt32 = 0x0403_4B50
  private static let listSignature: UInt32 = 0x0201_4B50
  private static let endSignature: UInt32 = 0x0605_4B50
  private static let endLength = 22
  /// Of an entry of the list, before the member's name.
  private static let entryLength = 46
  /// A longer list is believed.
  private static let longestList = 16 << 20
  /// A comment may stand behind it.
  private static let longestTail = endLength + 0xFFFF

  /// Looks at the end of what may be a zip, and leaves the source at its beginning.
  init(in source: any SeekableOctetSource) {
    self = Self.directory(in: source)
    _ = source.seek(to: 0)
  }

  private static func directory(in source: any SeekableOctetSource) -> ZipDirectory {
    guard let size = source.size, begins(source, at: 0, with: memberSignature) else { return .own }
    let tailStart = max(0, size - longestTail)
    let tail = read(longestTail, of: source, at: tailStart)
    guard let place = placeOfEnd(in: OctetWindow(tail.octets)),
      let end = OctetWindow(OctetWindow(tail.octets), at: place, count: endLength)
    else { return .missing }
    let (members, start, length) = (end.uint16(at: 10), Int(end.uint32(at: 16)), Int(end.uint32(at: 12)))
    // Where a number is too small for it, the place stands elsewhere; without members there is no list.
    guard members > 0, start != UInt32.max else { return .own }
    guard begins(source, at: start, with: listSignature) else {
      return start + length == tailStart + place ? .damaged : .foreign
    }
    guard members != .max, length <= longestList else { return .own }
    let list = read(length, of: source, at: start)
    return lists(OctetWindow(list.octets), Int(members), of: source) ? .own : .damaged
  }

  /// Whether a list has an entry for each of so many members, and where the entry says there is one.
  private static func lists(_ list: OctetWindow, _ members: Int, of source: any SeekableOctetSource) -> Bool {
    var place = 0
    for _ in 0..<members {
      guard let entry = OctetWindow(list, at: place, count: entryLength), entry.uint32(at: 0) == listSignature else {
        return false
      }
      let member = entry.uint32(at: 42)
      guard member == .max || begins(source, at: Int(member), with: memberSignature) else { return false }
      let lengths = [28, 30, 32].map { Int(entry.uint16(at: $0)) }
      place += entryLength + lengths.reduce(0, +)
    }
    return true
  }

  private static func placeOfEnd(in tail: OctetWindow) -> Int? {
    (0..<max(0, tail.count - endLength + 1)).reversed().first { tail.uint32(at: $0) == endSignature }
  }

  private static func begins(_ source: any SeekableOctetSource, at place: Int, with signature: UInt32) -> Bool {
    guard source.seek(to: place) else { return false }
    var source: any OctetSource = source
    var start: UInt32 = 0
    let count = unsafe withUnsafeMutableBytes(of: &start) { (unsafe try? source.read(into: $0)) ?? 0 }
    return count == 4 && UInt32(littleEndian: start) == signature
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

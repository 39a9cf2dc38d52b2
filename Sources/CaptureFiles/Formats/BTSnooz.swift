import Octets

/// btsnooz, the log that Android keeps in memory and prints into bug reports, once it is unpacked. All numbers are
/// little-endian. There is no file of it: whoever unpacks it puts the header before it.
///
///     header                               record             version 1     version 2
///     +------------------------+           +------------------------+
///     | "btsnooz\0"            | 8         | length, of type and    |
///     | version, 1 or 2        | 1         |   what was kept        | 2             2
///     | time before the first  |           | length as sent         | –             2
///     |   record, µs since 1970| 8         | µs since the last one  | 4             4
///     +------------------------+           | type                   | 1             1
///                                          +------------------------+
///                                          | packet, `length` - 1 octets
///
/// A tool once wrote such records behind a header of btsnoop, without any time: those count from 1970.
struct BTSnooz: CaptureFormat {
  static let name = "btsnooz"
  static let firstOctets = BTSnoop.firstOctets
  /// "btsnooz\0" as two words.
  private static let magic: (UInt32, UInt32) = (0x6274_736E, 0x6F6F_7A00)

  private var version: UInt8
  private let fileHeader: FileHeader
  /// The time of the last record; before the first, the time from which that counts.
  private var time: Timestamp

  /// What stands before the records.
  private enum FileHeader {
    /// That of btsnooz.
    case own
    /// That of btsnoop, which begins with the same word.
    case btsnoop

    /// In octets.
    var length: Int { self == .own ? BTSnoozHeader.length : BTSnoop.fileHeaderLength }
    var secondWord: UInt32 { self == .own ? magic.1 : BTSnoop.magic.1 }
  }

  var clock: CaptureClock { fileHeader == .own ? .utc : .unknown }
  var linkType: LinkType { .h4 }
  var headerLength: Int { version == 1 ? 7 : 9 }
  /// A type and a length are little to go by.
  var confirmations: Int { 4 }

  static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> BTSnooz? {
    guard let words = OctetWindow(start, count: 8), words.uint32(at: 0, .big) == magic.0 else { return nil }
    if words.uint32(at: 4, .big) != magic.1 {
      if case .found(let format) = rawRecords(start, isAll: isAll) { return format }
      return nil
    }
    guard let header = OctetWindow(start, count: BTSnoozHeader.length) else { return nil }
    let version = header.uint8(at: 8)
    guard version == 1 || version == 2 else {
      throw OctetReader(start, layer: "btsnooz").invalid("Version", "\(version); only versions 1 and 2 are known")
    }
    return BTSnooz(
      version: version, .own, begin: Timestamp(microseconds: Int64(bitPattern: header.uint64(at: 9))))
  }

  /// What may stand behind a header of btsnoop.
  enum RawRecords {
    /// Records of btsnooz.
    case found(BTSnooz)
    /// None.
    case none
    /// More octets are needed to tell.
    case undecided
  }

  /// Records of btsnooz behind a header of btsnoop: what would be the first record's length there is none, and several
  /// records follow one another. One could be chance, where the first record of btsnoop is damaged.
  static func rawRecords(_ start: Span<UInt8>, isAll: Bool) -> RawRecords {
    let length = BTSnoop.fileHeaderLength
    guard let header = OctetWindow(start, count: length + 9), header.uint32(at: 0, .big) == magic.0,
      header.uint32(at: 4, .big) == BTSnoop.magic.1, header.uint32(at: length, .big) > BTSnoop.longestRecord
    else { return .none }
    var isUndecided = false
    for version in [2, 1] as [UInt8] {
      let format = BTSnooz(version: version, .btsnoop, begin: Timestamp(microseconds: 0))
      guard !format.isFileHeader(start, at: length) else { continue }
      switch format.areRecords(start, from: length, isAll: isAll) {
      case true?: return .found(format)
      case false?: continue
      case nil: isUndecided = true
      }
    }
    return isUndecided && !isAll ? .undecided : .none
  }

  /// Whether records follow one another, enough of them or to the end; nil if the octets end before.
  private func areRecords(_ octets: Span<UInt8>, from start: Int, isAll: Bool) -> Bool? {
    var index = start
    for _ in 0..<confirmations {
      if isAll, index == octets.count { return true }
      guard let header = OctetWindow(octets, at: index, count: headerLength) else { return nil }
      guard canBegin(octets, at: index) else { return false }
      index += headerLength + Int(header.uint16(at: 0)) - 1
    }
    return index <= octets.count ? true : nil
  }

  private init(version: UInt8, _ fileHeader: FileHeader, begin: Timestamp) {
    self.version = version
    self.fileHeader = fileHeader
    time = begin
  }

  func canBegin(_ octets: Span<UInt8>, at index: Int) -> Bool {
    guard let header = OctetWindow(octets, at: index, count: headerLength) else { return true }
    let length = header.uint16(at: 0)
    return length > 0 && (version == 1 || header.uint16(at: 2) >= length)
      && Self.meaning(ofType: header.uint8(at: headerLength - 1)) != nil || isFileHeader(octets, at: index)
  }

  func extent(_ octets: Span<UInt8>, at index: Int) throws(ParsingError) -> BlockExtent {
    if isFileHeader(octets, at: index) { return .octets(fileHeader.length) }
    guard let header = OctetWindow(octets, at: index, count: headerLength) else { return .unknown }
    let length = Int(header.uint16(at: 0))
    guard length > 0 else { throw damage("Length", "0 octets", at: index) }
    if version == 2, header.uint16(at: 2) < length {
      throw damage("Packet length", "\(header.uint16(at: 2).octetWords), and \(length) kept", at: index)
    }
    let type = header.uint8(at: headerLength - 1)
    guard Self.meaning(ofType: type) != nil else {
      throw damage("Type", "0x\(type.hexadecimal) is none", at: index)
    }
    return .octets(headerLength + length - 1)
  }

  private func damage(_ field: String, _ what: String, at index: Int) -> ParsingError {
    ParsingError(layer: "btsnooz", field: field, problem: .invalid(what), offset: index)
  }

  func isFileHeader(_ octets: Span<UInt8>, at index: Int) -> Bool {
    guard let words = OctetWindow(octets, at: index, count: fileHeader.length) else { return false }
    return words.uint32(at: 0, .big) == Self.magic.0 && words.uint32(at: 4, .big) == fileHeader.secondWord
  }

  mutating func record(_ block: OctetWindow, at place: BlockPlace, of linkType: LinkType) -> CaptureRecord? {
    if isFileHeader(block.octets, at: 0) {
      // Logs were put one behind the other.
      if fileHeader == .own, let second = try? Self.recognise(block.octets, isAll: false) { self = second }
      return nil
    }
    guard block.count >= headerLength,
      let (content, direction) = Self.meaning(ofType: block.uint8(at: headerLength - 1))
    else { return nil }
    time = time.advanced(byMicroseconds: Int64(block.uint32(at: headerLength - 5)))
    let packet = block.dropping(headerLength)
    // The packet knows best: one writer counts the type twice.
    let original = content.wholeLength(of: packet) ?? (version == 2 ? Int(block.uint16(at: 2)) - 1 : 0)
    return CaptureRecord(
      at: place, time: time, linkType: linkType, content: content, direction: direction, length: packet.count,
      originalLength: original, offset: place.offset + headerLength)
  }

  /// The type octet of Android's log in memory: the high half tells the direction.
  private static func meaning(ofType type: UInt8) -> (RecordContent, Direction)? {
    switch type {
    case 0x10: (.event, .received)
    case 0x11: (.aclData, .received)
    case 0x12: (.synchronousData, .received)
    case 0x17: (.isochronousData, .received)
    case 0x20: (.command, .sent)
    case 0x21: (.aclData, .sent)
    case 0x22: (.synchronousData, .sent)
    case 0x2D: (.isochronousData, .sent)
    default: nil
    }
  }
}

/// What is put before the records of an unpacked btsnooz log, so that they can be read as a capture.
public enum BTSnoozHeader {
  static let length = 17

  /// The header's octets.
  /// - Parameters:
  ///   - version: The version of the records.
  ///   - start: The time before the first record.
  public static func octets(version: UInt8, start: Timestamp) -> ContiguousArray<UInt8> {
    var octets = ContiguousArray("btsnooz\0".utf8)
    octets.append(version)
    octets.append(start.microseconds, order: .little)
    return octets
  }
}

import Octets

/// btsnoop, as phones, BlueZ and many tools write it. All numbers are big-endian.
///
///     file header                          record header
///     +------------------------+           +------------------------+
///     | "btsnoop\0"            | 8         | original length        | 4
///     | version = 1            | 4         | included length        | 4
///     | data link              | 4         | flags                  | 4
///     +------------------------+           | cumulative drops       | 4
///                                          | time, µs since year 0  | 8
///                                          +------------------------+
///                                          | packet, `included` octets
struct BTSnoop: CaptureFormat {
  static let name = "btsnoop"
  static let fileHeaderLength = 16
  /// "btsnoop\0" as two words.
  static let magic: (UInt32, UInt32) = (0x6274_736E, 0x6F6F_7000)
  /// 1970-01-01 on btsnoop's clock, which counts microseconds from the year 0.
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000
  /// No HCI packet is longer than 65,541 octets; a header that says much more is damaged.
  static let longestRecord: UInt32 = 0x1_1000

  let headerLength = 24
  private var linkType: LinkType
  private(set) var droppedRecords: UInt64 = 0
  /// Whether the times lie where a clock that was ever set puts them. Where even the first is odd, times prove nothing.
  private let timesAreSane: Bool
  private var drops: UInt32?

  static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> BTSnoop? {
    var reader = OctetReader(start, layer: "btsnoop")
    guard let first = try? reader.uint32("Identification", .big), first == magic.0,
      let second = try? reader.uint32("Identification", .big), second == magic.1
    else { return nil }
    let version = try reader.uint32("Version", .big)
    guard version == 1 else { throw reader.invalid("Version", "\(version); only version 1 is known") }
    let linkType = try LinkType(btsnoopNumber: try reader.uint32("Data link", .big), reader)
    try? reader.skip(16, "Record header")
    let time = (try? reader.uint64("Time", .big)) ?? UInt64(epoch)
    return BTSnoop(linkType: linkType, timesAreSane: isSane(time))
  }

  private init(linkType: LinkType, timesAreSane: Bool) {
    self.linkType = linkType
    self.timesAreSane = timesAreSane
  }

  func extent(_ reader: OctetReader) throws(ParsingError) -> BlockExtent {
    var reader = reader
    guard reader.count >= headerLength else {
      return reader.count >= Self.fileHeaderLength && Self.isFileHeader(reader)
        ? .octets(Self.fileHeaderLength) : .unknown
    }
    let original = try reader.uint32("Original length", .big)
    let included = try reader.uint32("Included length", .big)
    if original == Self.magic.0, included == Self.magic.1 { return .octets(Self.fileHeaderLength) }
    guard included <= Self.longestRecord else { throw reader.invalid("Included length", "\(included) octets") }
    guard original <= Self.longestRecord, original >= included else {
      throw reader.invalid("Original length", "\(original) octets, of which \(included) are kept")
    }
    // Only what the monitor says of its adapters may be empty.
    guard original > 0 || linkType == .linuxMonitor else { throw reader.invalid("Original length", "0 octets") }
    try reader.skip(8, "Flags")
    guard timesAreSane else { return .octets(headerLength + Int(included)) }
    let time = try reader.uint64("Time", .big)
    guard Self.isSane(time) else { throw reader.invalid("Time", "\(time) µs is not a time of this age") }
    return .octets(headerLength + Int(included))
  }

  func uncutLength(_ block: Span<UInt8>) -> Int? {
    var reader = OctetReader(block, layer: "btsnoop")
    return (try? reader.uint32("Original length", .big)).map { headerLength + Int($0) }
  }

  @_lifetime(copy block)
  mutating func record(_ block: Span<UInt8>, at offset: Int) -> CaptureRecord? {
    var reader = OctetReader(block, layer: "btsnoop", origin: offset)
    guard let original = try? reader.uint32("Original length", .big), original != Self.magic.0,
      (try? reader.skip(4, "Included length")) != nil,
      let flags = try? reader.uint32("Flags", .big),
      let drops = try? reader.uint32("Cumulative drops", .big),
      let time = try? reader.uint64("Time", .big)
    else {
      readFileHeader(block)
      return nil
    }
    count(drops)
    let start = reader.offset
    return linkType.record(
      RawRecord(
        time: Timestamp(microseconds: Int64(bitPattern: time) &- Self.epoch), flags: flags,
        direction: flags & 1 == 0 ? .sent : .received, octets: reader.rest(),
        originalLength: Int(original), offset: start))
  }

  /// A second header in the middle: files were concatenated, and the second may be of another kind.
  private mutating func readFileHeader(_ block: Span<UInt8>) {
    var reader = OctetReader(block, layer: "btsnoop")
    guard (try? reader.skip(12, "Identification")) != nil, let number = try? reader.uint32("Data link", .big),
      let linkType = try? LinkType(btsnoopNumber: number, reader)
    else { return }
    self.linkType = linkType
    drops = nil
  }

  /// The field counts up; what it starts with was dropped before this capture and counts too, except where it jumps
  /// as damage makes it jump.
  private mutating func count(_ drops: UInt32) {
    let before = self.drops ?? 0
    if drops > before, drops - before < 1 << 24 { droppedRecords &+= UInt64(drops - before) }
    self.drops = drops
  }

  private static func isFileHeader(_ reader: OctetReader) -> Bool {
    var reader = reader
    return (try? reader.uint32("Identification", .big)) == magic.0
      && (try? reader.uint32("Identification", .big)) == magic.1
  }

  /// 1970 (a phone whose clock was never set) to 2242.
  private static func isSane(_ time: UInt64) -> Bool {
    time >= UInt64(epoch) && time < UInt64(epoch) + (1 << 53)
  }
}

extension LinkType {
  /// The link type of a number in a btsnoop header. BCSP (1003) and H5 (1004) are written de-framed, as H1.
  init(btsnoopNumber number: UInt32, _ reader: OctetReader) throws(ParsingError) {
    switch number {
    case 1001, 1003, 1004: self = .h1
    case 1002: self = .h4
    case 2001: self = .linuxMonitor
    case 2002:
      throw reader.invalid("Data link", "2002, a radio simulator's packets: take the capture from the host's side")
    default: throw reader.invalid("Data link", "\(number), which is none of HCI (1001, 1002, 1003, 1004, 2001)")
    }
  }
}

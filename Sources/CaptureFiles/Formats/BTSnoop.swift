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
  static var fileHeaderLength: Int { 16 }
  /// "btsnoop\0" as two words.
  static var magic: (UInt32, UInt32) { (0x6274_736E, 0x6F6F_7000) }
  /// 1970-01-01 on btsnoop's clock, which counts microseconds from the year 0.
  static var epoch: Int64 { 0x00DC_DDB3_0F2F_8000 }
  /// No HCI packet is longer than 65,541 octets; a header that says much more is damaged.
  static var longestRecord: UInt32 { 0x1_1000 }

  var headerLength: Int { 24 }
  private var linkType: LinkType
  private(set) var droppedRecords: UInt64 = 0
  /// Whether the times lie where a clock that was ever set puts them. Where even the first is odd, times prove nothing.
  private let timesAreSane: Bool
  private var drops: UInt32 = 0

  static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> BTSnoop? {
    var reader = OctetReader(start, layer: "btsnoop")
    guard let first = try? reader.uint32("Identification", .big), first == magic.0,
      let second = try? reader.uint32("Identification", .big), second == magic.1
    else { return nil }
    // The first record's time tells whether times prove anything.
    if !isAll, start.count < fileHeaderLength + 24 { return nil }
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

  @inline(__always)
  func usualLength(_ octets: Span<UInt8>, at index: Int) -> Int? {
    guard let header = Header(octets, at: index), header.included <= header.original,
      header.original <= Self.longestRecord, header.original > 0, !timesAreSane || Self.isSane(header.time)
    else { return nil }
    return headerLength &+ Int(header.included)
  }

  func extent(_ octets: Span<UInt8>, at index: Int) throws(ParsingError) -> BlockExtent {
    if let length = usualLength(octets, at: index) { return .octets(length) }
    guard let header = Header(octets, at: index) else { return shortExtent(octets, at: index) }
    return try oddExtent(header, at: index)
  }

  /// What usually cannot be a record header may be a file header, or damage.
  private func oddExtent(_ header: Header, at index: Int) throws(ParsingError) -> BlockExtent {
    if header.isFileHeader { return .octets(Self.fileHeaderLength) }
    func invalid(_ field: String, _ what: String) -> ParsingError {
      ParsingError(layer: "btsnoop", field: field, problem: .invalid(what), offset: index)
    }
    let (original, included) = (header.original, header.included)
    guard included <= Self.longestRecord else { throw invalid("Included length", "\(included) octets") }
    guard original <= Self.longestRecord, original >= included else {
      throw invalid("Original length", "\(original) octets, of which \(included) are kept")
    }
    guard !timesAreSane || Self.isSane(header.time) else {
      throw invalid("Time", "\(header.time) µs is not a time of this age")
    }
    // Only what the monitor says of its adapters may be empty.
    guard original > 0 || linkType == .linuxMonitor else { throw invalid("Original length", "0 octets") }
    return .octets(headerLength + Int(included))
  }

  /// At the end of the octets, a file header may fit where a record's does not.
  private func shortExtent(_ octets: Span<UInt8>, at index: Int) -> BlockExtent {
    isFileHeader(octets, at: index) ? .octets(Self.fileHeaderLength) : .unknown
  }

  func isFileHeader(_ octets: Span<UInt8>, at index: Int) -> Bool {
    guard let fields = FixedFields(octets, at: index, count: Self.fileHeaderLength) else { return false }
    return fields.uint32(at: 0, .big) == Self.magic.0 && fields.uint32(at: 4, .big) == Self.magic.1
  }

  func uncutLength(_ block: Span<UInt8>) -> Int? {
    Header(block, at: 0).map { headerLength + Int($0.original) }
  }

  @inline(__always)
  mutating func record(_ block: Span<UInt8>, at place: BlockPlace) -> CaptureRecord? {
    guard let header = Header(block, at: 0), !header.isFileHeader else {
      readFileHeader(block)
      return nil
    }
    if header.drops != drops { count(header.drops) }
    return linkType.record(
      at: place, time: Timestamp(microseconds: Int64(bitPattern: header.time) &- Self.epoch), flags: header.flags,
      direction: header.flags & 1 == 0 ? .sent : .received, octets: block.extracting(droppingFirst: headerLength),
      originalLength: Int(header.original), offset: place.offset &+ headerLength)
  }

  /// A record's header.
  private struct Header {
    let original: UInt32
    let included: UInt32
    let flags: UInt32
    let drops: UInt32
    let time: UInt64

    @inline(__always)
    init?(_ octets: Span<UInt8>, at index: Int) {
      guard let fields = FixedFields(octets, at: index, count: 24) else { return nil }
      original = fields.uint32(at: 0, .big)
      included = fields.uint32(at: 4, .big)
      flags = fields.uint32(at: 8, .big)
      drops = fields.uint32(at: 12, .big)
      time = fields.uint64(at: 16, .big)
    }

    var isFileHeader: Bool { original == BTSnoop.magic.0 && included == BTSnoop.magic.1 }
  }

  /// A second header in the middle: files were concatenated, and the second may be of another kind.
  private mutating func readFileHeader(_ block: Span<UInt8>) {
    var reader = OctetReader(block, layer: "btsnoop")
    guard (try? reader.skip(12, "Identification")) != nil, let number = try? reader.uint32("Data link", .big),
      let linkType = try? LinkType(btsnoopNumber: number, reader)
    else { return }
    self.linkType = linkType
    drops = 0
  }

  /// The field counts up; what it starts with was dropped before this capture and counts too, except where it jumps
  /// as damage makes it jump.
  private mutating func count(_ drops: UInt32) {
    if drops > self.drops, drops - self.drops < 1 << 24 { droppedRecords &+= UInt64(drops - self.drops) }
    self.drops = drops
  }

  /// 1970 (a phone whose clock was never set) to 2242.
  private static func isSane(_ time: UInt64) -> Bool {
    time &- UInt64(epoch) < 1 << 53
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

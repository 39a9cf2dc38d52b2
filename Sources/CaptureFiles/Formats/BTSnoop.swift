public import Octets

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
@usableFromInline struct BTSnoop: CaptureFormat {
  @usableFromInline static let name = "btsnoop"
  @usableFromInline static let firstOctets = Array("b".utf8)
  static var fileHeaderLength: Int { 16 }
  /// "btsnoop\0" as two words.
  @inlinable static var magic: (UInt32, UInt32) { (0x6274_736E, 0x6F6F_7000) }
  /// 1970-01-01 on btsnoop's clock, which counts microseconds from the year 0.
  @inlinable static var epoch: Int64 { 0x00DC_DDB3_0F2F_8000 }
  /// No HCI packet is longer than 65,541 octets; a header that says much more is damaged.
  @inlinable static var longestRecord: UInt32 { 0x1_1000 }

  @inlinable var headerLength: Int { Header.length }
  @usableFromInline private(set) var linkType: LinkType
  @usableFromInline private(set) var droppedRecords: UInt64 = 0
  /// The times that records of this file may have.
  @usableFromInline let times: SoundTimes
  @usableFromInline private(set) var drops: UInt32 = 0
  @usableFromInline private(set) var doubtful: DoubtfulField?

  @usableFromInline static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> BTSnoop? {
    if isAll, start.count < fileHeaderLength, isIdentification(start) {
      throw .cutOffStart(
        "a btsnoop file cut off in its header", layer: "btsnoop", after: start.count, of: fileHeaderLength)
    }
    var reader = OctetReader(start, layer: "btsnoop")
    guard let first = try? reader.uint32("Identification", .big), first == magic.0,
      let second = try? reader.uint32("Identification", .big), second == magic.1
    else { return nil }
    if case .undecided = BTSnooz.rawRecords(start, isAll: isAll) { return nil }
    guard let times = SoundTimes(ofFile: start, isAll: isAll) else { return nil }
    let version = try reader.uint32("Version", .big)
    guard version == 1 else { throw reader.invalid("Version", "\(version); only version 1 is known") }
    let linkType = try LinkType(btsnoopNumber: try reader.uint32("Data link", .big), reader)
    return BTSnoop(linkType: linkType, times: times)
  }

  /// Whether octets are "btsnoop\0", as far as they go, and enough to tell.
  private static func isIdentification(_ start: Span<UInt8>) -> Bool {
    let whole = ContiguousArray("btsnoop\0".utf8)
    return start.count >= ParsingError.fewestOctets
      && whole.indices.allSatisfy { $0 >= start.count || start[$0] == whole[$0] }
  }

  /// The format of what phones write, where a file's header is missing.
  static let withoutHeader = BTSnoop(linkType: .h4, times: .ofThisAge)

  private init(linkType: LinkType, times: SoundTimes) {
    self.linkType = linkType
    self.times = times
  }

  @inlinable @inline(__always)
  func usualLength(_ octets: Span<UInt8>, at index: Int) -> Int? {
    // The length is neither 0 nor too large: what is 0 is huge when 1 is taken from it.
    guard let header = Header(octets, at: index), header.original &- 1 < Self.longestRecord,
      header.included <= header.original, times.contains(header.time)
    else { return nil }
    return headerLength &+ Int(header.included)
  }

  @usableFromInline func extent(_ octets: Span<UInt8>, at index: Int) throws(ParsingError) -> BlockExtent {
    if let length = usualLength(octets, at: index) { return .octets(length) }
    guard let header = Header(octets, at: index) else { return shortExtent(octets, at: index) }
    return try oddExtent(header, at: index)
  }

  @usableFromInline func canBegin(_ octets: Span<UInt8>, at index: Int) -> Bool {
    guard let header = Header(octets, at: index) else { return true }
    return header.isFileHeader || isSound(header)
  }

  /// Whether a record's header may be right.
  private func isSound(_ header: Header) -> Bool {
    let kept = keptLength(header)
    return kept <= Self.longestRecord
      && (doubtful != nil && doubtful != .time && kept > 0 || hasSoundOriginal(header))
      && (doubtful == .time && kept > 0 || times.contains(header.time))
  }

  /// How much of the packet is there; all of it where the header says what cannot be.
  private func keptLength(_ header: Header) -> UInt32 {
    doubtful == .keptLength && header.included > header.original ? header.original : header.included
  }

  private func hasSoundOriginal(_ header: Header) -> Bool {
    header.original <= Self.longestRecord && header.included <= header.original
      && (header.original > 0 || canBeEmpty && !header.isZero)
  }

  /// Whether a record may hold nothing, as what the monitor says of its adapters does. A length of 0 proves nothing, the
  /// time beside it does: among zeros there is none of this age.
  private var canBeEmpty: Bool { linkType == .linuxMonitor || times.proveHeaders }

  /// What usually cannot be a record header may be a file header, or damage.
  private func oddExtent(_ header: Header, at index: Int) throws(ParsingError) -> BlockExtent {
    if header.isFileHeader { return .octets(Self.fileHeaderLength) }
    func invalid(_ field: String, _ what: String) -> ParsingError {
      ParsingError(layer: "btsnoop", field: field, problem: .invalid(what), offset: index)
    }
    if isSound(header) { return .octets(headerLength + Int(keptLength(header))) }
    let (original, included) = (header.original, header.included)
    guard included <= Self.longestRecord else { throw invalid("Included length", included.octetWords) }
    guard hasSoundOriginal(header) else {
      throw invalid(
        "Original length",
        original == 0 && included == 0 ? "0 octets" : "\(original.octetWords), and \(included) kept")
    }
    throw invalid(
      "Time", "\(header.time) µs is \(times == .ofThisAge ? "not a time of this age" : "far from the others")")
  }

  @usableFromInline func lenient(_ octets: Span<UInt8>, at index: Int) -> BTSnoop? {
    guard doubtful == nil, let header = Header(octets, at: index) else { return nil }
    var lenient = self
    lenient.doubtful =
      if hasSoundOriginal(header) {
        .time
      } else if header.included > header.original, packet(octets, at: index, mayHave: header.original) {
        .keptLength
      } else {
        .originalLength
      }
    return lenient.isSound(header) ? lenient : nil
  }

  /// At the end of the octets, a file header may fit where a record's does not.
  private func shortExtent(_ octets: Span<UInt8>, at index: Int) -> BlockExtent {
    isFileHeader(octets, at: index) ? .octets(Self.fileHeaderLength) : .unknown
  }

  @usableFromInline func isFileHeader(_ octets: Span<UInt8>, at index: Int) -> Bool {
    guard let fields = OctetWindow(octets, at: index, count: Self.fileHeaderLength) else { return false }
    return fields.uint32(at: 0, .big) == Self.magic.0 && fields.uint32(at: 4, .big) == Self.magic.1
  }

  @usableFromInline func uncutLength(_ block: Span<UInt8>) -> Int? {
    Header(block, at: 0).map { headerLength + Int(originalLength($0)) }
  }

  @usableFromInline func packetLength(_ block: Span<UInt8>) -> Int? {
    guard let header = Header(block, at: 0) else { return nil }
    return linkType.wholeLength(of: OctetWindow(block).dropping(headerLength), flags: header.flags)
      .map { headerLength + $0 }
  }

  /// A record does whose time is of this age, and whose packet says of its length what the header does: of one that its kind
  /// tells no length of, others behind it must.
  @usableFromInline func provesItself(_ octets: Span<UInt8>, at index: Int, length: Int) -> Bool {
    guard doubtful == nil, times.proveHeaders, !isFileHeader(octets, at: index) else { return false }
    let block = octets.extracting(index..<(index + length))
    guard let packet = packetLength(block) else { return false }
    return packet == uncutLength(block)
  }

  /// How long the packet was; as long as what is kept where the header says what cannot be.
  @inlinable @inline(__always)
  func originalLength(_ header: Header) -> UInt32 {
    doubtful == .originalLength && (header.original < header.included || header.original > Self.longestRecord)
      ? header.included : header.original
  }

  /// When the packet was captured; unknown where the header says what cannot be.
  @inlinable @inline(__always)
  func time(_ header: Header) -> Timestamp {
    doubtful == .time && !times.contains(header.time) ? .unknown : Self.timestamp(header.time)
  }

  @inlinable @inline(__always)
  mutating func record(_ block: OctetWindow, at place: BlockPlace, of linkType: LinkType) -> CaptureRecord? {
    guard let header = Header(block), !header.isFileHeader else {
      readFileHeader(block)
      return nil
    }
    var place = place
    if header.drops != drops { place.breaks.formUnion(count(header.drops)) }
    return linkType.record(
      at: place, time: time(header), flags: header.flags,
      direction: Self.direction(header.flags), octets: block.dropping(headerLength),
      originalLength: Int(originalLength(header)), offset: place.offset &+ headerLength)
  }

  @inlinable @inline(__always)
  func usualPacket(_ block: OctetWindow, at place: BlockPlace, of linkType: LinkType) -> UsualPacket? {
    guard linkType == .h4, block.count > headerLength, block.uint32(at: 0) == block.uint32(at: 4),
      block.uint32(at: 12, .big) == drops
    else { return nil }
    return UsualPacket(
      number: place.record, time: Self.timestamp(block.uint64(at: 16, .big)), linkType: linkType,
      content: HCIH4.content(ofType: block.uint8(at: headerLength)),
      direction: Self.direction(block.uint32(at: 8, .big)),
      offset: place.offset &+ headerLength &+ HCIH4.headerLength)
  }

  @inlinable @inline(__always)
  static func timestamp(_ time: UInt64) -> Timestamp { Timestamp(microseconds: Int64(bitPattern: time) &- epoch) }

  @inlinable @inline(__always)
  static func direction(_ flags: UInt32) -> Direction { flags & 1 == 0 ? .sent : .received }

  /// A record's header.
  @usableFromInline struct Header {
    /// In octets.
    @inlinable static var length: Int { 24 }

    @usableFromInline let original: UInt32
    @usableFromInline let included: UInt32
    @usableFromInline let flags: UInt32
    @usableFromInline let drops: UInt32
    @usableFromInline let time: UInt64

    @inlinable @inline(__always)
    init?(_ octets: Span<UInt8>, at index: Int) {
      guard let fields = OctetWindow(octets, at: index, count: Self.length) else { return nil }
      self.init(fields)
    }

    @inlinable @inline(__always)
    init?(_ fields: OctetWindow) {
      guard fields.count >= Self.length else { return nil }
      original = fields.uint32(at: 0, .big)
      included = fields.uint32(at: 4, .big)
      flags = fields.uint32(at: 8, .big)
      drops = fields.uint32(at: 12, .big)
      time = fields.uint64(at: 16, .big)
    }

    /// Whether it is nothing but zeros.
    var isZero: Bool { original | included | flags | drops == 0 && time == 0 }
    @inlinable var isFileHeader: Bool { original == BTSnoop.magic.0 && included == BTSnoop.magic.1 }
  }

  /// A second header in the middle: files were concatenated, and the second may be of another kind, or of the one that is
  /// known and not read. Any other number is damaged, most likely, and the kind is that of the first.
  @usableFromInline mutating func readFileHeader(_ block: OctetWindow) {
    var reader = OctetReader(block.octets, layer: "btsnoop")
    guard (try? reader.skip(12, "Identification")) != nil, let number = try? reader.uint32("Data link", .big) else {
      return
    }
    if let told = try? LinkType(btsnoopNumber: number, reader) {
      linkType = told
    } else if number == LinkType.btsnoopSimulator {
      linkType = .unknown
    }
    drops = 0
  }

  /// The field counts up; what it starts with was dropped before this capture and counts too, except where it jumps
  /// as damage makes it jump.
  /// - Returns: What that is between two records.
  @usableFromInline mutating func count(_ drops: UInt32) -> CaptureRecord.Breaks {
    defer { self.drops = drops }
    guard drops > self.drops, drops - self.drops < 1 << 24 else { return [] }
    let more = UInt64(drops - self.drops)
    droppedRecords &+= more
    return .drops(more)
  }
}

extension LinkType {
  /// The number of a radio simulator's packets.
  fileprivate static var btsnoopSimulator: UInt32 { 2002 }

  /// The link type of a number in a btsnoop header. BCSP (1003) and H5 (1004) are written de-framed, as H1.
  init(btsnoopNumber number: UInt32, _ reader: OctetReader) throws(ParsingError) {
    switch number {
    case 1001, 1003, 1004: self = .h1
    case 1002: self = .h4
    case 2001: self = .linuxMonitor
    case Self.btsnoopSimulator:
      throw reader.invalid("Data link", "2002, a radio simulator's packets: take the capture from the host's side")
    default: throw reader.invalid("Data link", "\(number), which is none of HCI (1001, 1002, 1003, 1004, 2001)")
    }
  }
}

public import Octets

/// The classic pcap file, in either octet order, with microseconds or nanoseconds.
///
///     file header                          record header
///     +------------------------+           +------------------------+
///     | magic a1b2c3d4 (µs) or | 4         | seconds                | 4
///     |       a1b23c4d (ns)    |           | micro- or nanoseconds  | 4
///     | version 2, 4           | 4         | captured length        | 4
///     | zone, accuracy         | 8         | original length        | 4
///     | snapshot length        | 4         +------------------------+
///     | link type              | 4         | packet, `captured` octets
///     +------------------------+
///
/// Under the magic number a1b2cd34, once that of a modified libpcap, a record's header goes on with 8 octets about the
/// interface (number 4, protocol 2, packet type 1, padding 1), which are passed over.
@usableFromInline struct PCAP: CaptureFormat {
  @usableFromInline static let name = "pcap"
  static var fileHeaderLength: Int { 24 }

  @usableFromInline var headerLength: Int { header.recordHeaderLength }
  private var header: Header
  /// What fractions count, which may be other than the file header says.
  private var fractionsPerSecond: UInt32
  /// The day of the records that were read.
  private var day = RecordDay()
  @usableFromInline static let firstOctets: [UInt8] = [0xA1, 0xD4, 0x4D, 0x34]
  @usableFromInline private(set) var doubtful: DoubtfulField?

  @usableFromInline var linkType: LinkType { header.linkType }

  private init(_ header: Header) {
    self.header = header
    fractionsPerSecond = header.fractionsPerSecond
  }

  /// What the file header says.
  private struct Header {
    let order: OctetOrder
    let fractionsPerSecond: UInt32
    let recordHeaderLength: Int
    let linkType: LinkType

    init?(_ octets: Span<UInt8>) {
      var reader = OctetReader(octets, layer: "pcap")
      guard let kind = Self.kind(&reader) else { return nil }
      (order, fractionsPerSecond, recordHeaderLength) = kind
      guard (try? reader.uint16("Version", order)) == 2, (try? reader.skip(14, "Zone")) != nil,
        let number = try? reader.uint32("Link type", order)
      else { return nil }
      // The upper half holds frame check sequence lengths and reserved bits.
      linkType = LinkType(number: number & 0xFFFF)
    }

    /// What the magic number says.
    @_lifetime(reader: copy reader)
    private static func kind(
      _ reader: inout OctetReader
    ) -> (OctetOrder, fractionsPerSecond: UInt32, recordHeaderLength: Int)? {
      switch try? reader.uint32("Magic", .little) {
      case 0xA1B2_C3D4: (.little, 1_000_000, 16)
      case 0xA1B2_3C4D: (.little, 1_000_000_000, 16)
      case 0xD4C3_B2A1: (.big, 1_000_000, 16)
      case 0x4D3C_B2A1: (.big, 1_000_000_000, 16)
      case 0xA1B2_CD34: (.little, 1_000_000, 24)
      case 0x34CD_B2A1: (.big, 1_000_000, 24)
      default: nil
      }
    }

    /// All of a magic number but its last octet, of each of them.
    private static let beginnings: [[UInt8]] = [
      [0xA1, 0xB2, 0xC3], [0xA1, 0xB2, 0x3C], [0xA1, 0xB2, 0xCD], [0xD4, 0xC3, 0xB2], [0x4D, 0x3C, 0xB2],
      [0x34, 0xCD, 0xB2],
    ]

    /// Whether octets begin like a header, as far as they go, and are enough to tell.
    static func begins(_ octets: Span<UInt8>) -> Bool {
      if octets.count == ParsingError.fewestOctets { return beginnings.contains { octets.starts(with: $0) } }
      var reader = OctetReader(octets, layer: "pcap")
      guard let (order, _, _) = kind(&reader) else { return false }
      return reader.count < 2 || (try? reader.uint16("Version", order)) == 2
    }
  }

  @usableFromInline static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> PCAP? {
    if isAll, start.count < fileHeaderLength, Header.begins(start) {
      throw .cutOffStart("a pcap file cut off in its header", layer: "pcap", after: start.count, of: fileHeaderLength)
    }
    guard let header = Header(start) else { return nil }
    guard header.linkType.isHCI else {
      throw OctetReader(start, layer: "pcap").invalid("Link type", header.linkType.refusal)
    }
    return PCAP(header)
  }

  @usableFromInline func extent(_ octets: Span<UInt8>, at index: Int) throws(ParsingError) -> BlockExtent {
    if isFileHeader(octets, at: index) { return .octets(Self.fileHeaderLength) }
    guard let record = RecordHeader(octets, at: index, header.order) else { return .unknown }
    guard isSound(record) else { throw damage(record, at: index) }
    return .octets(headerLength + Int(keptLength(record)))
  }

  @usableFromInline func canBegin(_ octets: Span<UInt8>, at index: Int) -> Bool {
    RecordHeader(octets, at: index, header.order).map(isSound) ?? true || isFileHeader(octets, at: index)
  }

  /// Whether a record's header may be right. Where a field is in doubt, its day must be that of others.
  private func isSound(_ record: RecordHeader) -> Bool {
    let kept = keptLength(record)
    guard kept <= BlockWindow.longestPacket, record.seconds != 0 || record.original != 0 else { return false }
    if doubtful != nil {
      guard kept > 0, day.mayHold(record.seconds) else { return false }
    }
    return (doubtful != nil && doubtful != .time || hasSoundOriginal(record))
      && (doubtful == .time || record.fraction < fractionsPerSecond)
  }

  /// How much of the packet is there; all of it where the header says what cannot be.
  private func keptLength(_ record: RecordHeader) -> UInt32 {
    doubtful == .keptLength && record.captured > record.original ? record.original : record.captured
  }

  private func hasSoundOriginal(_ record: RecordHeader) -> Bool {
    record.captured <= record.original && record.original <= BlockWindow.longestPacket
  }

  /// Some writers count nanoseconds, though their files' header says microseconds.
  @usableFromInline func lenient(_ octets: Span<UInt8>, at index: Int) -> PCAP? {
    guard doubtful == nil, let record = RecordHeader(octets, at: index, header.order) else { return nil }
    var lenient = self
    lenient.doubtful =
      if hasSoundOriginal(record) {
        .time
      } else if record.captured > record.original, packet(octets, at: index, mayHave: record.original) {
        .keptLength
      } else {
        .originalLength
      }
    if countsNanoseconds(record, octets, at: index) { lenient.fractionsPerSecond = Self.nanosecondsPerSecond }
    return lenient.isSound(record) ? lenient : nil
  }

  /// Whether a fraction that is none would be one of nanoseconds. Of less than two seconds it may as well be one that was
  /// not carried over: then the record behind it tells.
  private func countsNanoseconds(_ record: RecordHeader, _ octets: Span<UInt8>, at index: Int) -> Bool {
    let nanoseconds = 2 * fractionsPerSecond..<max(2 * fractionsPerSecond, Self.nanosecondsPerSecond)
    if nanoseconds.contains(record.fraction) { return true }
    guard record.fraction > fractionsPerSecond, record.fraction < nanoseconds.lowerBound else { return false }
    let next = RecordHeader(octets, at: index + headerLength + Int(record.captured), header.order)
    return next.map { nanoseconds.contains($0.fraction) } ?? false
  }

  /// Once fractions are known to be nanoseconds, their times are in no doubt.
  @usableFromInline var lasting: PCAP {
    var lasting = self
    if doubtful == .time, fractionsPerSecond != header.fractionsPerSecond { lasting.doubtful = nil }
    return lasting
  }

  private static let nanosecondsPerSecond: UInt32 = 1_000_000_000

  /// How long the packet was; as long as what is kept where the header says what cannot be.
  private func originalLength(_ record: RecordHeader) -> Int {
    Int(doubtful == .originalLength && !hasSoundOriginal(record) ? record.captured : record.original)
  }

  private func damage(_ record: RecordHeader, at index: Int) -> ParsingError {
    let (captured, original) = (record.captured, record.original)
    let (field, what) =
      if captured > BlockWindow.longestPacket {
        ("Captured length", captured.octetWords)
      } else if original > BlockWindow.longestPacket || original < captured {
        ("Original length", "\(original.octetWords), and \(captured) kept")
      } else if record.fraction >= fractionsPerSecond {
        ("Fraction of a second", "\(record.fraction)")
      } else {
        ("Record header", "nothing but zeros")
      }
    return ParsingError(layer: "pcap", field: field, problem: .invalid(what), offset: index)
  }

  /// A record's header.
  private struct RecordHeader {
    let seconds: UInt32
    let fraction: UInt32
    let captured: UInt32
    let original: UInt32

    @inline(__always)
    init?(_ octets: Span<UInt8>, at index: Int, _ order: OctetOrder) {
      guard let fields = OctetWindow(octets, at: index, count: 16) else { return nil }
      seconds = fields.uint32(at: 0, order)
      fraction = fields.uint32(at: 4, order)
      captured = fields.uint32(at: 8, order)
      original = fields.uint32(at: 12, order)
    }
  }

  /// A record lies within a day of the one before, unless the clock was set; one that does not is looked at twice, and so is
  /// one that was cut unless its packet says so, too.
  @usableFromInline func usualLength(_ octets: Span<UInt8>, at index: Int) -> Int? {
    guard !isFileHeader(octets, at: index), let record = RecordHeader(octets, at: index, header.order),
      // The length is neither 0 nor too large: what is 0 is huge when 1 is taken from it.
      record.captured == record.original && record.original &- 1 < BlockWindow.longestPacket
        && record.fraction < fractionsPerSecond && doubtful == nil || isUsualCut(record, octets, at: index),
      day.mayHold(record.seconds)
    else { return nil }
    return headerLength &+ Int(record.captured)
  }

  /// Whether a record is usual whose header says of itself that it is not whole, or once headers are in doubt.
  @inline(never)
  private func isUsualCut(_ record: RecordHeader, _ octets: Span<UInt8>, at index: Int) -> Bool {
    guard record.original > 0, doubtful != .keptLength, isSound(record) else { return false }
    let length = headerLength + Int(record.captured)
    return record.captured == record.original || doubtful == .originalLength
      || length <= octets.count - index && isWhole(octets.extracting(index..<(index + length)))
  }

  @usableFromInline func isTimely(_ octets: Span<UInt8>, at index: Int) -> Bool? {
    guard day.isTelling, !isFileHeader(octets, at: index) else { return nil }
    return RecordHeader(octets, at: index, header.order).map { day.holds($0.seconds) }
  }

  @usableFromInline
  func isConvincing(_ octets: Span<UInt8>, at index: Int, length: Int) -> Bool {
    length > headerLength || isFileHeader(octets, at: index)
  }

  @usableFromInline func uncutLength(_ block: Span<UInt8>) -> Int? {
    RecordHeader(block, at: 0, header.order).map { headerLength + originalLength($0) }
  }

  @usableFromInline func packetLength(_ block: Span<UInt8>) -> Int? {
    linkType.wholeLength(of: OctetWindow(block).dropping(headerLength)).map { headerLength + $0 }
  }

  @usableFromInline func seconds(_ octets: Span<UInt8>, at index: Int) -> UInt32? {
    RecordHeader(octets, at: index, header.order)?.seconds
  }

  @usableFromInline
  mutating func record(_ block: OctetWindow, at place: BlockPlace, of linkType: LinkType) -> CaptureRecord? {
    let octets = block.octets
    if isFileHeader(octets, at: 0), let second = Header(octets) {
      self = PCAP(second)
      return nil
    }
    guard let record = RecordHeader(octets, at: 0, header.order) else { return nil }
    day.note(record.seconds)
    // Of what is less than two seconds, one was not carried over; more tells nothing.
    let fraction = record.fraction < 2 * fractionsPerSecond ? record.fraction : 0
    let microseconds = fractionsPerSecond == 1_000_000 ? fraction : fraction / 1000
    return linkType.record(
      at: place, time: Timestamp(microseconds: Int64(record.seconds) * 1_000_000 + Int64(microseconds)),
      octets: block.dropping(headerLength), originalLength: originalLength(record), offset: place.offset + headerLength)
  }

  /// A second header in the middle: files were concatenated. As a record it would have a magic number for a
  /// time: one in the year 2055 or later, or one of two seconds in 1998 and 2011.
  @inline(__always)
  @usableFromInline func isFileHeader(_ octets: Span<UInt8>, at index: Int) -> Bool {
    // One of `firstOctets`, which to ask would take longer: it is asked of every record.
    guard index < octets.count,
      octets[index] == 0xA1 || octets[index] == 0xD4 || octets[index] == 0x4D || octets[index] == 0x34,
      octets.count - index >= Self.fileHeaderLength
    else { return false }
    return Header(octets.extracting(index..<(index + Self.fileHeaderLength))) != nil
  }

  @usableFromInline func reading(behindHeaderAt index: Int, in octets: Span<UInt8>) -> PCAP? {
    guard isFileHeader(octets, at: index) else { return nil }
    return Header(octets.extracting(index..<(index + Self.fileHeaderLength))).map(PCAP.init)
  }
}

public import Octets

/// Apple PacketLogger. There is no file header, and the octet order differs between versions, so the file is
/// recognised by a run of records that make sense, or by packets of one day among what may not; not by the first one, which
/// may be damaged.
///
///     +------------------------+
///     | length of what follows | 4     9 + packet
///     | seconds                | 4
///     | microseconds           | 4
///     | type                   | 1
///     +------------------------+
///     | packet
@usableFromInline struct PacketLogger: CaptureFormat {
  @usableFromInline static let name = "packetlogger"
  /// The part of the header that the length counts.
  static var countedHeaderLength: UInt32 { 9 }
  /// More than the longest packet with its own header: what follows that is counted in 16 bits.
  static var tooLongRecord: UInt32 { countedHeaderLength + 4 + 0x1_0000 }

  /// A record's header, in octets.
  private static var recordHeaderLength: Int { 13 }

  @usableFromInline var headerLength: Int { Self.recordHeaderLength }
  @usableFromInline var confirmations: Int { 4 }
  private let order: OctetOrder
  /// The day of the records that were read.
  private var day = RecordDay()
  @usableFromInline private(set) var doubtful: DoubtfulField?

  @usableFromInline var linkType: LinkType { .packetLogger }

  private init(order: OctetOrder) {
    self.order = order
  }

  /// iOS and macOS write little-endian, and iOS local time; the older, big-endian form comes from elsewhere.
  @usableFromInline var clock: CaptureClock { order == .little ? .local : .unknown }

  @usableFromInline static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> PacketLogger? {
    for order in [OctetOrder.little, .big] {
      let format = PacketLogger(order: order)
      if format.makesSense(of: start, isAll: isAll) || format.hasPacketsOfOneDay(start, isAll: isAll) { return format }
    }
    return nil
  }

  /// Whether a run of records begins here: five, or fewer if they end where the input does. A record cut off by the
  /// input's end counts, but not alone.
  private func makesSense(of start: Span<UInt8>, isAll: Bool) -> Bool {
    var place = 0
    var records = 0
    while records < 5 {
      if isAll, place == start.count { return records > 0 }
      guard let extent = try? extent(start, at: place) else { return false }
      guard case .octets(let length) = extent, length <= start.count - place,
        isKnownType(start[place + headerLength - 1])
      else { return isAll && (records > 1 || records == 1 && isSurePacket(start.extracting(..<place))) }
      place += length
      records += 1
    }
    return true
  }

  /// Whether a record is a packet of an age in which there was Bluetooth, and as long as it says itself.
  private func isSurePacket(_ record: Span<UInt8>) -> Bool {
    guard let header = OctetWindow(record, count: headerLength) else { return false }
    return header.uint32(at: 4, order) >= RecordDay.firstYear && Self.isPacket(header.uint8(at: 12))
      && packetLength(record) == record.count
  }

  private func isKnownType(_ type: UInt8) -> Bool {
    type <= 0x0B || (0x10...0x13).contains(type) || type >= 0xF0
  }

  /// Whether four packets of one day begin here, fewer if the input ends, whatever else stands between: records of types
  /// that are not known, notes, damage. Small numbers are found in anything, and tables of times in many files: so a
  /// packet counts only right behind another record, or at the start, and if it is of an age in which there was Bluetooth;
  /// and of what follows damage, only one run of records counts.
  private func hasPacketsOfOneDay(_ start: Span<UInt8>, isAll: Bool) -> Bool {
    var place = 0
    var (isInStep, isFirstRun) = (true, true)
    var day: UInt32?
    var (packets, laterPackets) = (0, 0)
    while packets + laterPackets < 4 {
      guard let header = OctetWindow(start, at: place, count: headerLength) else {
        return isAll && (packets > 1 || packets + laterPackets > 2)
      }
      let seconds = header.uint32(at: 4, order)
      let isOfDay =
        seconds >= RecordDay.firstYear && Self.isPacket(header.uint8(at: 12))
        && RecordDay.areOne(seconds, day ?? seconds)
      if let length = length(header), isInStep || isOfDay {
        if isInStep, isOfDay {
          day = day ?? seconds
          if isFirstRun { packets += 1 } else { laterPackets += 1 }
        } else if !isInStep {
          laterPackets = 0
        }
        place += length
        isInStep = true
      } else {
        guard place > 0 else { return false }
        place += 1
        (isInStep, isFirstRun) = (false, false)
      }
    }
    return true
  }

  /// The format of records that begin somewhere in these octets: behind one that is damaged or was cut through, or behind
  /// what a shell has said. What stands before them is passed over as damage is, now that their day is known.
  /// - Parameter longest: As many octets may stand before them.
  static func amid(_ start: Span<UInt8>, within longest: Int, isAll: Bool) -> PacketLogger? {
    for place in 0..<min(start.count, longest) {
      for order in [OctetOrder.little, .big] {
        var format = PacketLogger(order: order)
        guard let seconds = format.provenTime(start, at: place, isAll: isAll) else { continue }
        format.day.note(seconds)
        return format
      }
    }
    return nil
  }

  /// When four packets of one day came that begin at a place, or two and more up to the end of the input; nil if none do.
  /// Each must be as long as it says itself: what is found anywhere in a file needs more to be believed than its start.
  private func provenTime(_ start: Span<UInt8>, at first: Int, isAll: Bool) -> UInt32? {
    var (place, packets) = (first, 0)
    var day: UInt32?
    var dayAtEnd: UInt32? { isAll && packets > 1 ? day : nil }
    for _ in 0..<Self.mostRecords {
      guard packets < 4 else { return day }
      guard let header = OctetWindow(start, at: place, count: headerLength) else { return dayAtEnd }
      guard let length = length(header) else { return nil }
      let end = place + length
      if Self.isPacket(header.uint8(at: headerLength - 1)) {
        let seconds = header.uint32(at: 4, order)
        guard (RecordDay.firstYear...Self.lastYear).contains(seconds), RecordDay.areOne(seconds, day ?? seconds) else {
          return nil
        }
        guard end <= start.count else { return dayAtEnd }
        guard packetLength(start.extracting(place..<end)) == length else { return nil }
        day = seconds
        packets += 1
      }
      guard day != nil else { return nil }
      place = end
    }
    return nil
  }

  /// As many are looked at, notes between packets among them.
  private static let mostRecords = 32

  /// Why these octets, all there are, may be no capture: the file seems to end in its first record.
  static func cutOff(_ start: Span<UInt8>) -> ParsingError? {
    guard let header = OctetWindow(start, count: recordHeaderLength), isPacket(header.uint8(at: 12)) else { return nil }
    for order in [OctetOrder.little, .big] {
      guard let length = PacketLogger(order: order).length(header), length > start.count,
        (RecordDay.firstYear...lastYear).contains(header.uint32(at: 4, order))
      else { continue }
      // Little speaks for it: it is not said in the name of the format.
      return .cutOffStart(
        "as it seems, an Apple PacketLogger file cut off in its first record", after: start.count, of: length)
    }
    return nil
  }

  /// 2038, in which 31 bits of seconds end.
  private static let lastYear: UInt32 = 0x7FFF_FFFF

  private static func isPacket(_ type: UInt8) -> Bool { PacketLoggerTypes.meaning(UInt32(type)).content.isPacket }

  /// How long the record behind a header is; nil if it is none.
  private func length(_ header: OctetWindow) -> Int? {
    let length = header.uint32(at: 0, order)
    // What is too short is huge when so much is taken from it.
    guard length &- Self.countedHeaderLength < Self.tooLongRecord - Self.countedHeaderLength,
      header.uint32(at: 8, order) < 1_000_000
        || doubtful == .time && day.holds(header.uint32(at: 4, order))
    else { return nil }
    return 4 + Int(length)
  }

  @usableFromInline func extent(_ octets: Span<UInt8>, at index: Int) throws(ParsingError) -> BlockExtent {
    guard let header = OctetWindow(octets, at: index, count: headerLength) else { return .unknown }
    if let length = length(header) { return .octets(length) }
    let (length, microseconds) = (header.uint32(at: 0, order), header.uint32(at: 8, order))
    guard length >= Self.countedHeaderLength, length < Self.tooLongRecord else {
      throw damage("Length", length.octetWords, at: index)
    }
    throw damage("Microseconds", "\(microseconds)", at: index)
  }

  @usableFromInline func lenient(_ octets: Span<UInt8>, at index: Int) -> PacketLogger? {
    guard doubtful == nil, let header = OctetWindow(octets, at: index, count: headerLength) else { return nil }
    var lenient = self
    lenient.doubtful = .time
    return lenient.length(header) == nil ? nil : lenient
  }

  @usableFromInline func canBegin(_ octets: Span<UInt8>, at index: Int) -> Bool {
    guard let header = OctetWindow(octets, at: index, count: headerLength) else { return true }
    return length(header) != nil
  }

  /// A record lies within a day of the one before, unless it is a note; one that does not is looked at twice, and so is one
  /// whose packet says another length.
  @usableFromInline func usualLength(_ octets: Span<UInt8>, at index: Int) -> Int? {
    guard let header = OctetWindow(octets, at: index, count: headerLength &+ 4), let length = length(header),
      day.mayHold(header.uint32(at: 4, order)), agrees(header, on: length &- headerLength)
    else { return nil }
    return length
  }

  /// Whether a packet says of itself that it is so long, as far as its kind tells. A shorter one than its own header cannot.
  /// - Parameter header: The record's header and the next four octets.
  @inline(__always)
  private func agrees(_ header: OctetWindow, on length: Int) -> Bool {
    switch header.uint8(at: 12) {
    case 0x02, 0x03: length == 4 &+ Int(header.uint16(at: 15))
    case 0x01: length == 2 &+ Int(header.uint8(at: 14))
    case 0x00: length == 3 &+ Int(header.uint8(at: 15))
    default: true
    }
  }

  @usableFromInline func isTimely(_ octets: Span<UInt8>, at index: Int) -> Bool? {
    guard day.isTelling, let header = OctetWindow(octets, at: index, count: headerLength) else { return nil }
    return day.holds(header.uint32(at: 4, order))
  }

  @usableFromInline func packetLength(_ block: Span<UInt8>) -> Int? {
    guard let header = OctetWindow(block, count: headerLength) else { return nil }
    return linkType.wholeLength(
      of: OctetWindow(block).dropping(headerLength), flags: UInt32(header.uint8(at: headerLength - 1))
    ).map { headerLength + $0 }
  }

  @usableFromInline func seconds(_ octets: Span<UInt8>, at index: Int) -> UInt32? {
    OctetWindow(octets, at: index, count: headerLength)?.uint32(at: 4, order)
  }

  private func damage(_ field: String, _ what: String, at index: Int) -> ParsingError {
    ParsingError(layer: "PacketLogger", field: field, problem: .invalid(what), offset: index)
  }

  @usableFromInline
  mutating func record(_ block: OctetWindow, at place: BlockPlace, of linkType: LinkType) -> CaptureRecord? {
    guard block.count >= headerLength else { return nil }
    let (seconds, microseconds) = (block.uint32(at: 4, order), block.uint32(at: 8, order))
    let type = block.uint8(at: headerLength - 1)
    if type < 0xF0 || day.holds(seconds) { day.note(seconds) }
    let octets = block.dropping(headerLength)
    // Of what is less than two seconds, one was not carried over; more tells nothing.
    let fraction = microseconds < 2_000_000 ? Int64(microseconds) : 0
    return linkType.record(
      at: place, time: Timestamp(microseconds: Int64(seconds) * 1_000_000 + fraction),
      flags: UInt32(type), octets: octets, originalLength: octets.count,
      offset: place.offset &+ headerLength)
  }
}

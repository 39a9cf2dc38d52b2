public import Octets

/// pcapng: blocks, each framed by its length on both sides.
///
///     +------------------------+
///     | block type             | 4     0A0D0D0A section, 1 interface, 6 enhanced, 3 simple, 2 (old) packet
///     | total length           | 4
///     +------------------------+
///     | body, padded to 4      |
///     +------------------------+
///     | total length again     | 4
///     +------------------------+
///
/// A section has its own octet order, an interface its own link type and clock. Interfaces are numbered anew in each
/// section. Those of HCI are adapters, each with connection handles of its own: the same name is the same adapter
/// throughout the file, bluetooth1 the one of that number; where there is no name, the same place among those of a
/// section. The Linux monitor tells the adapter of each packet, anew on each of its interfaces.
/// IETF draft-ietf-opsawg-pcapng, 3.1 and 4.
@usableFromInline struct PCAPNG: CaptureFormat {
  @usableFromInline static let name = "pcapng"
  @usableFromInline static let firstOctets: [UInt8] = [0x0A]
  @usableFromInline let headerLength = Frame.emptyLength
  private var order: OctetOrder
  private var interfaces: [Interface] = []
  /// What all interfaces of the file so far are like.
  private var likeness = Likeness.unknown
  private var adapters = AdapterNumbers()
  /// The number of the first record of this section.
  private var firstRecord = 0
  @usableFromInline private(set) var droppedRecords: UInt64 = 0
  /// Which lengths are believed though they cannot be right; nil if none are.
  private var lenience: Lenience?

  @usableFromInline static func recognise(_ start: Span<UInt8>, isAll: Bool) throws(ParsingError) -> PCAPNG? {
    guard let format = sectionOrder(start).map(PCAPNG.init) else {
      if isAll, start.count < 12, isSectionType(start) {
        throw cutOff(start.count, of: shortestSection)
      }
      return nil
    }
    guard let whole = format.missingLength(start) else { return format }
    if isAll, !format.hasBlocks(start) { throw cutOff(start.count, of: whole) }
    return isAll ? format : nil
  }

  /// Whether octets are the type of a Section Header Block, as far as they go, and enough to tell.
  private static func isSectionType(_ start: Span<UInt8>) -> Bool {
    var type = ContiguousArray<UInt8>()
    type.append(BlockType.section, order: .little)
    return start.count >= ParsingError.fewestOctets && start.starts(with: Array(type.prefix(start.count)))
  }

  /// The length of a Section Header Block without options.
  private static let shortestSection = 28
  /// What claims to have more options is damaged.
  private static let longestSection: UInt32 = 0x1_0000

  private static func cutOff(_ count: Int, of whole: Int) -> ParsingError {
    .cutOffStart("a pcapng file cut off in its section header", layer: "pcapng", after: count, of: whole)
  }

  /// The length of the first section's header, if it is not all there.
  private func missingLength(_ start: Span<UInt8>) -> Int? {
    guard let told = OctetWindow(start, at: 4, count: 4)?.uint32(at: 0, order) else { return nil }
    let length = told <= Self.longestSection ? max(Int(told), Self.shortestSection) : Self.shortestSection
    return start.count < length ? length : nil
  }

  /// Whether whole blocks stand in what seems to be the first section's header: then its length is damaged.
  private func hasBlocks(_ start: Span<UInt8>) -> Bool {
    var place = Self.shortestSection
    while place < start.count {
      if canBegin(start, at: place), case .octets(let length)? = try? extent(start, at: place),
        length <= start.count - place, isConvincing(start, at: place, length: length)
      {
        return true
      }
      place += 1
    }
    return false
  }

  /// Whether all interfaces of the file are alike.
  private enum Likeness {
    /// There are none so far.
    case unknown
    /// Their packets are all read as those of one.
    case alike(Interface)
    case different
  }

  private init(order: OctetOrder) {
    self.order = order
  }

  @usableFromInline func extent(_ octets: Span<UInt8>, at index: Int) throws(ParsingError) -> BlockExtent {
    guard let frame = Frame(octets, at: index, order) else { return .unknown }
    if !frame.isSound || frame.isLong, let length = oddLength(octets, at: index) { return .octets(length) }
    guard frame.isSound else { throw frame.damage(at: index) }
    return frame.isLong ? .tooLong(octets: frame.length) : .octets(frame.length)
  }

  @usableFromInline func canBegin(_ octets: Span<UInt8>, at index: Int) -> Bool {
    guard let frame = Frame(octets, at: index, order) else { return true }
    return frame.isSound || oddLength(octets, at: index) != nil
  }

  /// How far a block reaches whose lengths cannot both be right, if it is one that is believed.
  @inline(__always)
  private func oddLength(_ octets: Span<UInt8>, at index: Int) -> Int? {
    lenience.flatMap { Frame.length($0, octets, at: index, order) }
  }

  @usableFromInline func lenient(_ octets: Span<UInt8>, at index: Int) -> PCAPNG? {
    var lenient = self
    lenient.lenience = Lenience.allCases.first { Frame.length($0, octets, at: index, order) != nil }
    return lenience == nil && lenient.lenience != nil ? lenient : nil
  }

  /// Its lengths are all that is odd about a block.
  @usableFromInline func strict(behind lenient: PCAPNG) -> PCAPNG {
    var strict = lenient
    strict.lenience = nil
    return strict
  }

  /// In doubt only blocks of known types are believed, and none that are empty.
  @usableFromInline func isConvincing(_ octets: Span<UInt8>, at index: Int, length: Int) -> Bool {
    if Self.sectionOrder(octets, at: index) != nil { return true }
    guard let type = OctetWindow(octets, at: index, count: 4)?.uint32(at: 0, order) else { return false }
    return BlockType.isKnown(type) && length > headerLength
  }

  /// A section header does, and so does a packet of an interface that there is, with room for what was captured of it: all
  /// this beside a length on both sides.
  @usableFromInline func provesItself(_ octets: Span<UInt8>, at index: Int, length: Int) -> Bool {
    if lenience != nil, Frame(octets, at: index, order)?.isSound != true { return false }
    if Self.sectionOrder(octets, at: index) != nil { return true }
    guard let block = OctetWindow(octets, at: index, count: length), length >= Self.emptyPacketBlock,
      block.uint32(at: 0, order) == BlockType.enhancedPacket
    else { return false }
    let captured = block.uint32(at: 20, order)
    return Int(block.uint32(at: 8, order)) < interfaces.count && captured <= block.uint32(at: 24, order)
      && Int(captured) <= length - Self.emptyPacketBlock
  }

  /// A section with more is made to exhaust memory: packets of the others are records of no known kind.
  private static let mostInterfaces = 1 << 16

  /// The length of an Enhanced Packet Block with nothing in it.
  private static let emptyPacketBlock = 32

  @usableFromInline func reading(behindHeaderAt index: Int, in octets: Span<UInt8>) -> PCAPNG? {
    Self.sectionOrder(octets, at: index).map(PCAPNG.init)
  }

  @usableFromInline var isFramed: Bool { true }
  /// Of one whose two lengths are not the same, either may be the wrong one.
  @usableFromInline func uncutLength(_ block: Span<UInt8>) -> Int? {
    Frame(block, at: 0, order)?.isSound == true ? block.count : nil
  }

  @usableFromInline
  mutating func record(_ block: OctetWindow, at place: BlockPlace, of linkType: LinkType) -> CaptureRecord? {
    var reader = OctetReader(block.octets, layer: "pcapng", origin: place.offset)
    if let order = Self.sectionOrder(block.octets) {
      self.order = order
      interfaces = []
      firstRecord = place.record
      adapters.beginSection()
      return nil
    }
    guard let type = try? reader.uint32("Block type", order), (try? reader.skip(4, "Total length")) != nil,
      reader.count >= 4
    else { return nil }
    let start = reader.offset
    var body = OctetReader(reader.prefix(reader.count - 4), layer: "pcapng", origin: start)
    switch type {
    case BlockType.interface:
      addInterface(&body, isLate: place.record > firstRecord)
      return nil
    case BlockType.statistics:
      addStatistics(&body)
      return nil
    case BlockType.enhancedPacket, BlockType.oldPacket:
      if let record = packet(&body, at: place, isOld: type == BlockType.oldPacket) { return record }
      return Self.broken(body, at: place, as: .unreadable)
    case BlockType.simplePacket:
      if let record = simplePacket(&body, at: place) { return record }
      return Self.broken(body, at: place, as: .unreadable)
    default:
      return BlockType.isRecord(type) ? Self.broken(body, at: place) : nil
    }
  }

  @usableFromInline mutating func front(_ block: OctetWindow, at place: BlockPlace) -> BlockFront {
    guard let header = OctetWindow(block, at: 0, count: Self.emptyPacketBlock - 4) else { return BlockFront() }
    let read = record(block, at: place, of: linkType)
    let type = header.uint32(at: 0, order)
    if type == BlockType.interface { return BlockFront(record: read, unread: .rest) }
    guard let (interface, packet) = packet(type, header), interface.linkType.isHCI else {
      return BlockFront(record: read)
    }
    return packet.upperBound <= block.count ? BlockFront(record: read, unread: .rest) : BlockFront(unread: .all)
  }

  @usableFromInline func accounts(for length: Int, _ octets: Span<UInt8>, at index: Int) -> Bool {
    guard let header = OctetWindow(octets, at: index, count: Self.emptyPacketBlock - 4),
      let (_, packet) = packet(header.uint32(at: 0, order), header)
    else { return false }
    return packet.upperBound <= length && packet.count > length / 2
  }

  /// A file begins with a section header. Right behind a block whose length is wrong another may stand, too, where files
  /// were joined: then the length at the block's other end is the right one.
  @usableFromInline func mayHold(blocksAt place: Int, _ octets: Span<UInt8>, at index: Int) -> Bool {
    guard Self.sectionOrder(octets, at: place) != nil else { return false }
    guard place - index >= headerLength,
      let again = OctetWindow(octets, at: place - 4, count: 4)?.uint32(at: 0, order)
    else { return true }
    return Int(again) != place - index
  }

  /// The interface of a packet, if that is described, and where in its block the packet stands.
  private func packet(_ type: UInt32, _ header: OctetWindow) -> (Interface, place: Range<Int>)? {
    let number: Int
    var (start, length) = (header.count, Int(header.uint32(at: 20, order)))
    switch type {
    case BlockType.enhancedPacket: number = Int(header.uint32(at: 8, order))
    case BlockType.oldPacket: number = Int(header.uint16(at: 8, order))
    case BlockType.simplePacket: (number, start, length) = (0, 12, Int(header.uint32(at: 8, order)))
    default: return nil
    }
    guard let interface = interface(number) else { return nil }
    if type == BlockType.simplePacket, interface.snapshotLength > 0 { length = min(length, interface.snapshotLength) }
    return (interface, start..<(start + length))
  }

  /// Enhanced Packet Block: interface, time (high, low), captured and original length, packet, options.
  /// The old Packet Block has a 16-bit interface, and a drop count beside it.
  private mutating func packet(_ body: inout OctetReader, at place: BlockPlace, isOld: Bool) -> CaptureRecord? {
    var place = place
    var drops: UInt64 = 0
    guard let number = try? (isOld ? UInt32(body.uint16("Interface", order)) : body.uint32("Interface", order)) else {
      return nil
    }
    if isOld {
      guard let told = try? body.uint16("Drops", order) else { return nil }
      if told != .max { drops = UInt64(told) }
    }
    guard let high = try? body.uint32("Time", order), let low = try? body.uint32("Time", order),
      let captured = try? body.uint32("Captured length", order),
      let original = try? body.uint32("Original length", order), let interface = interface(Int(number))
    else { return nil }
    let start = body.offset
    let octets = body.prefix(Int(captured))
    body.skip(upTo: (4 - Int(captured) % 4) % 4)
    let options = body.isAtEnd ? PacketOptions() : PacketOptions(&body, order)
    drops = drops.withDrops(options.drops)
    // What another kind of interface lost is no packet of Bluetooth.
    if drops > 0, interface.linkType.isHCI {
      noteDrops(drops, onInterface: Int(number))
      place.breaks.formUnion(.drops(drops))
    }
    let length = Self.originalLength(original, of: octets, captured, &place)
    return interface.linkType.record(
      at: place, time: interface.time(UInt64(high) << 32 | UInt64(low)), direction: options.direction,
      adapter: interface.adapter, octets: OctetWindow(octets),
      originalLength: length, offset: start)
  }

  /// How long a packet was, as far as what is told of it can be believed.
  private static func originalLength(
    _ told: UInt32, of octets: Span<UInt8>, _ captured: UInt32, _ place: inout BlockPlace
  ) -> Int {
    guard told < captured || told > BlockWindow.longestPacket else { return Int(told) }
    place.breaks.insert(.oddLength)
    return octets.count
  }

  /// Simple Packet Block: original length, packet. It belongs to the first interface and has no time.
  private mutating func simplePacket(_ body: inout OctetReader, at place: BlockPlace) -> CaptureRecord? {
    guard let original = try? body.uint32("Original length", order), let interface = interface(0) else {
      return nil
    }
    let start = body.offset
    let kept = interface.snapshotLength == 0 ? Int(original) : min(Int(original), interface.snapshotLength)
    let octets = body.prefix(kept)
    var place = place
    let length = Self.originalLength(original, of: octets, 0, &place)
    return interface.linkType.record(
      at: place, time: .unknown, adapter: interface.adapter, octets: OctetWindow(octets), originalLength: length,
      offset: start)
  }

  /// Counts drops that were not told before.
  private mutating func noteDrops(_ count: UInt64, onInterface number: Int) {
    droppedRecords = droppedRecords.withDrops(count)
    if number < interfaces.count { interfaces[number].drops = interfaces[number].drops.withDrops(count) }
  }

  /// Interface Statistics Block: interface, time, options. They count from the beginning of the capture, and so tell again
  /// what its packets have told.
  private mutating func addStatistics(_ body: inout OctetReader) {
    guard let number = try? body.uint32("Interface", order), (try? body.skip(8, "Time")) != nil,
      Int(number) < interfaces.count, interfaces[Int(number)].linkType.isHCI
    else { return }
    let drops = Self.drops(&body, order)
    let told = interfaces[Int(number)].drops
    if drops > told { noteDrops(drops - told, onInterface: Int(number)) }
  }

  /// - Parameter isLate: Whether packets of the section stand before it.
  private mutating func addInterface(_ body: inout OctetReader, isLate: Bool) {
    guard interfaces.count < Self.mostInterfaces else { return }
    var name: InterfaceName?
    var interface = Interface(&body, order, name: &name)
    interface.hasName = name != nil
    if interface.linkType.isHCI {
      interface.adapter = adapters.number(of: interface.linkType, named: name, isLate: isLate)
    }
    interfaces.append(interface)
    switch likeness {
    case .unknown: likeness = .alike(interface)
    case .alike(let first) where !interface.isLike(first): likeness = .different
    case .alike, .different: break
    }
  }

  /// An interface of this section. Where none is described, the description is damaged: then it is as those of the
  /// sections before, if these are all alike.
  private func interface(_ number: Int) -> Interface? {
    if number < interfaces.count { return interfaces[number] }
    return if interfaces.isEmpty, case .alike(let one) = likeness { one } else { nil }
  }

  /// An interface is captured to the end if the last section describes it, and it is the only one there, or has a name:
  /// without one it is of a file that was merged into this, and that may have ended long before.
  @usableFromInline func isCaptured(toTheEnd adapter: UInt16) -> Bool {
    let adapters = interfaces.filter(\.linkType.isHCI)
    guard let first = adapters.first else { return true }
    return adapters.count == 1 ? first.holds(adapter) : adapters.contains { $0.hasName && $0.holds(adapter) }
  }

  /// A packet block that cannot be read still is a record, and so is a frame without a packet: frames keep their numbers.
  private static func broken(
    _ body: OctetReader, at place: BlockPlace, as content: RecordContent = .foreign
  ) -> CaptureRecord {
    CaptureRecord(
      at: place, time: .unknown, linkType: .unknown, content: content, direction: nil,
      length: body.span.count, originalLength: body.span.count, offset: body.origin)
  }
}

import CaptureFiles
import Octets
import Testing
import TestSupport

@Suite struct `pcapng` {
  private static let orders = [OctetOrder.little, .big]
  private static let packet = hex("00 00 00 01 04 0e 04 01 03 0c 00")

  private func times(_ options: [UInt8], _ stamp: UInt64, _ kind: PCAPNGBuilder) throws -> [Int64] {
    let file =
      kind.section + kind.interface(linkType: 201, options: options) + kind.enhanced(Self.packet, stamp: stamp)
    return try ReadCapture(file).records.map(\.time)
  }

  @Test(arguments: orders)
  func `clocks of every resolution`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    func resolution(_ value: UInt8) -> [UInt8] { kind.option(9, [value]) + kind.option(0, []) }
    #expect(try times([], 1_773_480_413_000_001, kind) == [1_773_480_413_000_001])
    #expect(try times(resolution(6), 1_773_480_413_000_001, kind) == [1_773_480_413_000_001])
    #expect(try times(resolution(0), 1_773_480_413, kind) == [1_773_480_413_000_000])
    #expect(try times(resolution(3), 1_773_480_413_250, kind) == [1_773_480_413_250_000])
    #expect(try times(resolution(9), 1_773_480_413_000_001_999, kind) == [1_773_480_413_000_001])
    // What is behind all that can be counted is no time.
    for value in [6, 3, 0] as [UInt8] {
      #expect(try times(resolution(value), .max - 1, kind) == [Timestamp.unknown.microseconds])
    }
    // A negative power of two: 2^10 and 2^32 units a second.
    #expect(try times(resolution(0x8A), 1_773_480_413 << 10 | 512, kind) == [1_773_480_413_500_000])
    #expect(try times(resolution(0xA0), 1_773_480_413 << 32 | 1 << 31, kind) == [1_773_480_413_500_000])
    // Such small parts of a second are no microsecond, all together.
    for value in [127, 26, 0xFF, 0xD4] as [UInt8] { #expect(try times(resolution(value), .max, kind) == [0]) }
  }

  @Test(arguments: orders)
  func `clocks with an offset`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    func offset(_ seconds: Int64) -> [UInt8] { kind.option(14, seconds.octets(order)) }
    #expect(try times(offset(1_773_480_000), 413_000_001, kind) == [1_773_480_413_000_001])
    #expect(try times(offset(-7), 8_000_000, kind) == [1_000_000])
    #expect(try times(kind.option(9, [9]) + offset(1), 2_000_003_000, kind) == [3_000_003])
  }

  @Test(arguments: [0x7F, 0xFF, 0x40, 0x93, 20, 19] as [UInt8], [0, 1, .max, 1 << 63] as [UInt64])
  func `odd resolutions and stamps do no harm`(resolution: UInt8, stamp: UInt64) throws {
    for order in Self.orders {
      let kind = PCAPNGBuilder(order)
      for offset in [Int64.min, .max, 0] {
        let options = kind.option(9, [resolution]) + kind.option(14, offset.octets(order))
        #expect(try times(options, stamp, kind).count == 1)
      }
    }
  }

  /// The description of an interface is needed: where only the length behind it is wrong, it is read.
  @Test(arguments: orders) func `an interface whose lengths contradict each other`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    for section in [[], kind.section + kind.interface(linkType: 201) + kind.enhanced(Self.packet)] as [[UInt8]] {
      var interface = kind.interface(linkType: 201)
      interface[interface.count - (order == .little ? 4 : 1)] ^= 4
      let file = section + kind.section + interface + (0..<9).flatMap { _ in kind.enhanced(Self.packet) }
      for delivery in [.whole, .pieces(1), .pieces(7)] as [Delivery] {
        let read = try ReadCapture(file, delivery)
        #expect(read.records.map(\.content) == Array(repeating: .event, count: section.isEmpty ? 9 : 10))
        #expect(read.progress.isComplete && read.progress.damageCount == 1)
      }
    }
  }

  /// Nothing but the sections before tells what an interface was whose description is destroyed.
  @Test(arguments: orders) func `a section whose interface is not described`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    var destroyed = kind.interface(linkType: 201)
    destroyed[order == .little ? 0 : 3] ^= 0x40
    let packets = kind.enhanced(Self.packet) + kind.enhanced(Self.packet)
    let section = kind.section + kind.interface(linkType: 201) + packets
    let file = section + kind.section + destroyed + packets
    for delivery in [.whole, .pieces(1), .pieces(7)] as [Delivery] {
      #expect(try ReadCapture(file, delivery).records.map(\.content) == Array(repeating: .event, count: 4))
    }
    // Where those differ, or describe interfaces beside it, nobody knows.
    let other = kind.section + kind.interface(linkType: 187)
    #expect(try ReadCapture(other + file).records.map(\.content) == [.event, .event, .unreadable, .unreadable])
    let beside = section + kind.enhanced(Self.packet, interface: 1)
    #expect(try ReadCapture(beside).records.map(\.content) == [.event, .event, .unreadable])
  }

  @Test func `interfaces have link types of their own, sections interfaces of their own`() throws {
    let (little, big) = (PCAPNGBuilder(.little), PCAPNGBuilder(.big))
    let monitor = hex("00 02 00 05 40 20 00 00")
    let file =
      little.section + little.interface(linkType: 1) + little.interface(linkType: 201)
      + little.enhanced(Array(repeating: 9, count: 60), interface: 0) + little.enhanced(Self.packet, interface: 1)
      + little.interface(linkType: 254) + little.enhanced(monitor, interface: 2)
      + big.section + big.interface(linkType: 187)
      + big.enhanced(hex("01 03 0c 00"), interface: 0)
    for delivery in [.whole, .pieces(1), .pieces(7)] as [Delivery] {
      let read = try ReadCapture(file, delivery)
      #expect(read.records.map(\.number) == [1, 2, 3, 4])
      #expect(read.records.map(\.linkType) == [.other(1), .h4WithDirection, .linuxMonitorWithHeader, .h4])
      #expect(read.records.map(\.content) == [.foreign, .event, .aclData, .command])
      #expect(read.records.map(\.direction) == [nil, .received, .received, .sent])
      #expect(read.records.map(\.adapter) == [0, 0, 0x102, 0])
      #expect(read.progress.isComplete)
    }
  }

  /// A section may list them in another order, leave one out, or describe one twice.
  @Test func `interfaces of one name are one adapter throughout the file`() throws {
    let kind = PCAPNGBuilder()
    let h4 = hex("01 03 0c 00")
    func interface(_ name: String) -> [UInt8] {
      kind.interface(linkType: 187, options: kind.option(2, Array(name.utf8)) + kind.option(0, []))
    }
    let file =
      kind.section + interface("bluetooth0") + interface("bluetooth1") + kind.enhanced(h4, interface: 0)
      + kind.enhanced(h4, interface: 1) + interface("bluetooth0") + kind.enhanced(h4, interface: 2)
      + kind.section + interface("bluetooth1") + kind.enhanced(h4, interface: 0)
      + kind.section + kind.interface(linkType: 187) + kind.enhanced(h4, interface: 0)
      + interface("bluetooth7") + kind.enhanced(h4, interface: 1)
    #expect(try ReadCapture(file, .whole).records.map(\.adapter) == [0, 1, 0, 1, 0, 7])
  }

  @Test func `adapters have the numbers in their names, none that of another`() throws {
    let kind = PCAPNGBuilder()
    func adapters(_ names: String?...) throws -> [UInt16] {
      var file = kind.section
      for (place, name) in names.enumerated() {
        let options = name.map { kind.option(2, Array($0.utf8)) + kind.option(0, []) } ?? []
        file += kind.interface(linkType: 187, options: options)
        file += kind.enhanced(hex("01 03 0c 00"), interface: UInt32(place))
      }
      return try ReadCapture(file, .whole).records.map(\.adapter)
    }
    #expect(try adapters("bluetooth1", "bluetooth2") == [1, 2])
    #expect(try adapters("bluetooth2", "bluetooth1", "bluetooth2") == [2, 1, 2])
    #expect(try adapters(nil, "bluetooth0", "bluetooth1") == [0, 1, 2])
    #expect(try adapters("bluetooth1", nil) == [1, 0])
    #expect(try adapters("phone", "bluetooth0", "bluetooth", "bluetooth300") == [0, 1, 2, 3])
    #expect(try adapters("bluetooth255", "phone", "bluetooth0", "other") == [255, 1, 0, 3])
    #expect(try adapters("bluetooth255", "bluetooth2", "phone", "other") == [255, 2, 0, 3])
  }

  /// Two computers' captures merged, or two looks at one: hci5 of one is not hci5 of the other.
  @Test func `each interface of the Linux monitor has adapters of its own`() throws {
    let kind = PCAPNGBuilder()
    let (h4, monitor) = (hex("01 03 0c 00"), hex("00 05 00 02 03 0c 00"))
    let interface = kind.interface(linkType: 254)
    let file =
      kind.section + interface + interface + kind.interface(linkType: 187) + kind.enhanced(monitor, interface: 0)
      + kind.enhanced(monitor, interface: 1) + kind.enhanced(h4, interface: 2)
    let adapters: [UInt16] = [5, 0x105, 0x200]
    #expect(try ReadCapture(file + file, .whole).records.map(\.adapter) == adapters + adapters)
    // Described anew, with packets before it.
    let anew = file + interface + kind.enhanced(monitor, interface: 3) + kind.enhanced(monitor, interface: 1)
    #expect(try ReadCapture(anew, .whole).records.map(\.adapter) == adapters + [5, 0x105])
  }

  /// Each controller counts its connection handles by itself. What stands before the packets of the Linux monitor tells
  /// the adapter of each.
  @Test func `interfaces of HCI are adapters, anew in each section`() throws {
    let kind = PCAPNGBuilder()
    let (h4, monitor) = (hex("01 03 0c 00"), hex("00 05 00 02 03 0c 00"))
    let section =
      kind.section + kind.interface(linkType: 1) + kind.interface(linkType: 187) + kind.interface(linkType: 201)
      + kind.enhanced(h4, interface: 0) + kind.enhanced(h4, interface: 1) + kind.enhanced(Self.packet, interface: 2)
      + kind.interface(linkType: 254) + kind.interface(linkType: 187)
      + kind.enhanced(monitor, interface: 3) + kind.enhanced(h4, interface: 4) + kind.old(h4, interface: 1)
    let simple = kind.section + kind.interface(linkType: 187) + kind.interface(linkType: 187) + kind.simple(h4)
    for delivery in [.whole, .pieces(7)] as [Delivery] {
      let read = try ReadCapture(section + section + simple, delivery)
      #expect(read.records.map(\.adapter) == [0, 0, 1, 0x205, 0x300, 0] + [0, 0, 1, 0x205, 0x300, 0] + [0])
      #expect(read.progress.isComplete)
    }
  }

  @Test(arguments: orders)
  func `simple packets have no time and the first interface's snapshot length`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    let whole = kind.section + kind.interface(linkType: 201) + kind.simple(Self.packet)
    let record = try #require(try ReadCapture(whole).records.first)
    #expect(record.octets == Array(Self.packet.dropFirst(5)) && record.originalLength == 6)
    #expect(record.time == Timestamp.unknown.microseconds)
    let cut =
      kind.section + kind.interface(linkType: 201, snapshotLength: 8)
      + kind.simple(Array(Self.packet.prefix(8)), original: 11)
    let short = try #require(try ReadCapture(cut).records.first)
    #expect(short.octets == hex("0e 04 01") && short.originalLength == 6)
  }

  /// Blocks of 20 octets that each take memory: those beyond 65,536 are not known, and what comes on them is no packet.
  @Test func `more interfaces than any computer has`() throws {
    let kind = PCAPNGBuilder(.little)
    var file = kind.section
    for _ in 0..<65_540 { file += kind.interface(linkType: 201) }
    for interface in [0, 65_535, 65_536] as [UInt32] { file += kind.enhanced(Self.packet, interface: interface) }
    let read = try ReadCapture(file)
    #expect(read.records.map(\.content) == [.event, .event, .unreadable] && read.progress.isComplete)
  }

  @Test(arguments: orders)
  func `the old packet block, with its drops`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    let file =
      kind.section + kind.interface(linkType: 187) + kind.interface(linkType: 201)
      + kind.old(Self.packet, interface: 1, drops: 3) + kind.old(hex("01 03 0c 00"), drops: 0xFFFF)
    let read = try ReadCapture(file)
    #expect(read.records.map(\.octets) == [hex("0e 04 01 03 0c 00"), hex("03 0c 00")])
    #expect(read.records.map(\.time) == [CapturedPacket.start, CapturedPacket.start])
    // FFFF is "unknown".
    #expect(read.droppedRecords == 3)
  }

  /// Option 2: bits 0 and 1 of the flags. Option 4: drops.
  @Test(arguments: orders)
  func `the options of a packet tell direction and drops`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    let acl = hex("02 40 10 00 00")
    func packet(_ flags: UInt32, drops: UInt64 = 2) -> [UInt8] {
      kind.enhanced(
        acl,
        options: kind.option(1, Array("a comment".utf8)) + kind.option(2, flags.octets(order))
          + kind.option(4, drops.octets(order)) + kind.option(0, []))
    }
    let file =
      kind.section + kind.interface(linkType: 187) + packet(1) + packet(2, drops: 1) + packet(0, drops: 0)
      + packet(0xFFFF_FFFD, drops: 5)
    let read = try ReadCapture(file)
    #expect(read.records.map(\.direction) == [.received, .sent, nil, .received])
    #expect(read.droppedRecords == 8)
    #expect(read.records.map(\.followsOneDrop) == [false, true, false, false])
  }

  /// What dumpcap writes at the end: options 5 and 7 of an interface's statistics count from the beginning.
  @Test(arguments: orders)
  func `the statistics of an interface tell drops`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    func dropped(_ blocks: [UInt8]...) throws -> UInt64 {
      let interfaces = [201, 187, 1].flatMap { kind.interface(linkType: $0) }
      let read = try ReadCapture(kind.section + interfaces + kind.enhanced(Self.packet) + blocks.flatMap { $0 })
      #expect(read.progress.isComplete)
      return read.droppedRecords
    }
    func told(_ drops: UInt64, _ interface: UInt32 = 0) -> [UInt8] {
      let option = kind.option(4, drops.octets(order))
      return kind.enhanced(interface == 0 ? Self.packet : hex("01 03 0c 00"), interface: interface, options: option)
    }
    func total(_ counts: [(code: UInt16, count: UInt64)], _ interface: UInt32 = 0) -> [UInt8] {
      let comment = kind.option(1, Array("Counters provided by dumpcap".utf8))
      let times = interface.octets(order) + UInt64(0).octets(order)
      return kind.block(5, times + comment + counts.flatMap { kind.option($0.code, $0.count.octets(order)) })
    }
    #expect(try dropped(total([(4, 239), (5, 17)])) == 17)
    #expect(try dropped(total([(7, 3), (5, 17), (6, 200), (8, 222)])) == 20)
    // What packets have told is among it, whichever comes first, and so is what was told before.
    #expect(try dropped(told(5), told(4), total([(5, 17)])) == 17)
    #expect(try dropped(total([(5, 17)]), total([(5, 19)]), total([(5, 19)])) == 19)
    #expect(try dropped(total([(5, 4)]), told(3), total([(5, 7)])) == 7)
    #expect(try dropped(told(9), total([(5, 7)])) == 9)
    // Each interface has its own, and a section's are its own.
    #expect(try dropped(told(5), total([(5, 17)], 1), total([(5, 2)], 0)) == 22)
    let again = kind.section + kind.interface(linkType: 201)
    #expect(try dropped(total([(5, 17)]), again, total([(5, 17)])) == 34)
    // Another kind of interface, one that was never described, and one that says nothing.
    #expect(try dropped(total([(5, 17)], 2), total([(5, 17)], 3), total([]), kind.block(5, [0, 0])) == 0)
    #expect(try dropped(total([(5, .max), (7, .max)])) == .max)
  }

  /// What was lost on a network is no packet of Bluetooth, whatever section it stands in.
  @Test(arguments: orders)
  func `drops of another kind of interface`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    let header = kind.section + kind.interface(linkType: 187) + kind.interface(linkType: 1)
    let option = kind.option(4, UInt64(9).octets(order))
    let lossy =
      kind.old(Self.packet, interface: 1, drops: 3) + kind.enhanced(Self.packet, interface: 1, options: option)
    let packet = kind.enhanced(hex("01 03 0c 00"))
    let later = header + packet + lossy + kind.section + kind.interface(linkType: 187) + packet
    for file in [header + lossy + packet, later] {
      let read = try ReadCapture(file)
      #expect(read.droppedRecords == 0 && read.records.allSatisfy { $0.droppedRecords == 0 && !$0.followsDamage })
    }
  }

  @Test func `an interface that was never described`() throws {
    let kind = PCAPNGBuilder()
    let file =
      kind.section + kind.interface(linkType: 201) + kind.enhanced(Self.packet, interface: 7)
      + kind.enhanced(Self.packet)
    let read = try ReadCapture(file)
    #expect(read.records.map(\.content) == [.unreadable, .event] && read.records.map(\.number) == [1, 2])
  }

  @Test(arguments: [.whole, .pieces(70_000)] as [Delivery])
  func `a block of a mebibyte is passed over`(delivery: Delivery) throws {
    let kind = PCAPNGBuilder()
    let foreign = kind.block(0x8000_1234, Array(repeating: 0x5A, count: 1 << 20))
    let file =
      kind.section + kind.interface(linkType: 201) + kind.enhanced(Self.packet) + foreign + kind.enhanced(Self.packet)
    let read = try ReadCapture(file, delivery)
    #expect(read.packets == [Array(Self.packet.dropFirst(5)), Array(Self.packet.dropFirst(5))])
    #expect(read.progress.isComplete && read.progress.consumedOctets == file.count)
  }

  @Test func `a mebibyte of another interface is a record`() throws {
    let kind = PCAPNGBuilder()
    let file =
      kind.section + kind.interface(linkType: 201) + kind.interface(linkType: 1)
      + kind.enhanced(Array(repeating: 0x5A, count: 1 << 20), interface: 1) + kind.enhanced(Self.packet)
    let read = try ReadCapture(file)
    #expect(read.records.map(\.number).last == 2 && read.progress.records == 2)
  }

  @Test func `a file that ends inside a block that is passed over is not complete`() throws {
    let kind = PCAPNGBuilder()
    let foreign = kind.block(0x8000_1234, Array(repeating: 0x5A, count: 1 << 20))
    let file = kind.section + kind.interface(linkType: 201) + kind.enhanced(Self.packet) + foreign.dropLast(1000)
    for delivery in [.whole, .pieces(70_000)] as [Delivery] {
      let read = try ReadCapture(file, delivery)
      #expect(read.records.count == 1)
      #expect(!read.progress.isComplete)
    }
  }

  @Test func `statistics, names and unknown blocks are no records`() throws {
    let kind = PCAPNGBuilder()
    let file =
      kind.section + kind.interface(linkType: 201)
      + [4, 5, 10, 0x208, 0x8000_0001].reduce([]) { $0 + kind.block($1, Array(repeating: 1, count: 20)) }
      + kind.enhanced(Self.packet)
    let read = try ReadCapture(file)
    #expect(read.records.map(\.number) == [1] && read.progress.isComplete)
  }

  /// Wireshark 4 counts systemd's journal, sysdig's events and Custom Blocks as frames.
  @Test(arguments: [9, 0x204, 0x216, 0x221, 0xBAD, 0x4000_0BAD] as [UInt32], [20, 1 << 20])
  func `frames without a packet are counted`(type: UInt32, length: Int) throws {
    let kind = PCAPNGBuilder()
    let file =
      kind.section + kind.interface(linkType: 201) + kind.enhanced(Self.packet)
      + kind.block(type, Array(repeating: 1, count: length)) + kind.enhanced(Self.packet)
    for delivery in [.whole, .pieces(70_000)] as [Delivery] {
      let read = try ReadCapture(file, delivery)
      let packets = read.records.filter { $0.content == .event }
      #expect(packets.map(\.number) == [1, 3] && read.progress.isComplete)
    }
  }
}

/// Some writers pad a block and do not count the padding in its length.
@Suite struct `Lengths that are not rounded up` {
  /// A block whose length is told without its padding.
  private func block(_ kind: PCAPNGBuilder, _ packet: CapturedPacket) -> [UInt8] {
    var block = kind.record(packet)
    let length = UInt32(block.count - (4 - (5 + packet.octets.count) % 4) % 4).octets(kind.order)
    block.replaceSubrange(4..<8, with: length)
    block.replaceSubrange(block.count - 4..<block.count, with: length)
    return block
  }

  /// Packets of each length there is beside padding.
  private let packets = Traffic.notifications(40).enumerated().map { index, packet in
    var packet = packet
    packet.octets += (0..<(index + 1) * 7 % 4).map { UInt8(0xA0 + $0) }
    packet.octets[2] += UInt8((index + 1) * 7 % 4)
    packet.octets[4] += UInt8((index + 1) * 7 % 4)
    return packet
  }

  @Test(arguments: [OctetOrder.little, .big], [.whole, .pieces(7), .pieces(1000)] as [Delivery])
  func `hide no packets, and are told`(order: OctetOrder, delivery: Delivery) throws {
    let kind = PCAPNGBuilder(order)
    let start = kind.section + kind.interface(linkType: 201)
    for count in [1, 2, 3, 5, 40] {
      let packets = packets.prefix(count)
      let read = try ReadCapture(start + packets.flatMap { block(kind, $0) }, delivery)
      #expect(read.packets == packets.map(\.octets) && read.progress.isComplete)
      #expect((1...2).contains(read.progress.damageCount))
      #expect(read.progress.damages.first?.error.field == "Total length")
    }
  }

  /// The two lengths must be one, and a block must follow.
  @Test func `are believed only where all else is right`() throws {
    let kind = PCAPNGBuilder()
    let start = kind.section + kind.interface(linkType: 201)
    let blocks = packets.map { block(kind, $0) }
    for place in [4, blocks[20].count - 4] {
      var damaged = blocks
      damaged[20][place] ^= 1
      let read = try ReadCapture(start + damaged.joined())
      #expect(read.packets.prefix(20) == packets.prefix(20).map(\.octets)[...])
      #expect(read.packets.suffix(19) == packets.suffix(19).map(\.octets)[...] && read.records.count <= 40)
    }
    // Among blocks that are as they should be, with something else behind it.
    let whole = packets.map { kind.record($0) }
    let file = start + whole[..<20].joined() + blocks[20] + Array(repeating: 0xFF, count: 20) + whole[21...].joined()
    let read = try ReadCapture(file)
    let others = packets.map(\.octets).filter { $0 != packets[20].octets }
    #expect(read.packets.filter { $0 != packets[20].octets } == others && read.progress.skippedOctets >= 20)
  }
}

/// A block tells its length at both ends, and one of the two is damaged.
@Suite struct `Lengths that contradict each other` {
  private static let deliveries: [Delivery] = [.whole, .pieces(7), .pieces(1000)]

  /// Whichever bit it is, at whichever end, of whichever packet.
  @Test(arguments: [OctetOrder.little, .big], deliveries)
  func `cost no packet`(order: OctetOrder, delivery: Delivery) throws {
    let kind = PCAPNGBuilder(order)
    let packets = Traffic.notifications(9)
    let start = kind.section + kind.interface(linkType: 201)
    let comment = kind.option(1, Array("noticed something".utf8))
    let blocks = packets.map {
      kind.enhanced(PCAPBuilder.linkHeader(201, $0) + $0.octets, stamp: UInt64($0.time), options: comment)
    }
    for (place, bit) in [0, 4, 8].flatMap({ place in (0..<14).map { (place, $0) } }) {
      for isFront in [true, false] where isFront || place < 8 {
        var damaged = blocks
        let octet = order == .little ? bit / 8 : 3 - bit / 8
        damaged[place][isFront ? 4 + octet : blocks[place].count - 4 + octet] ^= 1 << (bit % 8)
        let read = try ReadCapture(start + damaged.joined(), delivery)
        // The last one's front may say that the file is cut off.
        let whole = place == 8 && read.progress.cutOff != nil ? Array(packets.prefix(8)) : packets
        #expect(read.packets == whole.map(\.octets), "\(isFront) \(place) \(bit)")
        #expect(read.progress.damageCount == 1 || place == 8)
        #expect(read.progress.skippedOctets == 0)
      }
    }
  }

  /// Where the packet agrees with neither, nobody knows how long the block is.
  @Test func `are not believed where the packet says otherwise`() throws {
    let kind = PCAPNGBuilder()
    let packets = Traffic.notifications(9)
    var blocks = packets.map { kind.record($0) }
    blocks[4][20] = 200
    blocks[4][blocks[4].count - 4] ^= 4
    let read = try ReadCapture(kind.section + kind.interface(linkType: 201) + blocks.joined())
    #expect(read.packets == (packets[..<4] + packets[5...]).map(\.octets))
    #expect(read.progress.skippedOctets == blocks[4].count && read.progress.damageCount == 1)
  }
}

/// Blocks that hold no packet stand between those that do, whoever wrote them.
@Suite struct `Damage in pcapng` {
  private static let types: [UInt32] = [4, 5, 9, 10, 0xBAD, 0x4000_0BAD, 0x102, 0x204, 0x8000_0001]

  /// What is inserted may read as a block's beginning that reaches far behind it.
  @Test(arguments: types, [hex("b9"), hex("00 00"), hex("ff ff ff"), hex("b9 00 00 00 00 00 00 00 00")])
  func `before a block that another kind follows costs neither`(type: UInt32, damage: [UInt8]) throws {
    for order in [OctetOrder.little, .big] {
      let kind = PCAPNGBuilder(order)
      let packets = Traffic.notifications(20)
      let other = kind.block(type, Array("somebody's own data.".utf8))
      let start = kind.section + kind.interface(linkType: 201) + packets.prefix(10).flatMap { kind.record($0) }
      let file = start + damage + packets.dropFirst(10).flatMap { kind.record($0) + other }
      for delivery in [.whole, .pieces(7)] as [Delivery] {
        let read = try ReadCapture(file, delivery)
        #expect(read.packets.filter { !$0.isEmpty && $0.count < 20 } == packets.map(\.octets))
        #expect(read.progress.skippedOctets == damage.count && read.progress.damageCount == 1)
      }
    }
  }

  /// The number of an interface, and times that count milliseconds, read as a description of an interface: its length is
  /// the upper half of a time, and so is the length behind it.
  @Test(arguments: [OctetOrder.little, .big])
  func `in one packet is not mended with another's time`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    let packets = Traffic.notifications(20)
    func record(_ packet: CapturedPacket) -> [UInt8] {
      kind.enhanced(
        PCAPBuilder.linkHeader(201, packet) + packet.octets, interface: 1, stamp: UInt64(packet.time / 1000))
    }
    let clock = kind.option(9, [3])
    let header = kind.section + kind.interface(linkType: 1) + kind.interface(linkType: 201, options: clock)
    // 412 octets behind the number of packet 10's interface, the time of packet 17 stands.
    #expect((CapturedPacket.start / 1000) >> 32 == 0x19C && record(packets[10]).count == 52)
    let damaged = record(packets[10]).prefix(20) + record(packets[10]).dropFirst(24) + Array(repeating: 0xFF, count: 4)
    let statistics = kind.block(5, Array(repeating: 0, count: 28))
    #expect(8 + 0x19C == damaged.count + statistics.count + 6 * 52 + 16)
    let file =
      header + packets.prefix(10).flatMap(record) + damaged + statistics + packets.dropFirst(11).flatMap(record)
    let read = try ReadCapture(file)
    #expect(read.packets.filter { packets.map(\.octets).contains($0) }.count == 19 && read.records.count <= 20)
  }

  /// A block that nobody knows, with a length that is wrong: what it hid is found, and it is not passed over in silence.
  @Test func `in the length of an unknown block is told`() throws {
    let kind = PCAPNGBuilder()
    let packets = Traffic.notifications(20)
    let start = kind.section + kind.interface(linkType: 201) + packets.prefix(10).flatMap { kind.record($0) }
    for length in [400, 4000] as [UInt32] {
      var unknown = kind.block(0x6B9, Array(repeating: 0x41, count: 20))
      unknown.replaceSubrange(4..<8, with: length.little)
      let read = try ReadCapture(start + unknown + packets.dropFirst(10).flatMap { kind.record($0) })
      #expect(read.packets == packets.map(\.octets))
      #expect(read.progress.skippedOctets == unknown.count && read.records[10].followsDamage)
    }
  }
}

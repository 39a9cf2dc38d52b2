import CaptureFiles
import Octets
import TestSupport
import Testing

/// Blocks that seem to lie within one that is damaged, or behind a header that says what cannot be.
@Suite struct `Hidden blocks` {
  private static let deliveries: [Delivery] = [.whole, .pieces(7)]
  private let packets = Traffic.notifications(20)

  /// Which of the twenty notifications the records hold.
  private func found(_ read: ReadCapture) -> [Int] {
    read.packets.compactMap { octets in packets.firstIndex { $0.octets == octets } }
  }

  /// A long block of pcapng that lacks as many octets as the ten blocks behind it have: its length reaches over them, and
  /// its other end contradicts it.
  @Test(arguments: [0, 4, -4, 8]) func `behind one that lacks their octets are read`(more: Int) throws {
    let builder = PCAPNGBuilder()
    let blocks = packets.map { builder.enhanced([2] + $0.octets, stamp: UInt64($0.time)) }
    let front = builder.section + builder.interface(linkType: 187) + blocks[..<10].joined()
    var long = builder.enhanced([2] + hex("40 20 e4 03 e0 03 04 00 1b 20 00") + Array(repeating: 0x55, count: 989))
    let lacking = blocks[10...].joined().count + more
    long.removeSubrange(100..<100 + lacking)
    for delivery in Self.deliveries {
      let read = try ReadCapture(front + long + blocks[10...].joined(), delivery)
      #expect(found(read) == Array(0..<20))
    }
  }

  /// A block that lacks eight octets before one of its own size: where its other length should stand, that one's stands.
  @Test func `of the size of one that lacks eight octets are read`() throws {
    let builder = PCAPNGBuilder()
    var blocks = packets.map { builder.enhanced([2] + $0.octets, stamp: UInt64($0.time)) }
    blocks[10].removeLast(8)
    for delivery in Self.deliveries {
      let read = try ReadCapture(
        builder.section + builder.interface(linkType: 187) + blocks.joined(), delivery)
      #expect(found(read) == Array(0..<10) + Array(11..<20))
    }
  }

  /// The first file was cut off anywhere when another was joined to it.
  @Test(arguments: [(OctetOrder.little, OctetOrder.big), (.big, .little), (.little, .little), (.big, .big)])
  func `of a file behind one that was cut off are read`(order: OctetOrder, next: OctetOrder) throws {
    func file(_ order: OctetOrder, _ linkType: UInt16, _ packets: some Sequence<CapturedPacket>) -> [UInt8] {
      let builder = PCAPNGBuilder(order)
      return builder.section + builder.interface(linkType: linkType)
        + packets.flatMap {
          builder.enhanced(
            (linkType == 201 ? UInt32(1).big : []) + [2] + $0.octets, stamp: UInt64($0.time))
        }
    }
    let first = file(order, 201, packets[..<10])
    let second = file(next, 187, packets[10...])
    for cut in 1..<120 {
      let read = try ReadCapture(Array(first.dropLast(cut)) + second)
      #expect(found(read).suffix(10) == Array(10..<20), "\(cut)")
    }
  }

  /// Of what is damaged elsewhere as well, neither length is believed: the packets are read as those before.
  @Test func `behind an interface's that is damaged twice are read as those of the file before`() throws {
    let builder = PCAPNGBuilder()
    func file(_ interface: [UInt8], _ packets: some Sequence<CapturedPacket>) -> [UInt8] {
      builder.section + interface + packets.flatMap { builder.enhanced([2] + $0.octets, stamp: UInt64($0.time)) }
    }
    let interface = builder.interface(linkType: 187)
    var damaged = interface
    damaged.replaceSubrange(6..<10, with: hex("84 03 bc 02"))
    let read = try ReadCapture(file(interface, packets[..<10]) + file(damaged, packets[10...]))
    #expect(found(read) == Array(0..<20))
  }

  /// Without it nothing could be made of any packet.
  @Test(arguments: [OctetOrder.little, .big], 4..<8)
  func `behind an interface's, of which one length is wrong, are read`(order: OctetOrder, octet: Int) throws {
    let builder = PCAPNGBuilder(order)
    for options in [[], builder.option(2, Array("hci0".utf8)) + builder.option(0, [])] {
      var interface = builder.interface(linkType: 187, options: options)
      interface[octet] ^= 0x40
      let file =
        builder.section + interface
        + packets.flatMap { builder.enhanced([2] + $0.octets, stamp: UInt64($0.time)) }
      #expect(found(try ReadCapture(file)) == Array(0..<20))
    }
  }

  /// A pcap whose record headers are eight octets longer, cut off anywhere where another was joined to it: the header of
  /// that is as long as one of its records' is. Only where it stands exactly in the place of a packet, it is taken for that.
  @Test func `behind a pcap with longer headers are read`() throws {
    func word(_ number: UInt32) -> [UInt8] { number.octets(.little) }
    func header(_ magic: UInt32) -> [UInt8] {
      word(magic) + [2, 0, 4, 0] + word(0) + word(0) + word(0x4_0000) + word(187)
    }
    func record(_ packet: CapturedPacket, _ rest: [UInt8]) -> [UInt8] {
      let octets = [2] + packet.octets
      let (seconds, micros) = packet.time.quotientAndRemainder(dividingBy: 1_000_000)
      return word(UInt32(seconds)) + word(UInt32(micros)) + word(UInt32(octets.count)) + word(UInt32(octets.count))
        + rest
        + octets
    }
    let first = header(0xA1B2_CD34) + packets[..<10].flatMap { record($0, Array(repeating: 0, count: 8)) }
    let second = header(0xA1B2_C3D4) + packets[10...].flatMap { record($0, []) }
    for cut in 1..<100 where cut % 40 != 24 {
      let read = try ReadCapture(Array(first.dropLast(cut)) + second)
      #expect(found(read).suffix(10) == Array(10..<20), "\(cut)")
    }
  }

  /// What is known to be no HCI is not guessed at, and counted; any other number is damaged.
  @Test(arguments: [(1, 2002, true), (1, 9999, false), (2, 1002, false)] as [(UInt32, UInt32, Bool)])
  func `behind a btsnoop header of another kind are none of ours`(
    version: UInt32, linkType: UInt32, isForeign: Bool
  ) throws {
    let container = Container.btsnoopH4
    let second = Array("btsnoop\0".utf8) + version.big + linkType.big
    let file = container.file(Array(packets[..<10])) + second + packets[10...].flatMap(container.record)
    let read = try ReadCapture(file)
    #expect(read.records.count == 20)
    #expect(read.records[..<10].allSatisfy { $0.content == .aclData })
    #expect(read.records[10...].allSatisfy { $0.content == (isForeign ? .foreign : .aclData) })
  }

  /// One whole packet and a few octets of the next are enough of a PacketLogger file.
  @Test(arguments: [Container.packetLoggerLittle, .packetLoggerBig], 1..<13)
  func `before the beginning of another header are read`(container: Container, octets: Int) throws {
    let file = container.record(packets[0]) + container.record(packets[1]).prefix(octets)
    let read = try ReadCapture(Array(file))
    #expect(found(read) == [0])
    #expect(read.progress.cutOff != nil)
  }

  /// A number that is a length of another day, again and again: each seems to begin a long block, within which none of
  /// these days is to be found. It takes no longer than to look at each octet a few times.
  @Test(
    arguments: [(Container.pcapH4, 0x7F04), (.packetLoggerLittle, 0xFD), (.packetLoggerBig, 9)]
      as [(Container, UInt32)])
  func `of another day are not looked through for ever`(container: Container, number: UInt32) throws {
    let order = container == .packetLoggerBig ? OctetOrder.big : .little
    let noise = Array(repeating: number.octets(order), count: 1 << 15).joined()
    let read = try ReadCapture(container.file(packets) + noise)
    #expect(found(read) == Array(0..<20))
    // One amid it is of these days, and too long to be there.
    let long = container.record(packets[0]).prefix(container == .pcapH4 ? 8 : 0)
    let trap = long + (long.isEmpty ? [] : UInt32(250_000).little + UInt32(250_000).little)
    let trapped = try ReadCapture(container.file(packets) + noise.prefix(1 << 16) + trap + noise.prefix(1 << 16))
    #expect(found(trapped) == Array(0..<20))
  }
}

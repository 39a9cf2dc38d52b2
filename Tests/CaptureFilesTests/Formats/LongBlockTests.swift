import CaptureFiles
import Octets
import Testing
import TestSupport

/// Blocks of pcapng that are longer than what is looked at at once.
@Suite struct `Long blocks of pcapng` {
  private static let orders = [OctetOrder.little, .big]
  private static let deliveries = [Delivery.whole, .pieces(70_000)]
  private let packets = Traffic.notifications(20)

  /// So many octets in comments.
  private func comments(_ count: Int, _ kind: PCAPNGBuilder) -> [UInt8] {
    (0..<count).reduce(into: []) { octets, _ in octets += kind.option(1, Array(repeating: 0x58, count: 60_000)) }
  }

  private func octets(of packet: CapturedPacket) -> [UInt8] { PCAPBuilder.linkHeader(201, packet) + packet.octets }

  /// What its description says first is heard, and that there was more is said.
  @Test(arguments: orders, deliveries)
  func `an interface with long comments is one`(order: OctetOrder, delivery: Delivery) throws {
    let kind = PCAPNGBuilder(order)
    let clock = kind.option(9, [3])
    let interface = kind.interface(linkType: 201, options: clock + comments(5, kind))
    let file =
      kind.section + interface
      + packets.flatMap { kind.enhanced(octets(of: $0), stamp: UInt64($0.time / 1000)) }
    let read = try ReadCapture(file, delivery)
    #expect(read.packets == packets.map(\.octets) && read.records.map(\.number) == Array(1...packets.count))
    #expect(read.records.map(\.time) == packets.map { $0.time / 1000 * 1000 })
    #expect(read.progress.consumedOctets == file.count && !read.progress.isComplete)
    #expect((1..<interface.count / 2).contains(read.progress.skippedOctets) && read.progress.damageCount == 1)
  }

  @Test(arguments: orders, deliveries)
  func `a packet with long comments is read`(order: OctetOrder, delivery: Delivery) throws {
    let kind = PCAPNGBuilder(order)
    let flags = kind.option(2, UInt32(1).octets(order))
    let bare = packets.map { [$0.uartType] + $0.octets }
    let long = kind.enhanced(bare[10], options: flags + comments(18, kind))
    let file =
      kind.section + kind.interface(linkType: 187) + bare.prefix(10).flatMap { kind.enhanced($0) } + long
      + bare.dropFirst(11).flatMap { kind.enhanced($0) }
    let read = try ReadCapture(file, delivery)
    #expect(read.packets == packets.map(\.octets) && read.records.map(\.number) == Array(1...packets.count))
    #expect(read.records[10].direction == .received && !read.records.contains(where: \.followsDamage))
    #expect((1..<long.count).contains(read.progress.skippedOctets) && read.progress.damageCount == 1)
    // Another interface's options nobody wants.
    let foreign = try ReadCapture(
      kind.section + kind.interface(linkType: 187) + kind.interface(linkType: 1)
        + kind.enhanced(bare[0], interface: 1, options: comments(18, kind)) + kind.enhanced(bare[1]), delivery)
    #expect(foreign.records.map(\.number) == [1, 2] && foreign.progress.isComplete)
  }

  /// No HCI packet is as long; what claims to be one is a record all the same, and is missing.
  @Test(arguments: orders, deliveries)
  func `a packet that is too long is told`(order: OctetOrder, delivery: Delivery) throws {
    let kind = PCAPNGBuilder(order)
    let long = kind.enhanced(Array(repeating: 0x5A, count: 300_000))
    let file =
      kind.section + kind.interface(linkType: 201) + kind.record(packets[0]) + long + kind.record(packets[1])
    let read = try ReadCapture(file, delivery)
    #expect(read.packets == [packets[0].octets, packets[1].octets] && read.records.map(\.number) == [1, 3])
    #expect(read.records.map(\.followsDamage) == [false, true] && read.progress.records == 3)
    #expect(read.progress.skippedOctets == long.count && read.progress.damages.map(\.record) == [2])
  }

  /// A file that was sent over USB, say, while both were captured.
  @Test(arguments: deliveries)
  func `a capture in a packet of another interface is not part of this one`(delivery: Delivery) throws {
    let kind = PCAPNGBuilder()
    let inner = kind.section + kind.interface(linkType: 201) + packets.flatMap { kind.record($0) }
    let long = kind.enhanced(inner + Array(repeating: 0x5A, count: 1 << 20), interface: 1)
    let file =
      kind.section + kind.interface(linkType: 201) + kind.interface(linkType: 1) + kind.record(packets[0]) + long
      + kind.record(packets[1])
    let read = try ReadCapture(file, delivery)
    #expect(read.records.filter { $0.content == .aclData }.map(\.number) == [1, 3] && read.progress.isComplete)
  }

  /// A file that somebody put into a block of his own, or secrets that look like one.
  @Test(arguments: [0xA, 0xBAD, 0x1234, 0x8000_0001] as [UInt32], deliveries)
  func `a capture in another block is not part of this one`(type: UInt32, delivery: Delivery) throws {
    for order in Self.orders {
      let kind = PCAPNGBuilder(order)
      let start = kind.section + kind.interface(linkType: 201)
      let inner = start + (0..<8000).flatMap { kind.record(packets[$0 % packets.count]) }
      for before in [[], hex("4d 5a 90 00")] {
        let file =
          start + kind.record(packets[0]) + kind.block(type, before + inner)
          + packets.dropFirst().flatMap { kind.record($0) }
        let read = try ReadCapture(file, delivery)
        #expect(read.records.filter { $0.content == .aclData }.map(\.octets) == packets.map(\.octets))
        #expect(read.progress.isComplete && read.progress.damageCount == 0)
      }
    }
  }

  /// One bit of its length is wrong: what it hides is found, be it another file.
  @Test(arguments: [4, 0xBAD, 0x8000_0001] as [UInt32])
  func `another block with a length that is wrong hides nothing`(type: UInt32) throws {
    let kind = PCAPNGBuilder()
    let start = kind.section + kind.interface(linkType: 201)
    let records = (0..<20_000).map { kind.record(packets[$0 % packets.count]) }
    var damaged = kind.block(type, Array("somebody's own data.".utf8))
    damaged.replaceSubrange(4..<8, with: UInt32(damaged.count | 0x8_0000).little)
    for behind in [[], start] {
      let file = start + records[..<100].flatMap { $0 } + damaged + behind + records[100...].flatMap { $0 }
      let read = try ReadCapture(file, .pieces(70_000))
      #expect(read.records.filter { $0.content == .aclData }.count == records.count)
      #expect(read.progress.skippedOctets == damaged.count)
    }
  }

  /// One bit of a length is wrong, and says that the next mebibyte is comments; the length behind the packet is right.
  @Test(arguments: orders)
  func `a length that is wrong hides nothing`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    let records = (0..<40_000).map { kind.record(packets[$0 % packets.count]) }
    var damaged = records[100]
    damaged.replaceSubrange(4..<8, with: UInt32(damaged.count | 0x10_0000).octets(order))
    let start = kind.section + kind.interface(linkType: 201) + records[..<100].flatMap { $0 }
    let file = start + damaged + records[101...].flatMap { $0 }
    let read = try ReadCapture(file, .pieces(70_000))
    #expect(read.records.count == records.count && read.progress.skippedOctets == 0)
    #expect(read.progress.damages.map(\.record) == [101])
  }

  @Test(arguments: deliveries)
  func `an interface that is not all there is told`(delivery: Delivery) throws {
    let kind = PCAPNGBuilder()
    let interface = kind.interface(linkType: 201, options: comments(10, kind))
    for left in [100, 300_000, interface.count - 4] {
      let read = try ReadCapture(kind.section + interface.prefix(left), delivery)
      #expect(read.records.isEmpty && read.progress.cutOff != nil && read.progress.skippedOctets <= left)
    }
  }
}

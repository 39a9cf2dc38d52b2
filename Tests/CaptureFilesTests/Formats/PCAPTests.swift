import CaptureFiles
import Octets
import Testing
import TestSupport

@Suite struct `pcap` {
  private static let kinds: [PCAPBuilder] = [OctetOrder.little, .big].flatMap { order in
    [false, true].map { PCAPBuilder(order, hasNanoseconds: $0) }
  }

  @Test(arguments: kinds)
  func `nanoseconds and microseconds in both orders`(kind: PCAPBuilder) throws {
    let record = kind.record(
      hex("00 00 00 01 04 0e 04 01 03 0c 00"), time: 1_000_000_000_123_456,
      nanoseconds: kind.hasNanoseconds ? 789 : 0)
    let read = try #require(try ReadCapture(kind.header + record).records.first)
    #expect(read.time == 1_000_000_000_123_456)
    #expect(read.octets == hex("0e 04 01 03 0c 00") && read.direction == .received && read.content == .event)
    #expect(read.offset == 24 + 16 + 5)
  }

  /// What a modified libpcap once wrote, as Wireshark and tcpdump still read it; damaged, too, and with another behind.
  @Test(arguments: [OctetOrder.little, .big], [.whole, .pieces(7)] as [Delivery])
  func `record headers with an interface in them`(order: OctetOrder, delivery: Delivery) throws {
    var kind = PCAPBuilder(order)
    kind.isModified = true
    let packets = Traffic.notifications(20)
    let file = kind.header + packets.flatMap { kind.record($0) }
    let read = try ReadCapture(file, delivery)
    #expect(read.packets == packets.map(\.octets) && read.records.map(\.time) == packets.map(\.time))
    #expect(read.formatName == "pcap" && read.progress.isComplete && read.records.first?.offset == 24 + 24 + 5)
    let start = kind.header + packets.prefix(10).flatMap { kind.record($0) }
    let damaged = try ReadCapture(start + hex("ff ff ff") + file.dropFirst(start.count), delivery)
    #expect(damaged.packets == packets.map(\.octets) && damaged.progress.skippedOctets == 3)
    let usual = PCAPBuilder(order)
    let joined = usual.header + packets.flatMap { usual.record($0) } + file + usual.header + usual.record(packets[0])
    let all = try ReadCapture(joined, delivery)
    #expect(all.packets == (packets + packets + packets.prefix(1)).map(\.octets) && all.progress.isComplete)
    #expect(try ReadCapture(Array(file.dropLast(3)), delivery).progress.cutOff != nil)
  }

  @Test func `times go on after 2038`() throws {
    let kind = PCAPBuilder()
    let file = kind.header + kind.record(hex("00 00 00 00 01 03 0c 00"), time: 4_000_000_000_000_001)
    #expect(try ReadCapture(file).records.map(\.time) == [4_000_000_000_000_001])
  }

  @Test(
    arguments: [
      (1, "Ethernet"), (0, "null/loopback"), (101, "raw IP"), (105, "Wi-Fi"), (113, "Linux cooked capture"),
      (147, "not Bluetooth HCI"),
      (189, "USB; \"hrsnoop explain capture\" says how to log HCI itself"),
      (249, "USB; \"hrsnoop explain capture\" says how to log HCI itself"),
      (251, "a sniffer's radio packets; take the log on the phone or the computer instead"),
      (272, "a sniffer's radio packets; take the log on the phone or the computer instead"),
    ] as [(UInt32, String)])
  func `other link types are named and refused`(number: UInt32, name: String) {
    for order in [OctetOrder.little, .big] {
      let kind = PCAPBuilder(order, linkType: number)
      #expect {
        try ReadCapture(kind.header + kind.record(Array(repeating: 0, count: 60)))
      } throws: {
        "\($0)" == "Link type: \(number), \(name). hrsnoop reads HCI captures: link types 187, 201 and 254"
      }
    }
  }

  @Test func `the upper half of the link type says other things`() throws {
    let kind = PCAPBuilder(linkType: 0xF400_00BB)
    let read = try ReadCapture(kind.header + kind.record(hex("01 03 0c 00")))
    #expect(read.records.map(\.linkType) == [.h4])
  }

  /// Without a direction in the file, the packet's kind tells it: of ACL data the boundary flag does that is the host's
  /// alone.
  @Test(
    arguments: [
      ("01 03 0c 00", RecordContent.command, Direction.sent),
      ("04 0e 04 01 03 0c 00", .event, .received),
      ("02 40 00 00 00", .aclData, .sent),
      ("02 40 20 00 00", .aclData, nil),
      ("02 40 10 00 00", .aclData, nil),
      ("02 40", .aclData, nil),
      ("03 40 00 00", .synchronousData, nil),
    ] as [(String, RecordContent, Direction?)])
  func `directions of link type 187`(octets: String, content: RecordContent, direction: Direction?) throws {
    let kind = PCAPBuilder(linkType: 187)
    let record = try #require(try ReadCapture(kind.header + kind.record(hex(octets))).records.first)
    #expect(record.content == content && record.direction == direction && record.linkType == .h4)
    #expect(record.octets == Array(hex(octets).dropFirst()))
  }

  @Test(
    arguments: [
      ("00 00 00 00 02 40 00 00 00", Direction.sent), ("00 00 00 01 02 40 00 00 00", .received),
      // Only the lowest bit counts.
      ("00 00 00 fe 02 40 00 00 00", .sent), ("ff ff ff ff 02 40 00 00 00", .received),
      // In the order of the writer's machine.
      ("01 00 00 00 02 40 00 00 00", .received),
    ] as [(String, Direction)])
  func `directions of link type 201`(octets: String, direction: Direction) throws {
    let kind = PCAPBuilder(.big, linkType: 201)
    let record = try #require(try ReadCapture(kind.header + kind.record(hex(octets))).records.first)
    #expect(record.direction == direction && record.content == .aclData && record.linkType == .h4WithDirection)
    #expect(record.octets == hex("40 00 00 00"))
  }

  @Test func `adapters and opcodes of link type 254`() throws {
    let kind = PCAPBuilder(linkType: 254)
    let file =
      kind.header + kind.record(hex("00 02 00 05 40 20 00 00")) + kind.record(hex("ff ff 00 0c 48 69 00"))
      + kind.record(hex("00 01 00 08"))
    let records = try ReadCapture(file).records
    #expect(records.map(\.adapter) == [2, 0xFFFF, 1])
    #expect(records.map(\.content) == [.aclData, .monitorNote(12), .openIndex])
    #expect(records.map(\.direction) == [.received, nil, nil])
    #expect(records.map(\.octets) == [hex("40 20 00 00"), hex("48 69 00"), []])
  }

  @Test(arguments: [187, 201, 254] as [UInt32])
  func `records shorter than the header of their link type`(linkType: UInt32) throws {
    let kind = PCAPBuilder(linkType: linkType)
    for length in 0..<5 {
      let file =
        kind.header + kind.record(Array(repeating: 0, count: length)) + kind.record(hex("00 00 00 01 04 ff 00"))
      let read = try ReadCapture(file)
      #expect(read.records.count == 2 && read.progress.isComplete, "\(length) octets")
    }
  }

  @Test(arguments: kinds, [Delivery.whole, .pieces(1), .pieces(7)])
  func `files one behind another`(kind: PCAPBuilder, delivery: Delivery) throws {
    let packets = Traffic.packets
    let file = packets.reduce(kind.header) { $0 + kind.record($1) } + Container.pcapMonitor.file(packets)
    let read = try ReadCapture(file, delivery)
    #expect(read.packets == (packets + packets).map(\.keptOctets))
    #expect(read.records.map(\.time) == (packets + packets).map(\.time))
    #expect(read.records.suffix(6).allSatisfy { $0.linkType == .linuxMonitorWithHeader })
    #expect(read.progress.isComplete)
  }
}

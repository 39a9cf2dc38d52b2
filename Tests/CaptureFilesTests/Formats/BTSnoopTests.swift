import CaptureFiles
import Octets
import Testing
import TestSupport

@Suite struct `btsnoop` {
  @Test(
    arguments: [
      (1001, LinkType.h1), (1002, .h4), (1003, .h1), (1004, .h1), (2001, .linuxMonitor),
    ] as [(UInt32, LinkType)])
  func `data links`(number: UInt32, linkType: LinkType) throws {
    let file = BTSnoopBuilder.header(dataLink: number) + BTSnoopBuilder.record(hex("03 0c 00"), flags: 2)
    #expect(try ReadCapture(file).records.map(\.linkType) == [linkType])
  }

  @Test(
    arguments: [
      (2002, 1, "Data link: 2002, a radio simulator's packets: take the capture from the host's side"),
      (1, 1, "Data link: 1, which is none of HCI (1001, 1002, 1003, 1004, 2001)"),
      (1002, 0, "Version: 0; only version 1 is known"),
      (1002, 0x0100_0000, "Version: 16777216; only version 1 is known"),
    ] as [(UInt32, UInt32, String)])
  func `what cannot be read says why`(dataLink: UInt32, version: UInt32, message: String) {
    let file = BTSnoopBuilder.header(dataLink: dataLink, version: version) + BTSnoopBuilder.record([1, 3, 12, 0])
    #expect { try ReadCapture(file) } throws: { "\($0)" == message }
  }

  @Test func `1970 and 2000`() throws {
    // The numbers are the specification's, not the builder's.
    let times: [(UInt64, Int64)] = [
      (0x00DC_DDB3_0F2F_8000, 0), (0x00E0_3AB4_4A67_6000, 946_684_800_000_000),
    ]
    for (stamp, microseconds) in times {
      let record =
        UInt32(4).big + UInt32(4).big + UInt32(2).big + UInt32(0).big + stamp.big + hex("01 03 0c 00")
      #expect(try ReadCapture(BTSnoopBuilder.header() + record).records.map(\.time) == [microseconds])
    }
  }

  /// The length before a packet was cut is less than what is left of it.
  @Test(arguments: [(0, "0 octets"), (1, "1 octet"), (2, "2 octets")] as [(UInt32, String)])
  func `a length that is less than what is kept`(original: UInt32, words: String) throws {
    var file = Container.btsnoopH4.file(Traffic.notifications(20))
    let place = BTSnoopBuilder.recordPlaces(of: file)[9]
    file.replaceSubrange(place..<place + 4, with: original.big)
    let error = try ReadCapture(file).progress.damages.first?.error
    let kept = file[place + 7]
    #expect(error?.description == "Original length: \(words), and \(kept) kept")
  }

  /// Where even the first time is one that no clock shows, times prove nothing, however the octets arrive.
  @Test(arguments: [.whole, .pieces(1), .pieces(7), .pieces(20)] as [Delivery], [-62_167_219_200_000_000, 1 << 60])
  func `times that no clock shows`(delivery: Delivery, time: Int64) throws {
    let file = Traffic.packets.reduce(BTSnoopBuilder.header()) { file, packet in
      var packet = packet
      packet.time += time - CapturedPacket.start
      return file + BTSnoopBuilder.h4(packet)
    }
    let read = try ReadCapture(file, delivery)
    #expect(read.packets == Traffic.packets.map(\.keptOctets) && read.progress.isComplete)
    #expect(read.records.first?.time == time)
  }

  /// A first time that no clock shows is damaged where the second is sound.
  @Test(arguments: [.whole, .pieces(1), .pieces(7), .pieces(20)] as [Delivery], [false, true])
  func `a first time that no clock shows`(delivery: Delivery, isLive: Bool) throws {
    var file = Container.btsnoopH4.file(Traffic.packets)
    file.replaceSubrange(32..<40, with: [0x80, 0, 0, 0, 0, 0, 0, 0])
    let read = try ReadCapture(file, delivery, isLive: isLive)
    #expect(read.packets == Traffic.packets.map(\.keptOctets) && read.progress.damages.map(\.record) == [1])
    #expect(
      read.records.map(\.time) == [Timestamp.unknown.microseconds] + Traffic.packets.dropFirst().map(\.time))
  }

  /// The type octet decides; one writer sets the flags otherwise.
  @Test(
    arguments: [
      (0x01, 0, RecordContent.command, Direction.sent),
      (0x01, 2, .command, .sent),
      (0x02, 0, .aclData, .sent),
      (0x02, 1, .aclData, .received),
      (0x02, 0x11, .aclData, .received),
      (0x02, 2, .aclData, .sent),
      (0x03, 1, .synchronousData, .received),
      (0x04, 3, .event, .received),
      (0x04, 0x13, .event, .received),
      (0x05, 0, .isochronousData, .sent),
      (0x77, 1, .unknown, .received),
    ] as [(UInt8, UInt32, RecordContent, Direction)])
  func `H4 packets by their type octet`(
    type: UInt8, flags: UInt32, content: RecordContent, direction: Direction
  ) throws {
    let file = BTSnoopBuilder.header() + BTSnoopBuilder.record([type, 0xAA, 0xBB], flags: flags)
    let record = try #require(try ReadCapture(file).records.first)
    #expect(record.content == content && record.direction == direction)
    #expect(record.octets == [0xAA, 0xBB] && record.originalLength == 2)
  }

  @Test(
    arguments: [
      (0, RecordContent.aclData, Direction.sent), (1, .aclData, .received), (2, .command, .sent),
      (3, .event, .received),
    ] as [(UInt32, RecordContent, Direction)])
  func `H1 packets by their flags`(flags: UInt32, content: RecordContent, direction: Direction) throws {
    let file = BTSnoopBuilder.header(dataLink: 1001) + BTSnoopBuilder.record([0xAA, 0xBB], flags: flags)
    let record = try #require(try ReadCapture(file).records.first)
    #expect(record.content == content && record.direction == direction && record.octets == [0xAA, 0xBB])
  }

  @Test(
    arguments: [
      (0, RecordContent.newIndex, nil), (1, .deleteIndex, nil), (2, .command, .sent), (3, .event, .received),
      (4, .aclData, .sent), (5, .aclData, .received), (6, .synchronousData, .sent), (7, .synchronousData, .received),
      (8, .openIndex, nil), (9, .closeIndex, nil), (10, .indexInformation, nil), (11, .monitorNote(11), nil),
      (12, .monitorNote(12), nil), (13, .monitorNote(13), nil), (14, .monitorNote(14), nil),
      (15, .monitorNote(15), nil), (16, .monitorNote(16), nil), (17, .monitorNote(17), nil),
      (18, .isochronousData, .sent), (19, .isochronousData, .received), (20, .monitorNote(20), nil),
      (127, .monitorNote(127), nil), (128, .unknown, nil), (0xFFFF, .unknown, nil),
    ] as [(UInt16, RecordContent, Direction?)])
  func `Linux monitor packets by their opcode`(
    opcode: UInt16, content: RecordContent, direction: Direction?
  ) throws {
    let isBare = [1, 8, 9].contains(opcode)
    for octets in [[], [0xAA, 0xBB]] as [[UInt8]] {
      let file =
        BTSnoopBuilder.header(dataLink: 2001) + BTSnoopBuilder.record(octets, flags: 3 << 16 | UInt32(opcode))
      let record = try #require(try ReadCapture(file).records.first)
      #expect(record.content == (isBare && !octets.isEmpty ? .unreadable : content))
      #expect(record.direction == direction && record.adapter == 3 && record.octets == octets)
    }
  }

  @Test func `Open and Close Index are empty`() throws {
    let file =
      BTSnoopBuilder.header(dataLink: 2001) + BTSnoopBuilder.record([], flags: 8) + BTSnoopBuilder.record([], flags: 9)
    let read = try ReadCapture(file)
    #expect(read.records.map(\.content) == [.openIndex, .closeIndex] && read.progress.isComplete)
  }

  /// Of another link type there is nothing to say in a record of no octets; but it is one.
  @Test(arguments: [.whole, .pieces(1), .pieces(7)] as [Delivery], [1001, 1002] as [UInt32])
  func `empty records are counted`(delivery: Delivery, dataLink: UInt32) throws {
    func record(_ octets: [UInt8], second: Int64) -> [UInt8] {
      BTSnoopBuilder.record(octets, flags: 3, time: CapturedPacket.start + second * 1_000_000)
    }
    let event = dataLink == 1002 ? hex("04 13 05 01 40 00 01 00") : hex("13 05 01 40 00 01 00")
    let file =
      BTSnoopBuilder.header(dataLink: dataLink) + record([], second: 0) + record(event, second: 1)
      + record([], second: 2) + record([], second: 3) + record(event, second: 4) + record([], second: 5)
    for isLive in [false, true] {
      let read = try ReadCapture(file, delivery, isLive: isLive)
      #expect(read.records.map(\.octets.count) == [0, 7, 0, 0, 7, 0] && read.progress.isComplete)
      #expect(read.records.map(\.number) == Array(1...6) && read.records.map(\.originalLength) == [0, 7, 0, 0, 7, 0])
      #expect(read.records.last?.time == CapturedPacket.start + 5_000_000)
    }
  }

  /// Where no time proves anything, neither does a length of 0.
  @Test func `zeros are no records`() throws {
    for start in [CapturedPacket.start, -62_167_219_200_000_000] {
      let packets = (0..<4).map { BTSnoopBuilder.record(hex("04 13 05 01 40 00 01 00"), flags: 3, time: start + $0) }
      let zeros = [UInt8](repeating: 0, count: 24 * 4)
      let read = try ReadCapture(BTSnoopBuilder.header() + packets[0] + packets[1] + zeros + packets[2] + packets[3])
      #expect(read.records.count == 4 && read.progress.skippedOctets == zeros.count)
    }
  }

  @Test func `drops add up, and start over with a second header`() throws {
    func record(_ drops: UInt32) -> [UInt8] { BTSnoopBuilder.record([1, 3, 12, 0], drops: drops) }
    let first = BTSnoopBuilder.header() + record(2) + record(2) + record(5)
    #expect(try ReadCapture(first).droppedRecords == 5)
    let read = try ReadCapture(first + BTSnoopBuilder.header() + record(0) + record(1))
    #expect(read.droppedRecords == 6 && read.records.map(\.followsOneDrop) == [false, false, false, false, true])
  }

  @Test(arguments: [.whole, .pieces(1), .pieces(7)] as [Delivery])
  func `files one behind another`(delivery: Delivery) throws {
    let packets = Traffic.packets
    let file = Container.btsnoopH4.file(packets) + Container.btsnoopMonitor.file(packets)
    let read = try ReadCapture(file, delivery)
    #expect(read.packets == (packets + packets).map(\.keptOctets))
    #expect(read.records.map(\.number) == Array(1...12))
    #expect(read.records.map(\.linkType) == Array(repeating: .h4, count: 6) + Array(repeating: .linuxMonitor, count: 6))
    #expect(read.progress.isComplete)
  }

  @Test func `a second header at the end`() throws {
    let read = try ReadCapture(Container.btsnoopH4.file(Traffic.packets) + BTSnoopBuilder.header())
    #expect(read.records.count == 6 && read.progress.isComplete)
  }

  /// The first part may have been cut off before the second was put behind it.
  @Test func `a second header inside a record that was cut off`() throws {
    let first = Container.btsnoopH4.file(Traffic.notifications(10))
    let second = Container.btsnoopH4.file(Traffic.notifications(10))
    let read = try ReadCapture(first.dropLast(6) + second)
    #expect(read.packets.suffix(10) == Traffic.notifications(10).map(\.octets)[...])
    #expect(read.packets.prefix(9) == Traffic.notifications(9).map(\.octets)[...])
  }

  @Test func `the longest packet there is`() throws {
    let packet = CapturedPacket(.aclData, .received, hex("40 20 ff ff") + Array(repeating: 7, count: 65_535))
    let read = try ReadCapture(Container.btsnoopH4.file([packet, packet]))
    #expect(read.packets == [packet.octets, packet.octets])
  }
}

import CaptureFiles
import Testing
import TestSupport

@Suite struct `btsnooz` {
  private let before = Timestamp(microseconds: CapturedPacket.start)

  private func file(_ packets: [CapturedPacket], version: Int, hoursLater: Int64 = 0) -> [UInt8] {
    let start = before.advanced(byMicroseconds: hoursLater * 3_600_000_000)
    return Array(BTSnoozHeader.octets(version: UInt8(version), start: start))
      + BTSnoozBuilder.records(packets, version: version)
  }

  @Test(arguments: [1, 2], [.whole, .pieces(1), .pieces(7), .pieces(1000)] as [Delivery])
  func `is read as any other format`(version: Int, delivery: Delivery) throws {
    let read = try ReadCapture(file(Traffic.packets, version: version), delivery)
    #expect(read.formatName == "btsnooz" && read.clock == .utc && read.progress.isComplete)
    #expect(read.packets == Traffic.packets.map(\.keptOctets))
    #expect(read.records.map(\.time) == Traffic.packets.map(\.time))
    #expect(read.records.map(\.content) == Traffic.packets.map(\.content))
    #expect(read.records.map(\.direction) == Traffic.packets.map(\.direction))
    #expect(read.records.map(\.number) == Array(1...Traffic.packets.count))
    #expect(read.records.allSatisfy { $0.linkType == .h4 })
  }

  /// Version 1 does not tell, but the packets' own headers do.
  /// Each has a time of its own, and may have another version.
  @Test(arguments: [1, 2], [1, 2]) func `one behind another is read as well`(first: Int, second: Int) throws {
    let packets = Traffic.packets
    let read = try ReadCapture(file(packets, version: first) + file(packets, version: second, hoursLater: 1))
    #expect(read.packets == (packets + packets).map(\.keptOctets) && read.progress.isComplete)
    #expect(read.records.map(\.time) == packets.map(\.time) + packets.map { $0.time + 3_600_000_000 })
  }

  @Test(arguments: [1, 2]) func `tells how long a cut packet was`(version: Int) throws {
    let read = try ReadCapture(file(Traffic.packets, version: version))
    #expect(read.records.map(\.originalLength) == Traffic.packets.map(\.octets.count))
  }

  /// Of its own header there is too little to tell that.
  @Test func `tells how long a packet was of which one octet is left`() throws {
    let packet = CapturedPacket(.event, .received, hex("13 05 01 40 00 01 00"), kept: 1)
    #expect(try ReadCapture(file([packet], version: 2)).records.map(\.originalLength) == [7])
  }

  @Test(arguments: [1, 2]) func `is recognised behind a header of btsnoop, where times count from 1970`(version: Int)
    throws
  {
    let octets = BTSnoopBuilder.header() + BTSnoozBuilder.records(Traffic.packets, version: version)
    for delivery in [.whole, .pieces(64)] as [Delivery] {
      let read = try ReadCapture(octets, delivery)
      #expect(read.formatName == "btsnooz" && read.clock == .unknown)
      #expect(read.packets == Traffic.packets.map(\.keptOctets))
      #expect(read.records.first?.time == 0 && read.records.last?.time == 2_500_000)
    }
  }

  @Test func `a header of btsnoop with its own records stays btsnoop`() throws {
    let read = try ReadCapture(Container.btsnoopH4.file(Traffic.packets))
    #expect(read.formatName == "btsnoop")
    #expect(try ReadCapture(BTSnoopBuilder.header()).formatName == "btsnoop")
  }

  /// Where a log goes on in the middle of a record, its octets may look like one of btsnooz.
  @Test(arguments: [.whole, .pieces(1), .pieces(64)] as [Delivery])
  func `a header of btsnoop with a damaged record stays btsnoop`(delivery: Delivery) throws {
    let packets = Traffic.notifications(20)
    let whole = Container.btsnoopH4.file(packets)
    // As long as is said, as long as it was, a time, and the type of a received event: then what it is not.
    let damaged = Array(whole.prefix(16)) + [0x05, 0x00, 0x05, 0x00, 0, 0, 0, 0, 0x10, 0xFF, 0xFF, 0xFF, 0xFF]
    let read = try ReadCapture(damaged + whole.dropFirst(16), delivery)
    #expect(read.formatName == "btsnoop" && read.packets == packets.map(\.octets))
    #expect(read.progress.skippedOctets == 13)
  }

  @Test func `another version is refused`() {
    #expect(throws: (any Error).self) { try ReadCapture(file(Traffic.packets, version: 3)) }
  }

  /// A type that does not exist costs its own record.
  @Test(arguments: [1, 2]) func `damage costs its own record`(version: Int) throws {
    let packets = Traffic.notifications(20)
    var octets = file(packets, version: version)
    let length = (octets.count - 17) / 20
    let start = 17 + 10 * length
    for place in start..<start + length { octets[place] = 0xFF }
    let read = try ReadCapture(octets)
    let kept = packets.map(\.octets).enumerated().filter { $0.offset != 10 }.map(\.element)
    #expect(read.packets == kept && read.progress.skippedOctets == length)
  }

  /// As it is in any other format.
  @Test(arguments: [1, 2]) func `a packet of no octets is a record`(version: Int) throws {
    var packets = Traffic.notifications(3)
    packets.insert(CapturedPacket(.event, .received, [], time: packets[0].time), at: 1)
    #expect(try ReadCapture(file(packets, version: version)).packets == packets.map(\.octets))
  }

  @Test func `cut off in its last record`() throws {
    let octets = file(Traffic.packets, version: 2)
    let read = try ReadCapture(Array(octets.dropLast()))
    #expect(read.packets == Traffic.packets.dropLast().map(\.keptOctets) && !read.progress.isComplete)
  }
}

import CaptureFiles
import Octets
import Testing
import TestSupport

@Suite struct `Every format` {
  @Test(arguments: Container.allCases)
  func `keeps octets, lengths, times and directions`(container: Container) throws {
    let read = try ReadCapture(container.file(Traffic.packets))
    #expect(read.formatName == container.formatName)
    #expect(read.records.count == Traffic.packets.count)
    #expect(read.progress.isComplete && read.progress.records == Traffic.packets.count)
    for (index, (record, packet)) in zip(read.records, Traffic.packets).enumerated() {
      #expect(record.number == index + 1)
      #expect(record.octets == packet.keptOctets)
      #expect(
        record.originalLength == (container.tellsOriginalLength ? packet.octets.count : packet.keptOctets.count))
      #expect(record.time == packet.time)
      #expect(record.content == packet.content)
      // Either end may begin its data as the controller does.
      let isUntold = !container.tellsDirection && packet.content == .aclData && packet.direction == .received
      #expect(record.direction == (isUntold ? nil : packet.direction))
      #expect(record.linkType == container.linkType)
      #expect(!record.followsDamage)
    }
  }

  @Test(arguments: Container.allCases)
  func `says where the octets of each packet stand in the file`(container: Container) throws {
    let file = container.file(Traffic.packets)
    let records = try ReadCapture(file).records
    #expect(records.count == Traffic.packets.count)
    for record in records {
      #expect(Array(file[record.offset..<record.offset + record.octets.count]) == record.octets)
    }
  }

  @Test(arguments: Container.allCases, [.pieces(1), .pieces(7), .pieces(64), .pieces(100_000)] as [Delivery])
  func `reads the same in pieces`(container: Container, delivery: Delivery) throws {
    let file = container.file(Traffic.packets + Traffic.notifications(20))
    let whole = try ReadCapture(file)
    for isLive in [false, true] {
      let read = try ReadCapture(file, delivery, isLive: isLive)
      #expect(read.records == whole.records)
      #expect(read.progress.isComplete && read.progress.consumedOctets == file.count)
    }
  }

  /// Files that were put one behind another: what is behind a header need not be of the time of what is before it.
  @Test(arguments: Container.allCases)
  func `says where another file begins`(container: Container) throws {
    let packets = Traffic.notifications(20)
    let file = [packets.prefix(10), packets.suffix(10)].flatMap { container.file(Array($0)) }
    let hasHeader = !container.header.isEmpty
    for delivery in [.whole, .pieces(7), .pieces(64)] as [Delivery] {
      let read = try ReadCapture(file, delivery)
      #expect(read.records.filter(\.followsHeader).map(\.number) == (hasHeader ? [11] : []))
      #expect(read.records.count == 20 && read.progress.isComplete)
    }
  }

  /// A capture that has not ended yet: each record comes as soon as it is whole.
  @Test(arguments: Container.allCases)
  func `hands on a live record at once`(container: Container) throws {
    let packets = Traffic.notifications(12)
    var reader = CaptureReader(isLive: true)
    var rest = ContiguousArray(container.header)
    var list = RecordList()
    for (index, packet) in packets.enumerated() {
      rest += container.record(packet)
      rest.removeFirst(try reader.read(rest.span, isLast: false, into: &list))
      // Without a signature, five records are needed to know the format.
      if container.formatName != "packetlogger" || index >= 4 { #expect(list.records.count == index + 1) }
    }
    #expect(reader.progress.records == 12 && rest.isEmpty)
  }

  @Test(arguments: Container.allCases)
  func `cut off in the last record, all before it is read`(container: Container) throws {
    let packets = Traffic.packets
    let before = container.file(packets.dropLast()).count
    let file = container.file(packets)
    for length in before..<file.count {
      for delivery in [.whole, .pieces(5)] as [Delivery] {
        let read = try ReadCapture(Array(file.prefix(length)), delivery)
        #expect(read.records.count == packets.count - 1, "\(length - before) of \(file.count - before) octets")
        #expect(read.packets == packets.dropLast().map(\.keptOctets))
        #expect(read.progress.skippedOctets == 0)
        if length == before {
          #expect(read.progress.isComplete)
        } else {
          let cutOff = try #require(read.progress.cutOff)
          #expect(!read.progress.isComplete)
          #expect(cutOff.offset == before)
          #expect(cutOff.description.hasPrefix("Record \(packets.count) needs "))
        }
      }
    }
  }

  @Test(arguments: Container.allCases)
  func `a file of a header alone has no records`(container: Container) throws {
    guard !container.header.isEmpty else { return }
    let read = try ReadCapture(container.file([]))
    #expect(read.records.isEmpty && read.progress.isComplete)
    #expect(read.formatName == container.formatName)
  }
}

@Suite struct `What is no capture` {
  private func message(_ octets: [UInt8], _ delivery: Delivery = .whole) -> String? {
    do {
      _ = try ReadCapture(octets, delivery)
      return nil
    } catch { return "\(error)" }
  }

  @Test func `nothing`() {
    #expect(message([]) == "Start: it is empty")
  }

  @Test func `text`() {
    #expect(message(Array("Hello, world".utf8)) == "Start: not a Bluetooth capture (starts with 48 65 6C 6C)")
  }

  @Test func `zeros`() {
    #expect(message(Array(repeating: 0, count: 1000)) == "Start: not a Bluetooth capture (starts with 00 00 00 00)")
  }

  @Test(arguments: 1..<16) func `the beginning of a btsnoop header`(length: Int) {
    let message = message(Array(BTSnoopBuilder.header().prefix(length))) ?? ""
    #expect(
      message.hasPrefix(
        length < 3
          ? "Start: not a Bluetooth capture (starts with 62"
          : "Start: a btsnoop file cut off in its header, after \(length) of 16 octets: "))
  }

  private static let advice = "no packet is left in it, so copy it anew from where it was logged"

  /// Told however the octets come.
  @Test(arguments: [OctetOrder.little, .big], [false, true])
  func `the beginning of a pcap header`(order: OctetOrder, hasNanoseconds: Bool) {
    let header = PCAPBuilder(order, hasNanoseconds: hasNanoseconds).header
    for length in 1..<24 {
      let octets = Array(header.prefix(length))
      let expected = "Start: a pcap file cut off in its header, after \(length) of 24 octets: \(Self.advice)"
      for delivery in [.whole, .pieces(5)] as [Delivery] {
        #expect((message(octets, delivery) == expected) == (length >= 3), "\(length)")
      }
    }
    #expect(message(Array(header.prefix(4)) + hex("07 07 04 00"))?.hasPrefix("Start: not a Bluetooth capture") == true)
  }

  @Test(arguments: [OctetOrder.little, .big])
  func `the beginning of a pcapng section header`(order: OctetOrder) throws {
    let kind = PCAPNGBuilder(order)
    let options = kind.option(4, Array("A program with a name".utf8)) + kind.option(0, [])
    let fields =
      UInt32(0x1A2B_3C4D).octets(order) + UInt16(1).octets(order) + UInt16(0).octets(order) + UInt64.max.octets(order)
    let header = kind.block(0x0A0D_0D0A, fields + options)
    #expect(header.count == 60)
    for length in 3..<60 {
      let expected =
        "Start: a pcapng file cut off in its section header, after \(length) of \(length < 12 ? 28 : 60) octets: "
        + Self.advice
      for delivery in [.whole, .pieces(5)] as [Delivery] {
        #expect(message(Array(header.prefix(length)), delivery) == expected, "\(length)")
      }
    }
    #expect(try ReadCapture(header).records.isEmpty)
    // Where blocks follow, it is the header's length that is wrong.
    var damaged = header
    damaged.replaceSubrange(4..<8, with: UInt32(4000).octets(order))
    let packets = Traffic.notifications(20)
    damaged += kind.interface(linkType: 201) + packets.flatMap { kind.record($0) }
    for delivery in [.whole, .pieces(5)] as [Delivery] {
      #expect(try ReadCapture(damaged, delivery).packets == packets.map(\.octets))
    }
  }

  @Test(arguments: [OctetOrder.little, .big])
  func `the beginning of a PacketLogger record`(order: OctetOrder) {
    let record = PacketLoggerBuilder(order).record(Traffic.notifications(1)[0])
    for length in 1..<record.count {
      let expected =
        "Start: as it seems, an Apple PacketLogger file cut off in its first record, after \(length) of "
        + "\(record.count) octets: \(Self.advice)"
      for delivery in [.whole, .pieces(5)] as [Delivery] {
        #expect((message(Array(record.prefix(length)), delivery) == expected) == (length >= 13), "\(length)")
      }
    }
  }

  @Test(arguments: ["bta", "btsnip", "btsnoop file", "btsnoopers"]) func `what begins like btsnoop`(text: String) {
    let start = text == "bta" ? "62 74 61" : "62 74 73 6E"
    #expect(message(Array(text.utf8)) == "Start: not a Bluetooth capture (starts with \(start))")
  }

  @Test func `an endless stream of nothing known is given up`() {
    var reader = CaptureReader()
    var list = RecordList()
    let octets = ContiguousArray<UInt8>(repeating: 0x55, count: 400_000)
    #expect(throws: ParsingError.self) { _ = try reader.read(octets.span, isLast: false, into: &list) }
  }

  @Test func `a first piece too short to tell is not judged`() throws {
    var reader = CaptureReader()
    var list = RecordList()
    let octets = ContiguousArray("bt".utf8)
    #expect(try reader.read(octets.span, isLast: false, into: &list) == 0)
  }
}

import CaptureFiles
import Octets
import Testing
import TestSupport

/// The records of a capture, written anew.
func written(_ octets: [UInt8], as format: CaptureWriter.Format) throws -> [UInt8] {
  var reader = CaptureReader()
  var writer = CaptureWriter(format)
  try deliver(octets, .whole) { (span, isLast) throws(ParsingError) in
    try reader.read(span, isLast: isLast, into: &writer)
  }
  return Array(ContiguousArray(writer.octets))
}

@Suite struct `What is written` {
  /// All that a record says, but for where it stood.
  private func essence(_ record: KeptRecord) -> KeptRecord {
    var record = record
    (record.offset, record.linkType) = (0, .linuxMonitor)
    return record
  }

  @Test(arguments: CaptureWriter.Format.allCases, Container.allCases)
  func `is what was read, whatever it was read from`(format: CaptureWriter.Format, container: Container) throws {
    var host = HostSide()
    host.connected()
    host.keptACLOctets = container.tellsOriginalLength ? 14 : nil
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    for beat in 0..<20 { host.notified([0x16, UInt8(60 + beat), 0x40, 0x03], split: beat % 3 == 0 ? [6] : []) }
    host.disconnected()
    let read = try ReadCapture(host.file(container))
    let again = try ReadCapture(try written(host.file(container), as: format))
    #expect(read.records.count == host.packets.count)
    // Where the capture does not tell a direction, the probable one is written, or that of the piece before.
    let expected = zip(read.records, again.records).map { record, written in
      var record = record
      record.direction = record.direction ?? written.direction
      return essence(record)
    }
    #expect(again.records.count == read.records.count && again.records.map(essence) == expected)
    #expect(again.records.map(\.direction) == host.packets.map(\.direction))
    #expect(again.formatName == format.rawValue && again.progress.isComplete)
    #expect(Set(again.records.map(\.linkType)) == [format == .btsnoop ? .linuxMonitor : .linuxMonitorWithHeader])
  }

  @Test(arguments: CaptureWriter.Format.allCases)
  func `holds whatever the monitor says`(format: CaptureWriter.Format) throws {
    let file = (0...127).reduce(into: BTSnoopBuilder.header(dataLink: 2001)) { file, opcode in
      file += BTSnoopBuilder.record(opcode < 10 ? [] : hex("aa bb"), flags: 0xFFFE_0000 | UInt32(opcode))
    }
    let read = try ReadCapture(file).records
    let again = try ReadCapture(try written(file, as: format)).records
    #expect(again.count == 128 && again.map(essence) == read.map(essence))
  }

  /// Where records were lost is told, and how many, in the formats that can tell it, however many records come at once.
  @Test(
    arguments: [CaptureWriter.Format.btsnoop, .pcapng],
    [[0, 0, 3, 3, 4, 4], [7, 7, 16], [0, 16_777_215, 16_777_216]] as [[UInt32]])
  func `says what was lost`(format: CaptureWriter.Format, drops: [UInt32]) throws {
    let file = drops.reduce(into: BTSnoopBuilder.header(dataLink: 2001)) { file, drops in
      file += BTSnoopBuilder.record(hex("0e 04 01 03 0c 00"), flags: 3, drops: drops)
    }
    for delivery in [Delivery.whole, .pieces(30)] {
      // As a live capture is read.
      var reader = CaptureReader(isLive: true)
      var writer = CaptureWriter(format)
      try deliver(file, delivery) { (span, isLast) throws(ParsingError) in
        let count = try reader.read(span, isLast: isLast, into: &writer)
        writer.note(droppedRecords: reader.droppedRecords)
        #expect(writer.lossesLength == 0)
        return count
      }
      let again = try ReadCapture(Array(ContiguousArray(writer.octets)))
      #expect(again.droppedRecords == UInt64(drops.last ?? 0))
      #expect(again.records.map(\.droppedRecords) == zip(drops, [0] + drops).map { UInt64($0 - $1) })
    }
  }

  /// What no record tells is told by itself where there is a block for that, else by the next record.
  @Test(arguments: [CaptureWriter.Format.btsnoop, .pcapng])
  func `says what was lost without a record`(format: CaptureWriter.Format) throws {
    let kind = PCAPNGBuilder()
    let packet = kind.enhanced(hex("04 0e 04 01 03 0c 00"), options: kind.option(4, UInt64.max.octets(.little)))
    let statistics = kind.block(
      5, [UInt8](repeating: 0, count: 12) + kind.option(5, UInt64(7).octets(.little)) + kind.option(0, []))
    func written(_ blocks: [UInt8]...) throws -> ReadCapture {
      var reader = CaptureReader(isLive: true)
      var writer = CaptureWriter(format)
      let file = kind.section + kind.interface(linkType: 187) + blocks.flatMap { $0 }
      try deliver(file, .pieces(1)) { (span, isLast) throws(ParsingError) in
        let count = try reader.read(span, isLast: isLast, into: &writer)
        writer.note(droppedRecords: reader.droppedRecords)
        writer.tellLosses()
        return count
      }
      return try ReadCapture(Array(ContiguousArray(writer.octets)))
    }
    let plain = kind.enhanced(hex("04 0e 04 01 03 0c 00"))
    let atEnd = try written(plain, statistics)
    #expect(atEnd.droppedRecords == (format == .pcapng ? 7 : 0) && atEnd.progress.isComplete)
    let between = try written(plain, statistics, plain)
    #expect(between.droppedRecords == 7)
    #expect(between.records.map(\.droppedRecords) == (format == .pcapng ? [0, 0] : [0, 7]))
    let endless = try written(packet)
    #expect(endless.droppedRecords == (format == .pcapng ? .max : 16_777_215))
  }

  /// Where octets could not be read, and where a source was away, nobody knows how many are missing: more than one, so
  /// that nothing is concluded from there being no more. What the capture counts beside them is told in addition.
  @Test(arguments: CaptureWriter.Format.allCases)
  func `says where something may be lost`(format: CaptureWriter.Format) throws {
    func records(_ drops: UInt32...) -> [UInt8] {
      drops.flatMap { BTSnoopBuilder.record(hex("0e 04 01 03 0c 00"), flags: 3, drops: $0) }
    }
    let header = BTSnoopBuilder.header(dataLink: 2001)
    var reader = CaptureReader(isLive: true)
    var writer = CaptureWriter(format)
    let damaged = header + records(0, 0) + [UInt8](repeating: 0xEE, count: 100) + records(0, 0, 0, 3, 3)
    for octets in [damaged, header + records(0, 5, 5)] {
      try deliver(octets, .whole) { (span, isLast) throws(ParsingError) in
        let count = try reader.read(span, isLast: isLast, into: &writer)
        writer.note(droppedRecords: reader.droppedRecords)
        return count
      }
      reader.beginAgain(isGap: true)
    }
    let again = try ReadCapture(Array(ContiguousArray(writer.octets)))
    let told: [UInt64] = format == .pcap ? [UInt64](repeating: 0, count: 10) : [0, 0, 2, 0, 0, 3, 0, 2, 5, 0]
    #expect(again.records.map(\.droppedRecords) == told && again.progress.isComplete)
    #expect(again.droppedRecords == told.reduce(0, +))
  }

  /// A file tells of what was lost since it began: not what others have told, and not what was lost before anything was
  /// recorded.
  @Test func `tells later files only of their own losses`() throws {
    var writer = CaptureWriter(.btsnoop, droppedRecords: 5)
    func read(_ drops: UInt32...) throws -> ReadCapture {
      let file = drops.reduce(into: BTSnoopBuilder.header(dataLink: 2001)) { file, drops in
        file += BTSnoopBuilder.record(hex("0e 04 01 03 0c 00"), flags: 3, drops: drops)
      }
      var reader = CaptureReader()
      try deliver(file, .whole) { (span, isLast) throws(ParsingError) in
        try reader.read(span, isLast: isLast, into: &writer)
      }
      defer {
        writer.clear()
        writer.beginFile()
      }
      return try ReadCapture(Array(ContiguousArray(writer.octets)))
    }
    #expect(try read(0, 0).droppedRecords == 0)
    #expect(try read(7, 7).droppedRecords == 7)
    let last = try read(0)
    #expect(last.droppedRecords == 0 && last.records.count == 1)
  }

  /// A clock that was never set, and one that was set to nonsense, fit into no unsigned field.
  @Test(arguments: CaptureWriter.Format.allCases)
  func `has no times before 1970`(format: CaptureWriter.Format) throws {
    let file = BTSnoopBuilder.header(dataLink: 2001) + BTSnoopBuilder.record(hex("0e 01 00"), flags: 3, time: -5)
    let times = try ReadCapture(try written(file, as: format)).records.map(\.time)
    #expect(times == [format == .btsnoop ? -5 : 0])
  }

  @Test(
    arguments: [
      ("run.pcap", .pcap), ("run.PCAPNG", .pcapng), ("run.btsnoop", .btsnoop), ("run.log", .btsnoop),
      ("pcap", .btsnoop),
      ("a.pcap/run", .btsnoop), ("a.log/run.tar.pcap", .pcap), ("", .btsnoop), ("run.", .btsnoop),
    ] as [(String, CaptureWriter.Format)])
  func `has the format of its name`(path: String, format: CaptureWriter.Format) {
    #expect(CaptureWriter.Format(path: path) == format)
  }

  /// Another interface's packets are no Bluetooth traffic.
  @Test func `leaves out what is not Bluetooth`() throws {
    let sample = Sample.named("wahoo-tickr.two-sections.pcapng")
    let read = try ReadCapture(sample.octets).records.filter { $0.content != .foreign }
    let again = try ReadCapture(try written(sample.octets, as: .btsnoop)).records
    #expect(again.map(\.octets) == read.map(\.octets) && again.count > 20)
  }
}

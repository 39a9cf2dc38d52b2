import CaptureAnalysis
import CaptureFiles
import Octets
import TestSupport
import Testing

/// A packet that is damaged though its record can be read: it is told, and where, and nothing is said to be whole.
@Suite struct `Packets that are not read` {
  /// Twenty measurements; the tenth is in the record of this number.
  private static let host: HostSide = {
    var host = HostSide()
    host.subscribe()
    for index in 0..<20 as Range<UInt8> {
      host.notified([0x06, 60 + index])
      host.wait(milliseconds: 990)
    }
    host.disconnected(reason: 0x16)
    return host
  }()
  private static let damaged = host.packets.count - 12

  /// What is told of the file with another record in place of the tenth measurement's.
  private func summary(_ container: Container, _ change: (inout [UInt8]) -> Void) throws -> CaptureSummary {
    let packets = Self.host.packets
    return try TestSupport.summary(
      of: packets.enumerated().reduce(into: container.header) { file, packet in
        var record = container.record(packet.element)
        if packet.offset == Self.damaged { change(&record) }
        file += record
      })
  }

  private func expect(_ summary: CaptureSummary, _ message: String, skipped: Int, measurements: Int = 19) {
    let found = summary.findings.filter { $0.severity > .info }
    #expect(found.map(\.rule) == ["octets-skipped"] && found.first?.frame == Self.damaged + 1)
    #expect(found.first?.message.contains(message) == true, "\(found.map(\.message))")
    #expect(summary.facts.skippedOctets == skipped && !summary.facts.isComplete)
    #expect(summary.facts.records == Self.host.packets.count)
    #expect(summary.connections.map { $0.heartRate?.statistics.measurements } == [measurements])
  }

  @Test(arguments: [(Container.pcapngLittle, 8), (.pcapngBig, 11)])
  func `of an interface that nothing describes`(container: Container, place: Int) throws {
    let summary = try summary(container) { $0[place] = 4 }
    expect(summary, "nothing describes its interface", skipped: 20 + 20)
  }

  /// All that follows is told once, and it is not said that there are no data.
  @Test func `of a section whose interface is not described`() throws {
    let kind = PCAPNGBuilder()
    let file = Self.host.packets.reduce(into: kind.section) { $0 += kind.record($1) }
    let summary = try TestSupport.summary(of: file)
    #expect(summary.findings.map(\.rule) == ["octets-skipped"] && summary.connections.isEmpty)
    #expect(summary.findings.first?.message.hasSuffix("skipped, nothing readable behind them") == true)
    #expect(!summary.facts.isComplete && summary.facts.logsData != true && !summary.facts.readsAllPackets)
  }

  /// One bit makes of data what ends all connections: that their adapter is gone, or off, or on.
  @Test(arguments: [(Container.btsnoopMonitor, 11), (.pcapMonitor, 19)], [1, 8, 9] as [UInt8])
  func `of a monitor's kind that has none`(container: (Container, place: Int), opcode: UInt8) throws {
    let summary = try summary(container.0) { $0[container.place] = opcode }
    expect(summary, "Opcode: that of a record without octets, before 13 of them", skipped: 13)
  }

  @Test(arguments: [(Container.btsnoopH4, 24), (.pcapH4, 16), (.pcapDirection, 20)])
  func `of a type that is none`(container: Container, place: Int) throws {
    for type in [0x00, 0x06, 0x42] as [UInt8] {
      let summary = try summary(container) { $0[place] = type }
      expect(summary, "Type: none, before what is ACL data otherwise", skipped: 13)
    }
  }

  /// Kinds that are not followed, and what makers log: no packet of ACL data speaks out of them.
  @Test(arguments: [0x03, 0x05, 0x42, 0xF0] as [UInt8])
  func `of other kinds are nothing odd`(type: UInt8) throws {
    let summary = try summary(.btsnoopH4) { record in
      record[24] = type
      record[27] ^= 0x20
    }
    #expect(summary.facts.isComplete && !summary.findings.contains { $0.rule == "octets-skipped" })
    let makers = try self.summary(.btsnoopH4) { $0[24] = 0xF0 }
    #expect(makers.facts.isComplete)
  }

  /// It says of itself that it is empty, or longer than it is.
  @Test(arguments: Container.allCases, [0, 1, 8, 10, 2848])
  func `to their end`(container: Container, length: Int) throws {
    let packet = Self.host.packets[Self.damaged]
    let summary = try summary(container) { record in
      var damaged = packet
      damaged.octets.replaceSubrange(2..<4, with: UInt16(length).little)
      record = container.record(damaged)
    }
    let lacks = length > 9
    #expect(summary.facts.skippedOctets == max(9 - length, 0) && !summary.facts.isComplete)
    let found = summary.findings.filter { $0.rule == "octets-skipped" }
    #expect(found.map(\.frame) == [Self.damaged + 1])
    let octets = length == 1 ? "1 octet" : "\(length) octets"
    #expect(found.first?.message.contains("Length: \(octets), and 9 there") == true)
    #expect(found.first?.message.hasSuffix(lacks ? "read as far as it goes" : "reading went on") == true)
  }

  /// A writer that cuts packets and does not say so, as there is no room for that in PacketLogger, or fills them up, damages
  /// nothing.
  @Test(arguments: Container.allCases, [-3, 1])
  func `are not those of a writer that cuts all, or fills them up`(container: Container, change: Int) throws {
    var packets = Self.host.packets
    for place in packets.indices where packets[place].content == .aclData {
      if change < 0 { packets[place].octets.removeLast(-change) } else { packets[place].octets += [0] }
    }
    let summary = try TestSupport.summary(of: container.file(packets))
    #expect(summary.facts.isComplete && !summary.findings.contains { $0.rule == "octets-skipped" })
    // Of a discovery that is cut, nothing is left that would name them.
    #expect(summary.connections.map { $0.heartRate?.statistics.measurements } == [change < 0 ? nil : 20])
  }

  /// What goes on with a PDU tells no length, though its first octets may look so.
  @Test func `are not those that go on with what began before`() throws {
    var host = HostSide()
    host.subscribe()
    let value = hex("01 02 03 04 05 06") + hex("05 00 04 00 11 12 13 14 15")
    host.notified(attribute: 30, value, split: [4 + 3 + 6])
    var packets = host.packets
    packets[packets.count - 1].octets.replaceSubrange(2..<4, with: UInt16(8).little)
    let summary = try TestSupport.summary(of: Container.btsnoopH4.file(packets))
    #expect(!summary.findings.contains { $0.rule == "octets-skipped" }, "\(summary.findings.map(\.message))")
  }

  /// As in other formats, it is told, and the packet is read all the same.
  @Test(arguments: [0, 14, 0x8000_0000] as [UInt32])
  func `but their original length`(length: UInt32) throws {
    let summary = try summary(.pcapngLittle) { $0.replaceSubrange(24..<28, with: length.little) }
    let found = summary.findings.filter { $0.rule == "octets-skipped" }
    #expect(found.map(\.frame) == [Self.damaged + 1] && found.first?.message.contains("Original length") == true)
    #expect(summary.facts.isComplete && summary.facts.truncatedRecords == 0)
    #expect(summary.connections.map { $0.heartRate?.statistics.measurements } == [20])
  }

  /// A packet that is whole to itself was not cut, whatever its record says.
  @Test(arguments: [Container.btsnoopH4, .pcapDirection, .pcapngLittle])
  func `of another original length are no way of logging`(container: Container) throws {
    var packets = Self.host.packets
    packets[Self.damaged].kept = packets[Self.damaged].octets.count
    packets[Self.damaged].octets += Array(repeating: 0, count: 1000)
    let summary = try TestSupport.summary(of: container.file(packets))
    #expect(summary.facts.truncatedRecords == 1 && summary.facts.truncatedACLPackets == 0)
    let found = summary.findings.filter { $0.rule == "packets-truncated" }
    #expect(found.map(\.message) == ["1 of \(packets.count) packets was kept shorter than it was sent"])
    #expect(summary.connections.map { $0.heartRate?.statistics.measurements } == [20])
  }
}

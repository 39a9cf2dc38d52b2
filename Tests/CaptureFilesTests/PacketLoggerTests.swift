import CaptureFiles
import Octets
import Testing
import TestSupport

@Suite struct `PacketLogger` {
  private static let orders = [OctetOrder.little, .big]

  @Test(arguments: orders)
  func `types`(order: OctetOrder) throws {
    let kind = PacketLoggerBuilder(order)
    let types: [(UInt8, RecordContent, Direction?)] = [
      (0x00, .command, .sent), (0x01, .event, .received), (0x02, .aclData, .sent), (0x03, .aclData, .received),
      (0x08, .synchronousData, .sent), (0x09, .synchronousData, .received), (0x0A, .note, nil), (0x0B, .note, nil),
      (0x12, .isochronousData, .sent), (0x13, .isochronousData, .received), (0xF7, .note, nil), (0xFB, .note, nil),
      (0xFC, .note, nil), (0xFE, .note, nil), (0x0D, .unknown, nil), (0xFF, .unknown, nil),
    ]
    let file = types.reduce([]) { $0 + kind.record(type: $1.0, hex("aa bb cc")) }
    let read = try ReadCapture(file)
    #expect(read.records.map(\.content) == types.map(\.1))
    #expect(read.records.map(\.direction) == types.map(\.2))
    #expect(read.records.allSatisfy { $0.octets == hex("aa bb cc") && $0.linkType == .packetLogger })
    #expect(read.progress.isComplete)
    #expect(read.clock == (order == .little ? .local : .unknown))
  }

  @Test(arguments: orders, 1...6)
  func `a few records are enough`(order: OctetOrder, count: Int) throws {
    let kind = PacketLoggerBuilder(order)
    let packets = Traffic.notifications(count)
    let read = try ReadCapture(packets.reduce([]) { $0 + kind.record($1) })
    #expect(read.packets == packets.map(\.octets) && read.formatName == "packetlogger")
  }

  @Test(arguments: orders)
  func `a note of days before, and an empty one, do not disturb`(order: OctetOrder) throws {
    let kind = PacketLoggerBuilder(order)
    let note = kind.record(type: 0xFC, Array("started".utf8), time: CapturedPacket.start - 300_000_000_000)
    let packets = Traffic.notifications(3)
    let file = packets.reduce(note + kind.record(type: 0xFB, [])) { $0 + kind.record($1) }
    let read = try ReadCapture(file)
    #expect(read.records.map(\.content) == [.note, .note, .aclData, .aclData, .aclData])
    #expect(read.records.first?.time == CapturedPacket.start - 300_000_000_000)
  }
}

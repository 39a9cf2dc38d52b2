package import CaptureFiles

/// One HCI packet as a capture is to hold it.
package struct CapturedPacket {
  /// What it is: a command, an event, ACL data.
  package var content: RecordContent
  /// Where it went.
  package var direction: Direction
  /// All octets that were sent, without a type octet.
  package var octets: [UInt8]
  /// How many of them the capture keeps; nil: all.
  package var kept: Int?
  /// Microseconds since 1970.
  package var time: Int64
  /// The adapter, for formats that tell.
  package var adapter: UInt16

  /// A packet from its parts.
  package init(
    _ content: RecordContent, _ direction: Direction, _ octets: [UInt8], kept: Int? = nil,
    time: Int64 = CapturedPacket.start, adapter: UInt16 = 0
  ) {
    self.content = content
    self.direction = direction
    self.octets = octets
    self.kept = kept
    self.time = time
    self.adapter = adapter
  }

  /// When the packets of tests begin: 2026-03-14 09:26:53 UTC.
  package static let start: Int64 = 1_773_480_413_000_000

  /// The octets that are kept.
  package var keptOctets: [UInt8] { Array(octets.prefix(kept ?? octets.count)) }

  /// The type octet of the UART transport.
  package var uartType: UInt8 {
    switch content {
    case .command: 1
    case .aclData: 2
    case .synchronousData: 3
    case .event: 4
    case .isochronousData: 5
    default: 0xEE
    }
  }

  /// The type octet of PacketLogger.
  package var packetLoggerType: UInt8 {
    switch (content, direction) {
    case (.command, _): 0x00
    case (.event, _): 0x01
    case (.aclData, .sent): 0x02
    case (.aclData, .received): 0x03
    case (.synchronousData, .sent): 0x08
    case (.synchronousData, .received): 0x09
    case (.isochronousData, .sent): 0x12
    case (.isochronousData, .received): 0x13
    default: 0xFC
    }
  }

  /// The opcode of the Linux monitor.
  package var monitorOpcode: UInt16 {
    switch (content, direction) {
    case (.newIndex, _): 0
    case (.deleteIndex, _): 1
    case (.command, _): 2
    case (.event, _): 3
    case (.aclData, .sent): 4
    case (.aclData, .received): 5
    case (.synchronousData, .sent): 6
    case (.synchronousData, .received): 7
    case (.openIndex, _): 8
    case (.closeIndex, _): 9
    case (.indexInformation, _): 10
    case (.isochronousData, .sent): 18
    case (.isochronousData, .received): 19
    default: UInt16(content.monitorOpcode ?? 12)
    }
  }
}

import CaptureFiles
package import Octets

extension FixedWidthInteger {
  /// The octets of the number in an order.
  package func octets(_ order: OctetOrder) -> [UInt8] { order == .little ? little : big }
}

/// Writes classic pcap.
package struct PCAPBuilder: Sendable {
  package var order = OctetOrder.little
  package var hasNanoseconds = false
  package var linkType: UInt32 = 201
  /// Whether each record's header goes on with 8 octets about the interface.
  package var isModified = false

  /// A writer of one kind of file.
  package init(_ order: OctetOrder = .little, hasNanoseconds: Bool = false, linkType: UInt32 = 201) {
    self.order = order
    self.hasNanoseconds = hasNanoseconds
    self.linkType = linkType
  }

  /// The file header.
  package var header: [UInt8] {
    (isModified ? 0xA1B2_CD34 as UInt32 : hasNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4).octets(order)
      + UInt16(2).octets(order)
      + UInt16(4).octets(order) + UInt64(0).octets(order) + UInt32(0x4_0000).octets(order) + linkType.octets(order)
  }

  /// A record as it stands in the file, with the link type's header in `octets`.
  package func record(
    _ octets: [UInt8], original: Int? = nil, time: Int64 = CapturedPacket.start, nanoseconds: UInt32 = 0
  ) -> [UInt8] {
    let fraction = UInt32(time % 1_000_000)
    return UInt32(time / 1_000_000).octets(order)
      + (hasNanoseconds ? fraction * 1000 + nanoseconds : fraction).octets(order)
      + UInt32(octets.count).octets(order) + UInt32(original ?? octets.count).octets(order)
      + (isModified ? UInt32(3).octets(order) + UInt16(4).octets(order) + [0, 0] : []) + octets
  }

  /// A record of a packet behind the header of the link type.
  package func record(_ packet: CapturedPacket) -> [UInt8] {
    let before = Self.linkHeader(linkType, packet)
    return record(before + packet.keptOctets, original: before.count + packet.octets.count, time: packet.time)
  }

  /// What stands before a packet.
  package static func linkHeader(_ linkType: UInt32, _ packet: CapturedPacket) -> [UInt8] {
    switch linkType {
    case 187: [packet.uartType]
    case 201: UInt32(packet.direction == .received ? 1 : 0).big + [packet.uartType]
    case 254: packet.adapter.big + packet.monitorOpcode.big
    default: []
    }
  }
}

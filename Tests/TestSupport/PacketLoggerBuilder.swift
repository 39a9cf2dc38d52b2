package import Octets

/// Writes Apple PacketLogger.
package struct PacketLoggerBuilder {
  package var order: OctetOrder

  /// A writer in an octet order.
  package init(_ order: OctetOrder = .little) {
    self.order = order
  }

  /// A record of any type.
  package func record(type: UInt8, _ octets: [UInt8], time: Int64 = CapturedPacket.start) -> [UInt8] {
    UInt32(octets.count + 9).octets(order) + UInt32(time / 1_000_000).octets(order)
      + UInt32(time % 1_000_000).octets(order) + [type] + octets
  }

  /// A record of a packet. The format can't tell that it was cut.
  package func record(_ packet: CapturedPacket) -> [UInt8] {
    record(type: packet.packetLoggerType, packet.keptOctets, time: packet.time)
  }
}

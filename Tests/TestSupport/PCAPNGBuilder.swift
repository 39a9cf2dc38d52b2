package import Octets

/// Writes the blocks of pcapng.
package struct PCAPNGBuilder {
  package var order: OctetOrder

  /// A writer of sections in an octet order.
  package init(_ order: OctetOrder = .little) {
    self.order = order
  }

  /// Any block: the body is padded to four octets.
  package func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
    let padded = Self.padded(body)
    let total = UInt32(padded.count + 12).octets(order)
    return type.octets(order) + total + padded + total
  }

  /// A Section Header Block.
  package var section: [UInt8] {
    block(
      0x0A0D_0D0A,
      UInt32(0x1A2B_3C4D).octets(order) + UInt16(1).octets(order) + UInt16(0).octets(order)
        + UInt64.max.octets(order))
  }

  /// An Interface Description Block.
  package func interface(linkType: UInt16, snapshotLength: UInt32 = 0, options: [UInt8] = []) -> [UInt8] {
    block(1, linkType.octets(order) + UInt16(0).octets(order) + snapshotLength.octets(order) + options)
  }

  /// An option.
  package func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
    code.octets(order) + UInt16(value.count).octets(order) + Self.padded(value)
  }

  /// An Enhanced Packet Block. `stamp` is in the interface's own units.
  package func enhanced(
    _ octets: [UInt8], original: Int? = nil, interface: UInt32 = 0, stamp: UInt64 = UInt64(CapturedPacket.start),
    options: [UInt8] = []
  ) -> [UInt8] {
    block(
      6,
      interface.octets(order) + UInt32(stamp >> 32).octets(order) + UInt32(truncatingIfNeeded: stamp).octets(order)
        + UInt32(octets.count).octets(order) + UInt32(original ?? octets.count).octets(order) + Self.padded(octets)
        + options)
  }

  /// A Packet Block of the old kind.
  package func old(
    _ octets: [UInt8], interface: UInt16 = 0, drops: UInt16 = 0, stamp: UInt64 = UInt64(CapturedPacket.start)
  ) -> [UInt8] {
    block(
      2,
      interface.octets(order) + drops.octets(order) + UInt32(stamp >> 32).octets(order)
        + UInt32(truncatingIfNeeded: stamp).octets(order) + UInt32(octets.count).octets(order)
        + UInt32(octets.count).octets(order) + Self.padded(octets))
  }

  /// A Simple Packet Block.
  package func simple(_ octets: [UInt8], original: Int? = nil) -> [UInt8] {
    block(3, UInt32(original ?? octets.count).octets(order) + octets)
  }

  /// An Enhanced Packet Block of a packet on an interface of link type 201.
  package func record(_ packet: CapturedPacket, interface: UInt32 = 0) -> [UInt8] {
    let before = PCAPBuilder.linkHeader(201, packet)
    return enhanced(
      before + packet.keptOctets, original: before.count + packet.octets.count, interface: interface,
      stamp: UInt64(packet.time))
  }

  private static func padded(_ octets: [UInt8]) -> [UInt8] {
    octets + Array(repeating: 0, count: (4 - octets.count % 4) % 4)
  }
}

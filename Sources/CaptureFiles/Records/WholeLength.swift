import Octets

// A packet tells in its own header how long it is, whatever the capture says of it and however much of it was kept.

extension RecordContent {
  /// How long a packet was by its own header; nil where that is not all there. Core 6.0, Vol 4, Part E, 5.4.
  /// - Parameter packet: The packet, behind all headers of the capture.
  @inline(__always)
  func wholeLength(of packet: OctetWindow) -> Int? {
    switch self {
    case .event where packet.count >= 2: 2 + Int(packet.uint8(at: 1))
    case .command where packet.count >= 3: 3 + Int(packet.uint8(at: 2))
    case .synchronousData where packet.count >= 3: 3 + Int(packet.uint8(at: 2))
    case .aclData where packet.count >= 4: 4 + Int(packet.uint16(at: 2))
    case .isochronousData where packet.count >= 4: 4 + Int(packet.uint16(at: 2) & 0x3FFF)
    default: nil
    }
  }
}

extension LinkType {
  /// How long a record was, the link type's header and all, by the header of the packet in it; nil where that is not all
  /// there, or tells no length.
  /// - Parameters:
  ///   - octets: The record's octets, with the link type's header still on.
  ///   - flags: The format's own flags, where the link type is defined by them.
  func wholeLength(of octets: OctetWindow, flags: UInt32 = 0) -> Int? {
    let meaning = meaning(octets, flags, nil)
    return meaning.content.wholeLength(of: octets.dropping(meaning.headerLength)).map { meaning.headerLength + $0 }
  }
}

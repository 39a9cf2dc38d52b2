public import Octets

/// A whole L2CAP PDU in one packet of ACL data, and nothing odd about either: almost all that there is.
///
///     +---------------------+----------------+----------------+----------------+-----------
///     | handle, flags (u16) | length + 4     | length (u16)   | channel (u16)  | payload …
///     +---------------------+----------------+----------------+----------------+-----------
///
/// Core 6.0, Vol 4, Part E, 5.4.2, and Vol 3, Part A, 3.1.
@frozen public struct UnfragmentedPDU: ~Escapable, BitwiseCopyable {
  /// The connection, unique on its adapter while it lasts.
  public let connectionHandle: UInt16
  /// The channel, by the receiver's number for it.
  public let channel: ChannelID
  /// What it carries.
  public let payload: CapturedOctets

  @inlinable static var headerLength: Int { 8 }

  /// Looks at a packet all of whose octets were kept.
  /// - Parameter origin: Where its octets begin in the capture.
  /// - Returns: nil if it is anything else: `HCIACLData` and `L2CAPPDU` tell what.
  @inlinable @inline(__always) @_lifetime(copy packet)
  public init?(_ packet: OctetWindow, origin: Int) {
    guard packet.count >= Self.headerLength else { return nil }
    let (word, length) = (packet.uint16(at: 0), packet.count &- Self.headerLength)
    // It begins a PDU (Packet_Boundary_Flag 00 or 10) of the connection's own (Broadcast_Flag 00).
    guard word & 0xD000 == 0, Int(packet.uint16(at: 2)) == length &+ 4, Int(packet.uint16(at: 4)) == length else {
      return nil
    }
    connectionHandle = word.connectionHandle
    channel = ChannelID(rawValue: packet.uint16(at: 6))
    payload = CapturedOctets(
      packet.dropping(Self.headerLength).octets, length: length, origin: origin &+ Self.headerLength)
  }
}

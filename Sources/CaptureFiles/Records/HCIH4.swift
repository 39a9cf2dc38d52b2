public import Octets

/// HCI packets behind the type octet of the UART transport.
///
///     +------+----------------
///     | type | packet …
///     +------+----------------
///
/// Core 6.0, Vol 4, Part A, 2.
@usableFromInline enum HCIH4 {
  @inlinable static var headerLength: Int { 1 }

  /// The type octet decides, not the record's flags: one writer sets bits there that it should not. From F0 on they are the
  /// makers' own, as of their controllers' diagnostics.
  /// - Parameter direction: The direction, where the capture tells it.
  @inlinable @inline(__always)
  static func meaning(_ octets: OctetWindow, _ direction: Direction?) -> RecordMeaning {
    let content = content(ofType: octets.count == 0 ? 0 : octets.uint8(at: 0))
    return RecordMeaning(
      content: content, direction: direction ?? self.direction(content, octets),
      headerLength: headerLength)
  }

  @inlinable @inline(__always)
  static func content(ofType type: UInt8) -> RecordContent {
    type <= RecordContent.isochronousData.rawValue ? RecordContent(rawValue: type) : content(ofOddType: type)
  }

  // Called, so that who has a packet of a type that is known need not ask.
  @usableFromInline @inline(never)
  static func content(ofOddType type: UInt8) -> RecordContent { type < 0xF0 ? .unknown : .note }

  @usableFromInline @inline(never)
  static func direction(_ content: RecordContent, _ octets: OctetWindow) -> Direction? {
    content.direction(of: octets.dropping(min(headerLength, octets.count)).octets)
  }

  /// Which way ACL data probably went, of which nothing tells it.
  /// - Parameter packet: The packet behind the type octet.
  static func probableDirection(ofData packet: Span<UInt8>) -> Direction? {
    packet.count > 1 && boundaryFlag(packet[1]) == 0b10 ? .received : nil
  }

  fileprivate static func boundaryFlag(_ octet: UInt8) -> UInt8 { (octet >> 4) & 0b11 }
}

extension RecordContent {
  /// Which way a packet of this kind went, where the capture does not tell: commands are sent, events received, and ACL
  /// data with the Packet_Boundary_Flag 00 are the host's. Those with 10 are the controller's on Low Energy links, but on
  /// BR/EDR links a host may use it too; continuations say nothing at all. Core 6.0, Vol 4, Part E, 5.4.2.
  /// - Parameter packet: The packet, behind all headers of the capture.
  public func direction(of packet: Span<UInt8>) -> Direction? {
    switch self {
    case .command: .sent
    case .event: .received
    case .aclData where packet.count > 1: HCIH4.boundaryFlag(packet[1]) == 0b00 ? .sent : nil
    default: nil
    }
  }
}

/// The same behind a word that tells the direction: `u32`, big-endian, bit 0 set if received. Some writers have it in
/// the order of their machine.
@usableFromInline enum HCIH4WithDirection {
  static let headerLength = 4

  @usableFromInline static func meaning(_ octets: OctetWindow) -> RecordMeaning {
    guard octets.count >= headerLength else { return .unknown }
    let word = octets.uint32(at: 0, .big)
    let direction: Direction = word & 1 == 0 && word != UInt32(1).byteSwapped ? .sent : .received
    var meaning = HCIH4.meaning(octets.dropping(headerLength), direction)
    meaning.headerLength += headerLength
    return meaning
  }
}

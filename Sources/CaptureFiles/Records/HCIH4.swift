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

  /// The type octet decides, not the record's flags: one writer sets bits there that it should not.
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
    type <= RecordContent.isochronousData.rawValue ? RecordContent(rawValue: type) : .unknown
  }

  /// Where the capture does not tell the direction, the packet's kind does: commands are sent, events received, and
  /// ACL data tell by their Packet_Boundary_Flag (00 is only the host's, 10 the controller's). Continuations say
  /// nothing of themselves and follow the start before them. Core 6.0, Vol 4, Part E, 5.4.2.
  @usableFromInline @inline(never)
  static func direction(_ content: RecordContent, _ octets: OctetWindow) -> Direction? {
    switch content {
    case .command: return .sent
    case .event: return .received
    case .aclData where octets.count > 2:
      switch (octets.uint8(at: 2) >> 4) & 0b11 {
      case 0b00: return .sent
      case 0b10: return .received
      default: return nil
      }
    default: return nil
    }
  }
}

/// The same behind a word that tells the direction: `u32`, big-endian, bit 0 set if received.
@usableFromInline enum HCIH4WithDirection {
  static let headerLength = 4

  @usableFromInline static func meaning(_ octets: OctetWindow) -> RecordMeaning {
    guard octets.count >= headerLength else { return .unknown }
    let direction: Direction = octets.uint32(at: 0, .big) & 1 == 0 ? .sent : .received
    var meaning = HCIH4.meaning(octets.dropping(headerLength), direction)
    meaning.headerLength += headerLength
    return meaning
  }
}

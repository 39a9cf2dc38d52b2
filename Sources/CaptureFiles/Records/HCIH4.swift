/// HCI packets behind the type octet of the UART transport.
///
///     +------+----------------
///     | type | packet …
///     +------+----------------
///
/// Core 6.0, Vol 4, Part A, 2.
enum HCIH4 {
  static let headerLength = 1

  /// The type octet decides, not the record's flags: one writer sets bits there that it should not.
  /// - Parameter direction: The direction, where the capture tells it.
  @inline(__always)
  static func meaning(_ octets: Span<UInt8>, _ direction: Direction?) -> RecordMeaning {
    let content = content(ofType: octets.isEmpty ? 0 : octets[0])
    return RecordMeaning(
      linkType: .h4, content: content, direction: direction ?? self.direction(content, octets),
      headerLength: headerLength)
  }

  @inline(__always)
  private static func content(ofType type: UInt8) -> RecordContent {
    switch type {
    case 1: .command
    case 2: .aclData
    case 3: .synchronousData
    case 4: .event
    case 5: .isochronousData
    default: .unknown
    }
  }

  /// Where the capture does not tell the direction, the packet's kind does: commands are sent, events received, and
  /// ACL data tell by their Packet_Boundary_Flag (00 is only the host's, 10 the controller's). Continuations say
  /// nothing of themselves and follow the start before them. Core 6.0, Vol 4, Part E, 5.4.2.
  @inline(never)
  private static func direction(_ content: RecordContent, _ octets: Span<UInt8>) -> Direction? {
    switch content {
    case .command: return .sent
    case .event: return .received
    case .aclData where octets.count > 2:
      switch (octets[2] >> 4) & 0b11 {
      case 0b00: return .sent
      case 0b10: return .received
      default: return nil
      }
    default: return nil
    }
  }
}

/// The same behind a word that tells the direction: `u32`, big-endian, bit 0 set if received.
enum HCIH4WithDirection {
  static let headerLength = 4

  static func meaning(_ octets: Span<UInt8>) -> RecordMeaning {
    guard octets.count >= headerLength else { return .unknown(.h4WithDirection) }
    var meaning = HCIH4.meaning(octets.extracting(droppingFirst: headerLength), octets[3] & 1 == 0 ? .sent : .received)
    meaning.linkType = .h4WithDirection
    meaning.headerLength += headerLength
    return meaning
  }
}

/// HCI packets behind the type octet of the UART transport.
///
///     +------+----------------
///     | type | packet …
///     +------+----------------
///
/// Core 6.0, Vol 4, Part A, 2.
enum HCIH4 {
  /// The type octet decides, not the record's flags: one writer sets bits there that it should not.
  @inline(__always)
  @_lifetime(copy raw)
  static func record(_ raw: RawRecord, linkType: LinkType = .h4) -> CaptureRecord {
    let content = content(ofType: raw.octets.isEmpty ? 0 : raw.octets[0])
    return raw.record(linkType, content, direction(content, raw), droppingHeader: 1)
  }

  @inline(__always)
  static func content(ofType type: UInt8) -> RecordContent {
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
  private static func direction(_ content: RecordContent, _ raw: RawRecord) -> Direction? {
    if let direction = raw.direction { return direction }
    switch content {
    case .command: return .sent
    case .event: return .received
    case .aclData where raw.octets.count > 2:
      switch (raw.octets[2] >> 4) & 0b11 {
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

  @_lifetime(copy raw)
  static func record(_ raw: RawRecord) -> CaptureRecord {
    guard raw.octets.count >= headerLength else { return raw.record(.h4WithDirection, .unknown, nil) }
    return HCIH4.record(
      RawRecord(
        time: raw.time, direction: raw.octets[3] & 1 == 0 ? .sent : .received,
        octets: raw.octets.extracting(headerLength..<raw.octets.count),
        originalLength: raw.originalLength - headerLength, offset: raw.offset + headerLength),
      linkType: .h4WithDirection)
  }
}

/// The type octet of Apple PacketLogger records, handed over as the record's flags.
@usableFromInline enum PacketLoggerTypes {
  @usableFromInline static func meaning(_ flags: UInt32) -> RecordMeaning {
    let (content, direction) = meaning(ofType: UInt8(truncatingIfNeeded: flags))
    return RecordMeaning(content: content, direction: direction)
  }

  /// Link manager traffic (0A, 0B) and the notes (F7–FE) are kept as notes: they may be days older than the packets.
  private static func meaning(ofType type: UInt8) -> (RecordContent, Direction?) {
    switch type {
    case 0x00: (.command, .sent)
    case 0x01: (.event, .received)
    case 0x02: (.aclData, .sent)
    case 0x03: (.aclData, .received)
    case 0x08: (.synchronousData, .sent)
    case 0x09: (.synchronousData, .received)
    case 0x12: (.isochronousData, .sent)
    case 0x13: (.isochronousData, .received)
    case 0x0A, 0x0B, 0xF7...0xFE: (.note, nil)
    default: (.unknown, nil)
    }
  }
}

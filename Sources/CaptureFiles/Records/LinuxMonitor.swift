public import Octets

/// The Linux HCI monitor: an adapter number and an opcode tell what each record is. In btsnoop they are the record's
/// flags, `adapter << 16 | opcode`; in pcap they stand before the packet, both big-endian:
///
///     +---------------+---------------+----------------
///     | adapter (u16) | opcode (u16)  | packet …
///     +---------------+---------------+----------------
@usableFromInline enum LinuxMonitor {
  static let headerLength = 4

  /// A record that begins with adapter and opcode.
  @usableFromInline static func meaning(_ octets: OctetWindow) -> RecordMeaning {
    guard octets.count >= headerLength else { return .unknown }
    var meaning = meaning(octets.uint32(at: 0, .big), octets.dropping(headerLength))
    meaning.headerLength = headerLength
    return meaning
  }

  /// A record whose flags hold adapter and opcode already.
  @usableFromInline static func meaning(_ flags: UInt32, _ octets: OctetWindow) -> RecordMeaning {
    var (content, direction) = meaning(ofOpcode: UInt16(truncatingIfNeeded: flags))
    // One bit lies between data and the word that the adapter is gone, which is all that such a record says.
    if content.isBareMonitorNote, octets.count > 0 { content = .unreadable }
    return RecordMeaning(
      content: content, direction: direction, adapter: UInt16(truncatingIfNeeded: flags >> 16))
  }

  private static func meaning(ofOpcode opcode: UInt16) -> (RecordContent, Direction?) {
    switch opcode {
    case 0: (.newIndex, nil)
    case 1: (.deleteIndex, nil)
    case 2: (.command, .sent)
    case 3: (.event, .received)
    case 4: (.aclData, .sent)
    case 5: (.aclData, .received)
    case 6: (.synchronousData, .sent)
    case 7: (.synchronousData, .received)
    case 8: (.openIndex, nil)
    case 9: (.closeIndex, nil)
    case 10: (.indexInformation, nil)
    case 18: (.isochronousData, .sent)
    case 19: (.isochronousData, .received)
    case 11...127: (.monitorNote(UInt8(opcode)), nil)
    default: (.unknown, nil)
    }
  }

  /// The opcode of what a record holds; nil if the monitor has none for it.
  static func opcode(of content: RecordContent, _ direction: Direction) -> UInt16? {
    let isReceived: UInt16 = direction == .received ? 1 : 0
    switch content {
    case .newIndex: return 0
    case .deleteIndex: return 1
    case .command: return 2
    case .event: return 3
    case .aclData: return 4 + isReceived
    case .synchronousData: return 6 + isReceived
    case .openIndex: return 8
    case .closeIndex: return 9
    case .indexInformation: return 10
    case .isochronousData: return 18 + isReceived
    default: return content.monitorOpcode.map(UInt16.init)
    }
  }
}

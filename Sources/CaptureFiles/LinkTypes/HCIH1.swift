/// HCI packets without a type octet, as btsnoop keeps them: flag bit 0 says received, bit 1 command or event.
enum HCIH1 {
  @_lifetime(copy raw)
  static func record(_ raw: RawRecord) -> CaptureRecord {
    let direction: Direction = raw.flags & 1 == 0 ? .sent : .received
    let content: RecordContent =
      raw.flags & 2 == 0 ? .aclData : direction == .sent ? .command : .event
    return raw.record(.h1, content, direction)
  }
}

/// HCI packets without a type octet, as btsnoop keeps them: flag bit 0 says received, bit 1 command or event.
@usableFromInline enum HCIH1 {
  @usableFromInline static func meaning(_ flags: UInt32) -> RecordMeaning {
    let direction: Direction = flags & 1 == 0 ? .sent : .received
    let content: RecordContent =
      flags & 2 == 0 ? .aclData : direction == .sent ? .command : .event
    return RecordMeaning(content: content, direction: direction)
  }
}

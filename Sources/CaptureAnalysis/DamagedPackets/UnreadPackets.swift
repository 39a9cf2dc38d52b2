import CaptureFiles

/// Packets of a file that are not read, or not to their end, though their records are: something in them is damaged.
struct UnreadPackets {
  /// Each stretch of such records, as far as they are kept.
  private(set) var stretches: [Damage] = []
  /// How many stretches there are, kept or not.
  private(set) var count = 0
  /// Octets of packets that are not read.
  private(set) var octets = 0
  /// The last such record.
  private(set) var lastRecord = 0
  /// Whether all that packets said could be read.
  private(set) var isComplete = true

  /// More than this many are counted, not kept.
  private static let most = 100

  /// Takes a packet. Those of records that follow one another are one stretch.
  mutating func note(_ damage: PacketDamage, of record: CaptureRecord) {
    let goesOn = count > 0 && record.number == lastRecord + 1
    let unread = damage.unread(of: record)
    octets += unread
    lastRecord = record.number
    isComplete = isComplete && damage == .oddLength
    if !goesOn { count += 1 }
    guard count <= Self.most else { return }
    if goesOn {
      stretches[count - 1].skippedOctets += unread
    } else {
      stretches.append(Damage(error: damage.error(in: record), record: record.number, skippedOctets: unread))
    }
  }
}

import CaptureFiles

/// The first requests and responses of a connection: short, and the same on both ends, so that two captures of one
/// connection can be laid beside one another.
struct ATTExchange: Sendable {
  /// A PDU: what it is, which way it went, where it stood.
  struct Entry: Sendable {
    let fingerprint: UInt64
    let isSent: Bool
    let moment: Moment
  }

  private(set) var entries: [Entry] = []

  /// Discovery takes hundreds at most.
  private static let most = 4096

  mutating func note(_ pdu: ATTDialoguePDU, _ moment: Moment) {
    guard entries.count < Self.most, !pdu.isCut else { return }
    entries.append(
      Entry(fingerprint: fingerprint(of: pdu.octets.span), isSent: pdu.direction == .sent, moment: moment))
  }
}

import BluetoothHost

/// The first requests and responses of a connection: short, and the same on both ends, so that two captures of one
/// connection can be laid beside one another.
struct ATTExchange: Sendable {
  /// A PDU: what it is, where it stood.
  struct Entry: Sendable {
    let isFromClient: Bool
    let fingerprint: UInt64
    let moment: Moment
  }

  private(set) var entries: [Entry] = []

  /// Discovery takes hundreds at most; later ones tell drift.
  private static let most = 4096

  private static let fromClient: Set<ATTOpcode> = [
    .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readRequest,
    .readBlobRequest, .readByGroupTypeRequest, .writeRequest,
  ]

  mutating func note(_ pdu: ATTDialoguePDU, _ moment: Moment) {
    guard entries.count < Self.most, !pdu.isCut, let opcode = pdu.opcode else { return }
    entries.append(
      Entry(
        isFromClient: Self.fromClient.contains(opcode), fingerprint: Self.fingerprint(pdu.octets), moment: moment))
  }

  /// FNV-1a: the same in every run, unlike the standard library's hashes.
  static func fingerprint(_ octets: some Sequence<UInt8>) -> UInt64 {
    octets.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

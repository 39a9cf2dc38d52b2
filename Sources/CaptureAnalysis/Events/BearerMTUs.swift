/// The longest ATT PDU of each enhanced bearer of a connection, in octets, as it was agreed upon last.
public struct BearerMTUs: Sendable {
  private var agreed: [Int: UInt16] = [:]
  /// A connection with more is made to exhaust memory: nothing is known of the others.
  private static let most = 128

  init() {}

  /// How many bearers there were.
  public var count: Int { agreed.count }

  /// The least and the most that one of them takes; nil where there is none.
  public var range: ClosedRange<UInt16>? {
    agreed.values.min().flatMap { least in agreed.values.max().map { least...$0 } }
  }

  /// That of a bearer, by its number.
  subscript(bearer: Int) -> UInt16? { agreed[bearer] }

  /// Takes an agreement on enhanced bearers.
  mutating func note(_ event: MTUEvent) {
    guard let mtu = event.mtu else { return }
    for bearer in event.bearers ?? [] where agreed.count < Self.most || agreed[bearer] != nil {
      agreed[bearer] = mtu
    }
  }
}

/// What is said once on a connection, or always in the same way.
struct SaidOnce: Hashable, Sendable {
  /// What the two clients have asked, by the way that goes.
  var asked = BothDirections<Questions>([])
  /// What the peer's controller has said of itself.
  var version: Version?
  /// From where on each server has said that it has no services, if it has.
  var ends = BothServers(UInt16?.none)
  /// The servers that have sent measurements, and not changed their tables since: what precedes them is over.
  var measuring: Set<ServerSide> = []

  struct Version: Hashable {
    let version: UInt8
    let company: UInt16
  }

  /// What a client asks once on each connection.
  struct Questions: OptionSet, Hashable {
    let rawValue: UInt8

    /// For how long an ATT PDU may be.
    static let exchange = Self(rawValue: 1 << 0)
    /// Which services there are.
    static let discovery = Self(rawValue: 1 << 1)
  }
}

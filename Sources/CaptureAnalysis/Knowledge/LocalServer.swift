/// An adapter's own server, as peers reach it over one of the two transports: like a peer's, it need not show over one what it
/// shows over the other.
struct LocalServer: Hashable {
  let adapter: UInt16
  /// Whether it is reached over Low Energy. Where nothing tells, it is: who asks for heart rates comes that way.
  let isLowEnergy: Bool
}

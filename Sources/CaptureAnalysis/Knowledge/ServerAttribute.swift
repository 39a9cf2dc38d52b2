/// An attribute of one of a connection's two servers.
struct ServerAttribute: Hashable {
  /// Its handle.
  let handle: UInt16
  /// Whose it is.
  let server: ServerSide
}

/// A server of which it is known whose it is, so that what one connection tells of its attributes holds on another: a peer's,
/// or an adapter's own, whoever its client is.
enum KnownServer: Hashable {
  case remote(RemoteServer)
  case local(LocalServer)

  /// - Parameter peer: The connection's peer; nil if it is not known.
  /// - Returns: nil if the server is the peer's and that is not known.
  init?(_ side: ServerSide, of peer: RemoteServer?, _ local: LocalServer) {
    switch side {
    case .local: self = .local(local)
    case .peer:
      guard let peer else { return nil }
      self = .remote(peer)
    }
  }
}

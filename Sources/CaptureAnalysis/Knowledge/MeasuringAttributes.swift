/// The attributes from which heart rates came, by the server: of one that is known, on whatever connection.
struct MeasuringAttributes {
  private var handles: [Server: Set<UInt16>] = [:]
  /// Those of them whose RR-Intervals fit.
  private var fitting: [Server: Set<UInt16>] = [:]

  private enum Server: Hashable {
    case known(KnownServer)
    case ofConnection(Int, ServerSide)

    init(_ side: ServerSide, _ known: KnownServer?, _ connection: Int) {
      self = if let known { .known(known) } else { .ofConnection(connection, side) }
    }
  }

  mutating func insert(_ found: ConnectionInference) {
    let server = Server(found.inference.server, found.knownServer, found.connection)
    handles[server, default: []].insert(found.inference.handle)
    if found.inference.intervalsFit { fitting[server, default: []].insert(found.inference.handle) }
  }

  /// Those of the server that something notified from.
  func handles(of unknown: UnknownNotifications) -> Set<UInt16> {
    handles[Server(unknown.server, unknown.knownServer, unknown.connection)] ?? []
  }

  /// Those of them whose RR-Intervals fit the rates.
  func fittingHandles(of unknown: UnknownNotifications) -> Set<UInt16> {
    fitting[Server(unknown.server, unknown.knownServer, unknown.connection)] ?? []
  }
}

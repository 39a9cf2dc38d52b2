/// The same thing for each of the two servers of a connection.
struct BothServers<Value> {
  var peer: Value
  var local: Value

  /// The same of both, to begin with.
  init(_ value: Value) { (peer, local) = (value, value) }

  /// That of each, as it is of one server.
  init(of value: (ServerSide) -> Value) { (peer, local) = (value(.peer), value(.local)) }

  /// Reading and replacing are inlined, which changing in place is not: it yields at two places.
  subscript(side: ServerSide) -> Value {
    @inline(__always) get { side == .peer ? peer : local }
    @inline(__always) set { if side == .peer { peer = newValue } else { local = newValue } }
    _modify { if side == .peer { yield &peer } else { yield &local } }
  }
}

extension BothServers: Sendable where Value: Sendable {}
extension BothServers: Equatable where Value: Equatable {}
extension BothServers: Hashable where Value: Hashable {}

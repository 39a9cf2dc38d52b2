/// The same thing for each of the two servers of a connection.
struct BothServers<Value> {
  var peer: Value
  var local: Value

  init(_ value: (ServerSide) -> Value) { (peer, local) = (value(.peer), value(.local)) }

  subscript(side: ServerSide) -> Value {
    @inline(__always) _read { if side == .peer { yield peer } else { yield local } }
    @inline(__always) _modify { if side == .peer { yield &peer } else { yield &local } }
  }
}

extension BothServers: Sendable where Value: Sendable {}

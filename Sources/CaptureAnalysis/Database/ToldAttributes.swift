import GATTKit

/// The attributes of which a connection has been told.
struct ToldAttributes {
  /// The services, each with how often the table had changed when it was told last.
  private var services: [UInt32: Int] = [:]
  /// The same of characteristics.
  private var characteristics: [UInt32: Int] = [:]
  private var peerHash: DatabaseHash?
  private var localHash: DatabaseHash?
  private var peerChanges = 0
  private var localChanges = 0

  /// Whether this is the first time.
  mutating func insert(service start: UInt16, _ side: ServerSide) -> Bool {
    services.updateValue(changes(of: side), forKey: Self.key(start, side)) == nil
  }

  /// Whether a service was told of since the table changed.
  func holds(service start: UInt16, _ side: ServerSide) -> Bool {
    services[Self.key(start, side)] == changes(of: side)
  }

  /// A server's table has changed: what was told of it may be past.
  mutating func noteChange(of side: ServerSide) {
    if side == .peer { peerChanges &+= 1 } else { localChanges &+= 1 }
  }

  /// Whether a server's table has changed on this connection.
  func hasChanged(_ side: ServerSide) -> Bool { changes(of: side) > 0 }

  /// Whether this is the first time.
  mutating func insert(characteristic valueHandle: UInt16, _ side: ServerSide) -> Bool {
    characteristics.updateValue(changes(of: side), forKey: Self.key(valueHandle, side)) == nil
  }

  /// Whether a characteristic was told of since the table changed.
  func holds(characteristic valueHandle: UInt16, _ side: ServerSide) -> Bool {
    characteristics[Self.key(valueHandle, side)] == changes(of: side)
  }

  /// Whether a server's Database Hash is another than it was before.
  mutating func isOther(hash: DatabaseHash, _ side: ServerSide) -> Bool {
    let before = side == .peer ? peerHash : localHash
    if side == .peer { peerHash = hash } else { localHash = hash }
    return before.map { $0 != hash } ?? false
  }

  /// How many there are.
  var count: Int { services.count + characteristics.count }

  /// Forgets all of them: what is told again is told anew.
  mutating func forget() { (services, characteristics) = ([:], [:]) }

  private func changes(of side: ServerSide) -> Int { side == .peer ? peerChanges : localChanges }

  private static func key(_ handle: UInt16, _ side: ServerSide) -> UInt32 {
    UInt32(handle) | (side == .peer ? 0 : 1 << 16)
  }
}

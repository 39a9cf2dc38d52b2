import GATTKit

/// The attributes of which a connection has been told.
struct ToldAttributes {
  /// The services, by where they begin.
  private var services: [UInt32: Telling] = [:]
  /// The characteristics, by where their values are.
  private var characteristics: [UInt32: Telling] = [:]
  private var peerHash: DatabaseHash?
  private var localHash: DatabaseHash?
  private var peerChanges = 0
  private var localChanges = 0
  /// What has changed, until it is discovered anew.
  private var peerChange: ClosedRange<UInt16>?
  private var localChange: ClosedRange<UInt16>?

  /// What was told last of a handle.
  private struct Telling {
    /// How often the table had changed by then.
    let changes: Int
    let uuid: BluetoothUUID?

    /// Whether it is new to who was told something before: the table has changed, and holds another type there now.
    func isNew(after before: Telling?) -> Bool {
      before.map { $0.changes != changes && uuid != nil && $0.uuid != uuid } ?? true
    }
  }

  /// Whether there is something to tell: this is the first time, or another service stands there now.
  mutating func insert(service start: UInt16, _ uuid: BluetoothUUID?, _ side: ServerSide) -> Bool {
    let telling = Telling(changes: changes(of: side), uuid: uuid)
    return telling.isNew(after: services.updateValue(telling, forKey: Self.key(start, side)))
  }

  /// Whether a service was told of since the table changed.
  func holds(service start: UInt16, _ side: ServerSide) -> Bool {
    services[Self.key(start, side)]?.changes == changes(of: side)
  }

  /// A server's table has changed between two handles: what was told of it may be past.
  mutating func noteChange(of side: ServerSide, in handles: ClosedRange<UInt16>) {
    if side == .peer { peerChanges &+= 1 } else { localChanges &+= 1 }
    if side == .peer { peerChange = handles } else { localChange = handles }
  }

  /// Where a server's table has changed, once services were told again: asked for once.
  mutating func takeChange(of side: ServerSide) -> ClosedRange<UInt16>? {
    let changes = changes(of: side)
    guard let change = side == .peer ? peerChange : localChange,
      services.contains(where: { Self.isKey($0.key, side) && $0.value.changes == changes })
    else { return nil }
    if side == .peer { peerChange = nil } else { localChange = nil }
    return change
  }

  /// Whether a server's table has changed on this connection.
  func hasChanged(_ side: ServerSide) -> Bool { changes(of: side) > 0 }

  /// Whether there is something to tell: this is the first time, or another characteristic stands there now.
  mutating func insert(characteristic valueHandle: UInt16, _ uuid: BluetoothUUID?, _ side: ServerSide) -> Bool {
    let telling = Telling(changes: changes(of: side), uuid: uuid)
    return telling.isNew(after: characteristics.updateValue(telling, forKey: Self.key(valueHandle, side)))
  }

  /// Whether a characteristic was told of since the table changed.
  func holds(characteristic valueHandle: UInt16, _ side: ServerSide) -> Bool {
    characteristics[Self.key(valueHandle, side)]?.changes == changes(of: side)
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

  private static func isKey(_ key: UInt32, _ side: ServerSide) -> Bool { (key < 1 << 16) == (side == .peer) }
}

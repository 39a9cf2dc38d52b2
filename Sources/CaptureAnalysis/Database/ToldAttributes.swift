import GATTKit

/// The attributes of which a connection has been told.
struct ToldAttributes {
  private var servers = BothServers(Server())

  /// Those of one server.
  private struct Server {
    /// The services, by where they begin.
    var services: [UInt16: Telling] = [:]
    /// The characteristics, by where their values are.
    var characteristics: [UInt16: Telling] = [:]
    /// Where all declarations of characteristics were told since the table changed.
    var searched = SearchedHandles()
    /// The Database Hash that was read last.
    var hash: DatabaseHash?
    /// Whether any service was told of since the table changed.
    var hasServices = false
    /// How often the table has changed on this connection.
    var changes = 0
    /// What has changed, until it is discovered anew.
    var change: ClosedRange<UInt16>?
  }

  /// What was told last of a handle.
  private struct Telling {
    /// How often the table had changed by then.
    let changes: Int
    let uuid: BluetoothUUID?

    /// Whether it is new to who was told something before: the table has changed, and holds another type there now.
    func isNew(after before: Telling?) -> Bool {
      before.map { $0.changes != changes && uuid != nil && $0.uuid != uuid } ?? true
    }

    /// Whether it tells a type that holds where the table has changed so often.
    func tellsType(after changes: Int) -> Bool { self.changes == changes && uuid != nil }
  }

  /// Whether there is something to tell: this is the first time, or another service stands there now.
  mutating func insert(service start: UInt16, _ uuid: BluetoothUUID?, _ side: ServerSide) -> Bool {
    let telling = Telling(changes: servers[side].changes, uuid: uuid)
    servers[side].hasServices = true
    return telling.isNew(after: servers[side].services.updateValue(telling, forKey: start))
  }

  /// Whether a service was told of since the table changed.
  func holds(service start: UInt16, _ side: ServerSide) -> Bool {
    servers[side].services[start]?.changes == servers[side].changes
  }

  /// Whether a service's type was told since the table changed: of a cut log, it may only be known where it is.
  func holdsType(ofService start: UInt16, _ side: ServerSide) -> Bool {
    servers[side].services[start]?.tellsType(after: servers[side].changes) ?? false
  }

  /// Whether a service of a type was told of since the table changed.
  func holds(serviceOfType type: BluetoothUUID, _ side: ServerSide) -> Bool {
    servers[side].services.values.contains { $0.uuid == type && $0.changes == servers[side].changes }
  }

  /// Whether any service was told of since the table changed.
  func holdsServices(_ side: ServerSide) -> Bool { servers[side].hasServices }

  /// A server's table has changed between two handles: what was told of it may be past.
  mutating func noteChange(of side: ServerSide, in handles: ClosedRange<UInt16>) {
    servers[side].changes &+= 1
    servers[side].hasServices = false
    servers[side].searched = SearchedHandles()
    servers[side].change = handles
  }

  /// Where a server's table has changed, once services were told again: asked for once.
  mutating func takeChange(of side: ServerSide) -> ClosedRange<UInt16>? {
    guard let change = servers[side].change, servers[side].hasServices else { return nil }
    servers[side].change = nil
    return change
  }

  /// How often a server's table has changed on this connection.
  func changes(of side: ServerSide) -> Int { servers[side].changes }

  /// Whether there is something to tell: this is the first time, or another characteristic stands there now, even if the
  /// server has not said that its table changed: what comes from the handle is of that type from now on.
  mutating func insert(characteristic valueHandle: UInt16, _ uuid: BluetoothUUID?, _ side: ServerSide) -> Bool {
    let telling = Telling(changes: servers[side].changes, uuid: uuid)
    let before = servers[side].characteristics.updateValue(telling, forKey: valueHandle)
    if let uuid, let old = before?.uuid, old != uuid { return true }
    return telling.isNew(after: before)
  }

  /// Whether a characteristic was told of since the table changed.
  func holds(characteristic valueHandle: UInt16, _ side: ServerSide) -> Bool {
    servers[side].characteristics[valueHandle]?.changes == servers[side].changes
  }

  /// Whether its type was.
  func holdsType(ofCharacteristic valueHandle: UInt16, _ side: ServerSide) -> Bool {
    servers[side].characteristics[valueHandle]?.tellsType(after: servers[side].changes) ?? false
  }

  /// All declarations of characteristics between two handles have been asked for, and told.
  mutating func noteSearched(_ handles: ClosedRange<UInt16>, _ side: ServerSide) {
    servers[side].searched.insert(handles)
  }

  /// Whether all declarations between two handles were told since the table changed.
  func areSearched(_ handles: ClosedRange<UInt16>, _ side: ServerSide) -> Bool {
    servers[side].searched.covers(handles)
  }

  /// Whether a server's Database Hash is another than it was before.
  mutating func isOther(hash: DatabaseHash, _ side: ServerSide) -> Bool {
    let before = servers[side].hash
    servers[side].hash = hash
    return before.map { $0 != hash } ?? false
  }

  /// How many there are.
  var count: Int { [servers.peer, servers.local].reduce(0) { $0 + $1.services.count + $1.characteristics.count } }

  /// Forgets all of them: what is told again is told anew.
  mutating func forget() {
    for side in ServerSide.allCases {
      (servers[side].services, servers[side].characteristics, servers[side].hasServices) = ([:], [:], false)
    }
  }
}

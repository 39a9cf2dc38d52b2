import GATTKit

// What was discovered only after values had come.

extension TrackingContext {
  /// A connection is over: what was discovered on it may tell what notified before, on earlier ones too. The first
  /// discovery behind values counts: later a table may be another.
  /// - Parameters:
  ///   - place: Where the server's table is.
  ///   - hasEarlierData: Whether data came before that are not among those.
  mutating func conclude(_ unknown: UnknownNotifications, at place: DatabaseShelf.Place, hasEarlierData: Bool) {
    if knowledge.hasRivals(for: unknown.peer?.address) { conclusions.noteRivalled(unknown) }
    let (databases, database) = (databases, databases[place])
    conclusions.compare(database, knowledge.minConfidence) {
      $0.isOfSameServer(as: unknown)
    } cannotNotify: {
      databases.cannotNotify($0, at: place)
    }
    if hasEarlierData, !database.isEmpty { conclusions.learn(database, of: unknown) }
    guard database.holdsCharacteristic(.heartRateMeasurement) else {
      if !database.isEmpty { conclusions.settle(unknown, database) }
      let rest = unknown.settled(by: database)
      if !rest.isEmpty { conclusions.add(rest) }
      return
    }
    if database.isMeasurement(among: unknown.handles) { conclusions.learn(database, of: unknown) }
    for earlier in conclusions.takeUnknown(where: {
      $0.isOfSameServer(as: unknown) && $0.isTold(by: database, after: unknown.changes)
    }) {
      _ = conclusions.forgetInferences(on: earlier.connection, of: earlier.server, database.denies)
      conclusions.learn(database, of: earlier)
    }
    conclusions.settle(unknown, database)
  }

  /// It turns out whose a connection is: what is known of that server by now tells what notified so far, whatever is said of
  /// its table later.
  mutating func conclude(early unknown: UnknownNotifications, at place: DatabaseShelf.Place) {
    if databases[place].isMeasurement(among: unknown.handles) { conclusions.learn(databases[place], of: unknown) }
  }

  /// The capture is over: what was discovered on any connection may tell what notified on others.
  mutating func concludeDatabases() {
    conclusions.identify(identities)
    let connected = Set((conclusions.span?.open ?? []).map(\.peer))
    conclusions.peers = databases.discovered(connected: connected, identities)
    let measuring = conclusions.measuring(knowledge.minConfidence)
    for var unknown in conclusions.unknown {
      if affirms(unknown) { continue }
      guard let place = place(of: unknown) else { continue }
      let (database, changes) = (databases[place], databases.changes(at: place))
      unknown.compare(with: database, measuring) { databases.cannotNotify($0, at: place) }
      let isTold = unknown.isTold(by: database, after: changes)
      // A table that has changed denies nothing.
      guard isTold || unknown.isOfTable(after: changes) else { continue }
      let isDenied = conclusions.forgetInferences(on: unknown.connection, of: unknown.server, database.denies)
      if isDenied || isTold { conclusions.learn(database, of: unknown) }
    }
  }

  /// A device has one server, and what is reached over both transports, or by several adapters, has the same handles: what
  /// has notified over one may be a measurement by what was discovered over another. That nothing, or something else, is
  /// there for the other says nothing. Core 6.0, Vol 3, Part F, 2.
  private mutating func affirms(_ unknown: UnknownNotifications) -> Bool {
    guard unknown.server == .peer, let peer = unknown.peer,
      databases.place(knownOf: peer).map({ databases[$0].holdsCharacteristic(.heartRateMeasurement) }) != true
    else { return false }
    for other in databases.places(reachedOtherwiseThan: peer)
    where databases[other].isMeasurement(among: unknown.handles(after: databases.changes(at: other))) {
      conclusions.learn(databases[other], of: unknown)
      return true
    }
    return false
  }

  private func place(of unknown: UnknownNotifications) -> DatabaseShelf.Place? {
    switch unknown.server {
    case .peer: unknown.peer.flatMap { databases.place(knownOf: $0) }
    case .local: databases.place(knownOf: unknown.local)
    }
  }
}

extension GATTDatabase {
  fileprivate func isMeasurement(among handles: [UInt16]) -> Bool {
    handles.contains { type(of: $0) == .heartRateMeasurement }
  }
}

import GATTKit

/// The databases of the two servers of a connection, as far as they matter.
typealias ServerDatabases = BothServers<GATTDatabase?>

/// A connection that is over, and the attributes of unknown types that notified values on it, or were read and written:
/// what they are may be discovered on a later one.
struct UnknownNotifications: Sendable {
  /// The connection's number, in order of appearance.
  let connection: Int
  /// The local host's server.
  let local: LocalServer
  /// The peer; nil if it is not known.
  var peer: RemoteServer?
  let server: ServerSide
  /// Those that notified, whatever a table says of them.
  let notified: [UInt16]
  /// Those of them that no table has told.
  var handles: [UInt16]
  /// Those that were read or written.
  var asked: [UInt16]
  /// Handles whose values are hardly heart rates.
  let unlikely: [UInt16]
  /// Handles whose values came before the table changed, and are hardly heart rates either.
  let dismissed: Set<UInt16>
  /// How often the server's table had changed by then.
  let changes: Int
  /// Whether the values show that it has changed since, though nobody has said so.
  private(set) var precedesUnseenChange = false

  /// Whether the server's table, when it has changed so often, is still what it was.
  func isOfTable(after changes: Int) -> Bool { changes == self.changes && !precedesUnseenChange }

  /// The attributes that may be what the server's table says, when that has changed so often.
  func handles(after changes: Int) -> [UInt16] {
    isOfTable(after: changes) ? handles : handles.filter { !unlikely.contains($0) }
  }

  /// A table is another than the one by which values came if its measurement sent hardly any heart rates then, or nothing at
  /// all, while they came from elsewhere: from where it has nothing that notifies, or beside what its measurement sent; or
  /// if their RR-Intervals fit the rates, unless a vendor's characteristic notifies there, or may, which may do the same.
  /// - Parameters:
  ///   - measuring: The attributes from which heart rates came.
  ///   - cannotNotify: Whether the table has nothing at a handle that notifies.
  mutating func compare(
    with database: GATTDatabase, _ measuring: MeasuringAttributes, cannotNotify: (UInt16) -> Bool
  ) {
    let (fitting, measuring) = (measuring.fittingHandles(of: self), measuring.handles(of: self))
    let measurements = handles.filter { database.type(of: $0) == .heartRateMeasurement }
    guard measurements.allSatisfy(unlikely.contains) else { return }
    let others = notified.filter { measuring.contains($0) && !unlikely.contains($0) && !measurements.contains($0) }
    let hasOther = database.holdsCharacteristic(.heartRateMeasurement)
    func isOfAnother(_ handle: UInt16) -> Bool {
      cannotNotify(handle) || hasOther && fitting.contains(handle) && !database.mayHoldVendors(handle)
    }
    if measurements.isEmpty ? others.contains(where: isOfAnother) : !others.isEmpty { precedesUnseenChange = true }
  }

  /// Whether a table that holds a heart rate measurement tells what some of the attributes are: the measurement itself, or,
  /// as long as the table has not changed, one that was read or written.
  func isTold(by database: GATTDatabase, after changes: Int) -> Bool {
    guard database.holdsCharacteristic(.heartRateMeasurement) else { return false }
    return handles(after: changes).contains { database.type(of: $0) == .heartRateMeasurement }
      || isOfTable(after: changes) && asked.contains { database.type(of: $0) != nil }
  }

  /// Whether nothing is left.
  var isEmpty: Bool { handles.isEmpty && asked.isEmpty }

  /// How many attributes there are.
  var count: Int { handles.count + asked.count }

  /// What is left of it when a table tells which of the attributes are something else than heart rate measurements.
  func settled(by database: GATTDatabase) -> UnknownNotifications {
    var rest = self
    rest.handles.removeAll { handle in database.type(of: handle).map { $0 != .heartRateMeasurement } ?? false }
    rest.asked.removeAll { database.type(of: $0) != nil }
    return rest
  }

  /// Whose the server is; nil if that is not known.
  var knownServer: KnownServer? { KnownServer(server, of: peer, local) }

  /// Whether others are of the same server.
  func isOfSameServer(as other: UnknownNotifications) -> Bool {
    knownServer.map { $0 == other.knownServer } ?? false
  }
}

extension GATTDatabase {
  /// Whether an attribute may be a heart rate measurement, as far as the database tells: not where another is one, nor in
  /// a service of another type; nor if its type is known, unless that may be a measurement's, damaged.
  ///
  /// Another is none to count on if its value does not stand behind its declaration: a handle may be damaged as well.
  func mayHoldMeasurement(_ handle: UInt16) -> Bool {
    let type = type(of: handle)
    guard serviceType(at: handle) == .heartRateService else {
      return type == nil && serviceType(at: handle) == nil && !holdsOrderedCharacteristic(.heartRateMeasurement)
    }
    // Every heart rate service has a measurement of its own. HRS 1.0, 3.
    guard type?.mayBeDamagedMeasurement ?? true else { return false }
    return !holdsOrderedCharacteristic(.heartRateMeasurement, in: serviceHandles(at: handle))
  }

  /// Whether an attribute may have been a heart rate measurement before the server said that its table had changed: not
  /// where another characteristic with a format of its own notifies, or the measurement itself; most tables are what they
  /// were.
  func mayHaveHeldMeasurement(_ handle: UInt16) -> Bool {
    guard let uuid = characteristic(withValueAt: handle)?.uuid, uuid.shortForm != nil, !uuid.isOutOfPlace else {
      return true
    }
    return cannotNotify(handle)
  }

  /// Whether there may be a vendor's characteristic at a handle, in a service that is known: what its values look like nobody
  /// knows.
  func mayHoldVendors(_ handle: UInt16) -> Bool {
    type(of: handle)?.isVendors ?? (serviceType(at: handle) != nil)
  }

  /// Whether what is at a handle notifies nothing: a characteristic without that property, or what is no characteristic's
  /// value, but a declaration or a descriptor.
  func cannotNotify(_ handle: UInt16) -> Bool {
    if let properties = characteristic(withValueAt: handle)?.properties { return !properties.canNotifyOrIndicate }
    return !mayHoldValue(at: handle)
  }

  /// Whether an inference cannot stand beside what was discovered: the attribute cannot be what it was taken for.
  func denies(_ inference: Inference) -> Bool { !mayHoldMeasurement(inference.handle) }
}

extension BluetoothUUID {
  /// Whether it may have been the type of heart rate measurements before it was damaged: it is one bit from it, or no
  /// characteristic's at all.
  var mayBeDamagedMeasurement: Bool { isNearlyMeasurement || isOutOfPlace }

  /// Whether one bit that is wrong makes this of the type of heart rate measurements.
  var isNearlyMeasurement: Bool { distance(to: .heartRateMeasurement) == 1 }

  /// Whether it is of no type of the Assigned Numbers.
  var isVendors: Bool { shortForm == nil || isOutOfPlace }

  /// Whether it is of 16 bits, and outside the blocks of the Assigned Numbers for what a server's table holds.
  fileprivate var isOutOfPlace: Bool { shortForm.map { !(0x2800...0x2FFF).contains($0) } ?? false }
}

import BluetoothHost
import GATTKit

// What a server cannot have meant. One bit that a capture got wrong makes another handle, or another type, of what was
// answered: what makes no sense is not believed where something that does would have to give way to it.

extension GATTObserver {
  /// Whether a declaration tells of a value that does not stand right behind it, and would take the place of one that does,
  /// or its declaration; told as this server's table is now.
  func contradictsTold(
    declaration: UInt16, _ valueHandle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> Bool {
    let expected = declaration &+ 1
    guard valueHandle != expected else { return false }
    return holdsTold(valueHandle, side, databases) || holdsTold(expected, side, databases)
  }

  /// Whether a descriptor or a declaration is said to stand where a value was told to be.
  func contradictsTold(
    _ handle: UInt16, _ type: BluetoothUUID, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> Bool {
    type.isDescriptor && holdsTold(handle, side, databases)
  }

  /// Whether a service is said to stand where one of another type, or of another length, was told to be.
  func contradictsTold(
    service handles: ClosedRange<UInt16>, _ uuid: BluetoothUUID?, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> Bool {
    let database = databases[place(side)]
    guard let known = database.serviceHandles(at: handles.lowerBound), told.holds(service: known.lowerBound, side)
    else { return false }
    if let uuid, let type = database.serviceType(at: known.lowerBound), type != uuid { return true }
    // Where a service ends is not always told.
    let tellEnds = known.count > 1 && handles.count > 1 && known.upperBound < .max && handles.upperBound < .max
    return known.lowerBound != handles.lowerBound || tellEnds && known != handles
  }

  /// Whether a characteristic is said to be where one of another type was told to be.
  func contradictsTold(
    characteristic valueHandle: UInt16, _ uuid: BluetoothUUID, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> Bool {
    guard holdsTold(valueHandle, side, databases), let type = databases[place(side)].type(of: valueHandle) else {
      return false
    }
    return type != uuid
  }

  /// A server contradicts what it has told of its table, or it is another's.
  /// - Parameter isSure: Whether it does so even if that was told by half; once it has sent measurements, it was not.
  mutating func noteContradiction(
    _ side: ServerSide, isSure: Bool = false, _ context: inout TrackingContext<some EventReceiver>
  ) {
    let isSure = isSure || measuringServers.contains(side)
    signs.contradicted(side, isSure: isSure, at: context.moment, &context.conclusions)
  }

  /// An attribute that is in no table was read or written: it is another server's, if this one's services end before it.
  mutating func noteUntold(_ handle: UInt16, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>) {
    unknown.asked(for: handle, of: side)
    if signs.isBehindEnd(handle, of: side) { noteContradiction(side, isSure: true, &context) }
  }

  /// A battery's level came in several octets. No server sends such a one; another's sends a heart rate from that handle.
  mutating func noteLongLevel(_ value: CapturedValue, _ context: inout TrackingContext<some EventReceiver>) {
    guard value.octets.isMeasurementValue == true else { return }
    noteContradiction(value.server, isSure: true, &context)
  }

  /// A value came from an attribute of a type: where it is a measurement, and cannot be of that type, a table that only
  /// another connection or capture has told is of another time.
  mutating func noteMistold(
    _ type: BluetoothUUID, _ handle: UInt16, _ value: CapturedOctets, _ side: ServerSide
  ) {
    if value.contradicts(type), value.isMeasurementValue != false { noteMistold(handle, side) }
  }

  /// What an attribute sends is not what its table says: others that have sent something may be what it has elsewhere.
  mutating func noteMistold(_ handle: UInt16, _ side: ServerSide) {
    guard mistold.count < Self.mostMistold,
      mistold.insert(ServerAttribute(handle: handle, server: side)).inserted
    else { return }
    types.forget()
  }

  private static let mostMistold = 8

  /// A value came from where its server has nothing to notify. One may be damaged; where the next comes from there, too, it
  /// is another server.
  mutating func noteDenied(_ handle: UInt16, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>) {
    if let deniedSender, deniedSender == (handle, side) {
      signs.foundOther(at: context.moment, &context.conclusions)
    }
    deniedSender = (handle, side)
  }

  /// Whether a value was told that stands right behind its declaration: the two handles bear one another out.
  private func holdsTold(_ valueHandle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    guard told.holds(characteristic: valueHandle, side),
      let known = databases[place(side)].characteristic(withValueAt: valueHandle)
    else { return false }
    return known.declaration != nil && known.followsDeclaration
  }

  /// Whether an attribute whose type is not known may be a heart rate measurement beside what the server has told.
  func mayHoldMeasurement(_ handle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    let database = databases[place(side)]
    let isPossible =
      database.mayHoldMeasurement(handle) || deniesTable(handle, side, databases)
      || !database.covers(handle) && mayBePast(side, databases) && !wasTold(handle, side, databases)
    return isPossible && !unknown.measuring(of: side).contains { database.type(of: $0) == .heartRateMeasurement }
  }

  /// Whether a heart rate from an attribute shows that the server's table, known before this connection, is of another time:
  /// nothing in it can notify there, or it would be something else.
  func deniesTable(_ handle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    !measuringServers.contains(side)
      && (databases.cannotNotify(handle, at: place(side)) || isMistold(handle, side, databases))
      && mayBePast(side, databases) && !wasTold(handle, side, databases)
  }

  /// Whether what was inferred of an attribute shows that: it fits as nothing else does, and the table has the measurement
  /// elsewhere, and nothing is known there.
  func deniesTable(_ inference: Inference, _ databases: DatabaseShelf) -> Bool {
    let (handle, side) = (inference.handle, inference.server)
    if deniesTable(handle, side, databases) { return true }
    let database = databases[place(side)]
    return inference.intervalsFit && database.type(of: handle) == nil && !database.mayHoldVendors(handle)
      && !database.mayHoldMeasurement(handle) && mayBePast(side, databases) && !wasTold(handle, side, databases)
  }

  /// Whether a heart rate from an attribute shows that by what its server's attributes have sent: it cannot be what the
  /// table has there, or what the table's measurement sends is none.
  private func isMistold(_ handle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    let database = databases[place(side)]
    return mistold.contains { attribute in
      attribute.server == side
        && (attribute.handle == handle || database.type(of: attribute.handle) == .heartRateMeasurement)
    }
  }

  /// Whether a server's table may be of another time: no measurement comes from where it says, nor was it told so on this
  /// connection.
  private func mayBePast(_ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    !measuringServers.contains(side)
      && !databases[place(side)].valueHandles(of: .heartRateMeasurement).contains {
        told.holdsType(ofCharacteristic: $0, side)
      }
  }

  /// Whether what a table has at a handle may be of another time.
  func isHearsay(_ handle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    // Most servers have shown soon that it is not.
    !measuringServers.contains(side) && !wasTold(handle, side, databases)
  }

  /// Whether the type of what there is at a handle was told before this connection, or before its server's table changed,
  /// and nothing has borne it out since.
  func isTypeHearsay(_ handle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    let isBorneOut = measuringServers.contains(side) && told.changes(of: side) == 0
    return !isBorneOut && !wasTypeTold(handle, side, databases)
  }

  /// Whether this connection has told of what type it is what there is at a handle, or that there is nothing: what a heart
  /// rate service has where is not told with it.
  private func wasTold(_ handle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    if wasTypeTold(handle, side, databases) { return true }
    let database = databases[place(side)]
    guard let service = database.serviceHandles(at: handle) else { return told.holdsServices(side) }
    return told.holdsType(ofService: service.lowerBound, side) && database.serviceType(at: handle) != .heartRateService
  }

  private func wasTypeTold(_ handle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    let database = databases[place(side)]
    let declared = database.characteristics(declaredIn: handle...handle)
    let owner = database.bareCharacteristic(owning: handle)
    let near = declared + [owner].compactMap(\.self)
    return near.contains { told.holdsType(ofCharacteristic: $0.valueHandle, side) }
  }
}

extension GATTDatabase {
  /// Whether it tells anything of an attribute: its type, or that of the service it is in.
  fileprivate func covers(_ handle: UInt16) -> Bool { type(of: handle) != nil || serviceType(at: handle) != nil }

  /// Whether a characteristic's value stands right behind its declaration, as far as that is known.
  func followsDeclaration(_ valueHandle: UInt16) -> Bool {
    characteristic(withValueAt: valueHandle)?.followsDeclaration ?? true
  }
}

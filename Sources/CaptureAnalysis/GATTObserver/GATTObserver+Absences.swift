import BluetoothHost
import GATTKit

// What is not there any more. A discovery that passes over handles tells also what they do not hold: what an earlier
// connection told of them, or this one before the table changed, is past. What was told since then stays, though the
// server contradict itself.

extension GATTObserver {
  /// Primary services were looked for between two handles, and none was found.
  mutating func lacksServices(
    in handles: ClosedRange<UInt16>, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    removeServices(in: handles, side, &context)
    guard begins(behind: handles.lowerBound, side, context.databases) else { return }
    context.databases.noteWithoutServices(handles, at: place(side))
    // Secondary services are known by their range, or not at all.
    forget(outside(older(in: handles, side, context.databases), side, context.databases), side, &context)
  }

  /// Forgets primary services that were not told since the table changed. If one was, it is another server's.
  private mutating func removeServices(
    in handles: ClosedRange<UInt16>, of uuid: BluetoothUUID? = nil, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let found = told
    var holdsTold = false
    change(side, &context) {
      $0.removePrimaryServices(in: handles, of: uuid) { start in
        guard found.holds(service: start, side) else { return true }
        holdsTold = true
        return false
      }
    }
    if holdsTold { noteContradiction(side, &context) }
  }

  /// Primary services of a type were looked for between two handles, and none was found.
  /// - Parameter hasOther: Whether one was found elsewhere.
  mutating func lacksServices(
    in handles: ClosedRange<UInt16>, of uuid: BluetoothUUID, hasOther: Bool, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    removeServices(in: handles, of: uuid, side, &context)
    // A server without the service may have its characteristic elsewhere; one with it has no need to.
    guard uuid == .heartRateService, hasOther, begins(behind: handles.lowerBound, side, context.databases) else {
      return
    }
    lacksMeasurements(in: handles, side, &context)
  }

  /// A client has found what it looks for by its type. Where the server has said that its table changed, nobody knows any
  /// more what the other services are. But Service Changed stays where it is, and of measurements their values tell.
  /// Core 6.0, Vol 3, Part G, 2.5.2 and 7.1.
  mutating func lacksChangedServices(_ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>) {
    guard let changed = told.takeChange(of: side) else { return }
    let found = told
    let database = context.databases[place(side)]
    change(side, &context) {
      $0.removePrimaryServices(in: changed) { !found.holds(service: $0, side) && !database.isLasting(serviceAt: $0) }
    }
  }

  /// Declarations of characteristics were looked for between two handles, and none was found.
  mutating func lacksDeclarations(
    in handles: ClosedRange<UInt16>, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard handles.lowerBound < .max else { return }
    let last = handles.upperBound < .max ? handles.upperBound + 1 : .max
    // A value follows its declaration, as far as that is not known. Core 6.0, Vol 3, Part G, 3.3.
    let alone = older(in: handles.lowerBound + 1...last, side, context.databases).filter { $0.declaration == nil }
    forget(alone + older(declaredIn: handles, side, context.databases), side, &context)
  }

  /// Attributes were looked for between two handles, and none was found; or those that are there are others.
  mutating func lacksAttributes(
    in handles: ClosedRange<UInt16>, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    forget(older(in: handles, side, context.databases), side, &context)
    guard context.databases[place(side)].characteristics(withValuesIn: handles).isEmpty else { return }
    change(side, &context) { $0.removeAttributes(in: handles) }
  }

  /// A characteristic was declared: where its declaration is, there is no value, and where its value is, no declaration.
  mutating func lacksOthers(
    than declaration: UInt16, _ valueHandle: UInt16, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard declaration < valueHandle, valueHandle < .max else { return }
    let gone = older(in: declaration...valueHandle + 1, side, context.databases).filter {
      $0.valueHandle == declaration || $0.declaration == valueHandle
    }
    forget(gone, side, &context)
  }

  /// Where one service is, no other is declared: Find Information may have told so of an older table.
  mutating func lacksServiceDeclarations(
    within handles: ClosedRange<UInt16>, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard handles.lowerBound < handles.upperBound, handles.upperBound < .max, rediscoveries[side].looks > 0 else {
      return
    }
    let inner = handles.lowerBound + 1...handles.upperBound
    let known = context.databases[place(side)].declarationsAndDescriptors(in: inner)
    rediscoveries[side].looks -= known.count
    for other in known where other.uuid == .primaryService || other.uuid == .secondaryService {
      if told.holds(service: other.handle, side) { continue }
      change(side, &context) { $0.removeAttributes(in: other.handle...other.handle) }
    }
  }

  /// Between the declarations in a response, and before the first, there is no other: up to the last, and its value if
  /// all values stand right behind their declarations, all are known.
  mutating func foundGaps(
    _ list: AttributeDataList, _ range: AttributeRange, _ type: BluetoothUUID, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard type == .characteristic, range.start > 0, list.isOrdered else { return }
    let isUsual = list.areDeclarations
    var list = list
    var next = range.start
    while let entry = list.next() {
      var reader = entry.reader("ATT")
      guard entry.mayBeDeclaration, let handle = try? reader.uint16("Attribute Handle"),
        next <= handle, handle < .max
      else { return }
      if next < handle { lacksDeclarations(in: next...(handle - 1), side, &context) }
      next = handle + 1
    }
    if isUsual, next > range.start { noteSearched(range.start...next, side, &context) }
  }

  /// All declarations of characteristics between two handles have been asked for, and told.
  mutating func noteSearched(
    _ handles: ClosedRange<UInt16>, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    told.noteSearched(handles, side)
    context.databases.noteSearched(handles, at: place(side))
  }

  /// A service of another type turns out to have these handles: measurements that were found before any service was are
  /// not its own.
  mutating func lacksMeasurements(
    in handles: ClosedRange<UInt16>, of service: BluetoothUUID, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let database = place(side)
    let gone = olderMeasurements(in: handles, side, context.databases).filter {
      context.databases[database].serviceType(at: $0.valueHandle) == service
    }
    forget(gone, side, &context)
  }

  /// No service has these handles, but for those that are known: measurements outside them are past.
  private mutating func lacksMeasurements(
    in handles: ClosedRange<UInt16>, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    let gone = olderMeasurements(in: handles, side, context.databases)
    forget(outside(gone, side, context.databases), side, &context)
  }

  /// Those that are in no service that is known.
  private func outside(
    _ characteristics: [GATTCharacteristic], _ side: ServerSide, _ databases: DatabaseShelf
  ) -> [GATTCharacteristic] {
    let database = databases[place(side)]
    return characteristics.filter { database.serviceHandles(at: $0.valueHandle) == nil }
  }

  /// Whether no service that begins before a handle reaches behind it: the handle is the first, or a service that was
  /// told ends there.
  private func begins(behind handle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf) -> Bool {
    handle <= 1 || endsToldService(before: handle, nil, side, databases)
  }

  /// Whether a service, of a type if one is given, was told that ends right before a handle.
  func endsToldService(
    before handle: UInt16, _ uuid: BluetoothUUID?, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> Bool {
    guard handle > 1, let last = databases[place(side)].serviceHandles(at: handle - 1), last.upperBound == handle - 1,
      told.holds(service: last.lowerBound, side)
    else { return false }
    return uuid == nil || databases[place(side)].serviceType(at: handle - 1) == uuid
  }
}

extension GATTObserver {
  private mutating func olderMeasurements(
    in handles: ClosedRange<UInt16>, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> [GATTCharacteristic] {
    older(in: handles, side, databases).filter { $0.uuid == .heartRateMeasurement }
  }

  /// The characteristics with their values between two handles that were not told since the table changed.
  private mutating func older(
    in handles: ClosedRange<UInt16>, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> [GATTCharacteristic] {
    older(side) { databases[$0].characteristics(withValuesIn: handles) }
  }

  /// The characteristics that are declared between two handles and were not told since the table changed.
  private mutating func older(
    declaredIn handles: ClosedRange<UInt16>, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> [GATTCharacteristic] {
    older(side) { databases[$0].characteristics(declaredIn: handles) }
  }

  /// Those among some that were not told since the table changed.
  private mutating func older(
    _ side: ServerSide, among known: (DatabaseShelf.Place) -> [GATTCharacteristic]
  ) -> [GATTCharacteristic] {
    guard rediscoveries[side].looks > 0 else { return [] }
    let known = known(place(side))
    rediscoveries[side].looks -= known.count
    return known.filter { !told.holds(characteristic: $0.valueHandle, side) }
  }

  private mutating func forget(
    _ gone: [GATTCharacteristic], _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard !gone.isEmpty else { return }
    let handles = Set(gone.map(\.valueHandle))
    change(side, &context) { $0.removeCharacteristics(handles) }
  }
}

extension GATTDatabase {
  /// Whether a service is worth knowing though its server's table has changed.
  fileprivate func isLasting(serviceAt start: UInt16) -> Bool {
    switch serviceType(at: start) {
    case .gattService, .heartRateService: true
    default:
      serviceHandles(at: start).map { characteristics(withValuesIn: $0).contains { $0.uuid == .heartRateMeasurement } }
        ?? false
    }
  }
}

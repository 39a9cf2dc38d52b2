import BluetoothHost
import GATTKit

// The services that responses tell.

extension GATTObserver {
  private mutating func foundService(
    _ handles: ClosedRange<UInt16>, _ uuid: BluetoothUUID?, isPrimary: Bool?, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    if contradictsTold(service: handles, uuid, side, context.databases) { noteContradiction(side, &context) }
    insertService(handles, uuid, isPrimary: isPrimary, side, &context)
    guard told.insert(service: handles.lowerBound, uuid, side) else { return }
    let range = AttributeRange(start: handles.lowerBound, end: handles.upperBound)
    context.tell(
      .service(ServiceEvent(range: range, uuid: uuid, server: side, isPrimary: isPrimary)), connection: connection)
  }

  private mutating func insertService(
    _ handles: ClosedRange<UInt16>, _ uuid: BluetoothUUID?, isPrimary: Bool?, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let found = told
    let start = handles.lowerBound
    // Of a service of which nothing but the beginning is known, an end that is open says more.
    let known = context.databases[place(side)].serviceHandles(at: start)
    let isLonger = handles.upperBound == .max && known == start...start
    // What is known to be in a service stays in it when its type is told.
    let isTypeAlone = known == handles && context.databases[place(side)].serviceType(at: start) == nil
    if let uuid, isAnother(service: start, uuid, side, context.databases) {
      // A measurement fits the heart rate service in whatever table, but not where its declaration is.
      lacksAttributes(in: uuid == .heartRateService ? start...start : handles, side, &context)
    }
    if isUnsearched(service: handles, uuid, side, context.databases) {
      context.databases.forgetSearched(handles, at: place(side))
    }
    let retold = retold(where: start, uuid, side, context.databases)
    change(side, &context) {
      if isLonger { $0.removePrimaryServices(in: start...start) { _ in true } }
      // Where an earlier table ended a service says nothing of this one.
      if handles.upperBound == .max, !found.holds(service: start, side) { $0.forgetEnd(ofService: start) }
      $0.insertService(handles, uuid: uuid, isPrimary: isPrimary) { found.holds(service: $0, side) }
      for characteristic in retold { $0.insertCharacteristic(characteristic) }
    }
    lacksServiceDeclarations(within: handles, side, &context)
    if uuid == .gattService { rediscoveries[side].foundGATTService(handles, at: context.time, &context.conclusions) }
    if let uuid, uuid != .heartRateService, !isTypeAlone { lacksMeasurements(in: handles, of: uuid, side, &context) }
  }

  /// The characteristics that were told already where the table had another service before it changed: types may be asked
  /// for before the services are.
  private func retold(
    where start: UInt16, _ uuid: BluetoothUUID?, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> [GATTCharacteristic] {
    let database = databases[place(side)]
    guard let before = database.serviceHandles(at: start), database.serviceType(at: start) != uuid,
      !told.holds(service: before.lowerBound, side)
    else { return [] }
    return database.characteristics(withValuesIn: before)
      .filter { told.holds(characteristic: $0.valueHandle, side) }
      .compactMap { database.characteristic(owning: $0.valueHandle) }
  }

  /// A service is included by another, which tells where it is and, if that takes 16 bits, of which type: where none is
  /// known to be, it is one. Core 6.0, Vol 3, Part G, 3.2.
  mutating func foundService(
    included include: GATTInclude, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard let (uuid, isPrimary) = service(included: include, context.databases[place(side)]) else { return }
    foundService(include.service, uuid, isPrimary: isPrimary, side, &context)
  }

  /// What an include and what is known before tell together of the included service; nil if they contradict each other.
  private func service(
    included include: GATTInclude, _ database: GATTDatabase
  ) -> (uuid: BluetoothUUID?, isPrimary: Bool?)? {
    let handles = include.service
    guard handles.lowerBound > 0, !handles.contains(include.handle) else { return nil }
    let start = handles.lowerBound
    let type = database.serviceType(at: start)
    let isKnown = database.mayTake(handles) && (include.uuid == nil || type == nil || include.uuid == type)
    guard isKnown || !database.holdsService(in: handles) else { return nil }
    return switch database.type(of: handles.lowerBound) {
    case .primaryService: (include.uuid ?? type, true)
    case .secondaryService: (include.uuid ?? type, false)
    default: (include.uuid ?? type, nil)
    }
  }

  /// An attribute was read of which no more is known than that a service begins there: its value is the service's type,
  /// which clients read where an include leaves it out. Core 6.0, Vol 3, Part G, 4.5.1.
  mutating func foundType(
    of start: UInt16, _ value: CapturedOctets, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    let database = place(side)
    guard value.length == 16, let handles = context.databases[database].serviceHandles(at: start),
      handles.lowerBound == start, context.databases[database].serviceType(at: start) == nil
    else { return }
    var reader = value.reader("ATT")
    guard let uuid = try? BluetoothUUID(parsing: &reader, octets: 16) else { return }
    foundService(handles, uuid, isPrimary: nil, side, &context)
  }

  /// Whether a service begins where the table before had none: since it changed, or where something else stood.
  private func isAnother(
    service start: UInt16, _ uuid: BluetoothUUID, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> Bool {
    let database = databases[place(side)]
    guard told.changes(of: side) > 0 else {
      let type = database.type(of: start)
      return type != nil && type != .primaryService && type != .secondaryService
    }
    return database.serviceHandles(at: start)?.lowerBound != start || database.serviceType(at: start) != uuid
  }

  /// Whether a service was not known to be where it is when characteristics were looked for there: that was on an earlier
  /// connection, or before the table changed.
  private func isUnsearched(
    service handles: ClosedRange<UInt16>, _ uuid: BluetoothUUID?, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> Bool {
    if told.areSearched(handles, side) { return false }
    let (database, start) = (databases[place(side)], handles.lowerBound)
    guard let known = database.serviceHandles(at: start), known.lowerBound == start, known != start...start else {
      return true
    }
    guard let uuid, let type = database.serviceType(at: start) else { return false }
    return type != uuid
  }

  /// Find By Type Value answers with ranges; the service's type is what was looked for.
  mutating func foundServices(
    _ list: HandleRangeList, _ request: ATTRequest?, isSure: Bool, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard case .findByTypeValue(let asked, let type, let value)? = request,
      type == .primaryService || type == .secondaryService
    else { return }
    let uuid = BluetoothUUID(ofService: value)
    // The first handle at which another service of the type may begin, if that is sure.
    var next = isSure && list.isOrdered && type == .primaryService && asked.start > 0 ? asked.start : nil
    var list = list
    while let range = list.next() {
      guard range.start > 0, range.start <= range.end else {
        next = nil
        continue
      }
      if let first = next, let uuid {
        if first < range.start {
          lacksServices(in: first...(range.start - 1), of: uuid, hasOther: true, side, &context)
        }
        next = first > range.start || range.end == .max ? nil : range.end + 1
      }
      foundService(range.start...range.end, uuid, isPrimary: type == .primaryService, side, &context)
      // Behind the last service there is none, and nobody asks for more.
      if isSure, range.end == .max { lacksChangedServices(side, &context) }
    }
  }

  /// Read By Group Type answers with start, end and UUID of each service.
  mutating func foundGroups(
    _ list: AttributeDataList, _ request: ATTRequest?, isSure: Bool, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    var isPrimary: Bool?
    // The first handle at which another primary service may begin, if that is sure.
    var next: UInt16?
    if case .readByGroupType(let range, let type)? = request {
      guard type == .primaryService || type == .secondaryService else { return }
      isPrimary = type == .primaryService
      next = isPrimary == true && isSure && list.isOrdered ? range.start : nil
    }
    var list = list
    while let entry = list.next() {
      var reader = entry.reader("ATT")
      guard let start = try? reader.uint16("Attribute Handle"), let end = try? reader.uint16("End Group Handle")
      else { return }
      let uuid = try? BluetoothUUID(parsing: &reader, octets: entry.length - 4)
      if uuid == nil, !entry.isCut { continue }
      if let first = next, first < start {
        lacksServices(in: first...(start - 1), side, &context)
      }
      let last = max(start, end)
      let isInOrder = next != nil
      next = next == nil || last == .max ? nil : last + 1
      guard start > 0, start <= end else { continue }
      // Behind the last service there is none, and nobody asks for more.
      if isInOrder, end == .max, start < end { lacksServices(in: start + 1...end, side, &context) }
      foundService(start...end, uuid, isPrimary: isPrimary, side, &context)
    }
  }

  /// Read By Type answers with start and UUID of each service. Each ends before the next one begins.
  mutating func foundServices(
    _ list: AttributeDataList, in range: AttributeRange, _ type: BluetoothUUID, isSure: Bool, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let isPrimary = type == .primaryService
    var next = isPrimary && isSure && list.isOrdered && range.start > 0 ? range.start : nil
    var list = list
    while let entry = list.next() {
      var reader = entry.reader("ATT")
      guard let start = try? reader.uint16("Attribute Handle") else { return }
      let uuid = try? BluetoothUUID(parsing: &reader, octets: entry.length - 2)
      if uuid == nil && !entry.isCut || start == 0 { return }
      if let first = next, first <= start {
        endService(from: first - 1, at: start - 1, side, &context)
        if first < start { lacksServices(in: first...(start - 1), side, &context) }
      }
      next = next == nil || start == .max ? nil : start + 1
      foundService(from: start, uuid, isPrimary: isPrimary, side, &context)
    }
  }

  /// A service's declaration was read: its value is the service's type.
  mutating func foundService(
    _ start: UInt16, _ value: CapturedOctets, isPrimary: Bool, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    var reader = value.reader("ATT")
    guard start > 0, let uuid = try? BluetoothUUID(parsing: &reader, octets: value.length) else { return }
    foundService(from: start, uuid, isPrimary: isPrimary, side, &context)
  }

  /// A service begins here; its end is not told. As long as that is so, it has its declaration and nothing else: what is
  /// behind may be another's.
  private mutating func foundService(
    from start: UInt16, _ uuid: BluetoothUUID?, isPrimary: Bool, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let database = place(side)
    let known = context.databases[database].serviceHandles(at: start)
    if let known, known.lowerBound == start, known.upperBound > start {
      let type = context.databases[database].serviceType(at: start)
      if type == nil || uuid == nil || type == uuid {
        return foundService(known, uuid, isPrimary: isPrimary, side, &context)
      }
    }
    insertService(start...start, uuid, isPrimary: isPrimary, side, &context)
    guard told.insert(service: start, uuid, side) else { return }
    let event = ServiceEvent(
      range: AttributeRange(start: start, end: .max), uuid: uuid, server: side, isPrimary: isPrimary, isEndTold: false)
    context.tell(.service(event), connection: connection)
  }

  /// Where a service ends whose beginning alone was told, since the next one begins behind.
  private mutating func endService(
    from start: UInt16, at end: UInt16, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    let database = place(side)
    guard start < end, told.holds(service: start, side),
      context.databases[database].serviceHandles(at: start) == start...start
    else { return }
    insertService(start...end, context.databases[database].serviceType(at: start), isPrimary: true, side, &context)
  }

  /// What was looked for between two handles is not there.
  mutating func foundNone(
    _ request: ATTRequest, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    switch request {
    case .readByGroupType(let range, type: .primaryService):
      guard let handles = range.handles else { return }
      if handles.upperBound == .max { signs.noteEnd(of: side, at: handles.lowerBound) }
      lacksServices(in: handles, side, &context)
    case .readByType(let range, type: .primaryService):
      guard let handles = range.handles else { return }
      endService(from: handles.lowerBound - 1, at: handles.upperBound, side, &context)
      lacksServices(in: handles, side, &context)
    case .findByTypeValue(let range, type: .primaryService, let value):
      guard let handles = range.handles, let uuid = BluetoothUUID(ofService: value) else { return }
      let hasOther = endsToldService(before: handles.lowerBound, uuid, side, context.databases)
      lacksServices(in: handles, of: uuid, hasOther: hasOther, side, &context)
      lacksChangedServices(side, &context)
    case .readByType(let range, type: .characteristic):
      guard let handles = range.handles else { return }
      lacksDeclarations(in: handles, side, &context)
      noteSearched(handles, side, &context)
    case .findInformation(let range):
      guard let handles = range.handles else { return }
      lacksAttributes(in: handles, side, &context)
    default: break
    }
  }
}

extension BluetoothUUID {
  /// The type of service that Find By Type Value looks for.
  fileprivate init?(ofService value: ContiguousArray<UInt8>) {
    var reader = OctetReader(value.span, layer: "ATT")
    guard let uuid = try? BluetoothUUID(parsing: &reader, octets: value.count) else { return nil }
    self = uuid
  }
}

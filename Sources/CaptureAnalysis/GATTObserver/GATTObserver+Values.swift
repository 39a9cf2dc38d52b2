import BluetoothHost
import CaptureFiles
import GATTKit

// The values that are read and written.

extension GATTObserver {
  /// A value, or the first part of one.
  mutating func read(
    _ handle: UInt16, _ value: CapturedOctets, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let side = direction.server
    let uuid = type(of: handle, at: side, &context)
    switch uuid {
    case nil:
      noteUntold(handle, side, &context)
      unknown.read(handle, value, of: side)
      foundType(of: handle, value, side, &context)
    case .databaseHash?: noteHash(value, of: side, &context)
    case .characteristic?: foundDeclaration(handle, value, side, &context)
    case .primaryService?, .secondaryService?:
      foundService(handle, value, isPrimary: uuid == .primaryService, side, &context)
    case _? where value.mayBeLocation && isHearsay(handle, side, context.databases):
      unknown.read(handle, value, of: side)
    default: break
    }
    if looksForName, side == .peer { noteName(value, uuid: uuid, &context) }
    if !value.isCut {
      conversation(bearer, client: direction.opposite) { $0.beginLongRead(handle, value.octets) }
    }
    let told =
      uuid ?? context.databases[place(side)].declaration(at: handle)
      ?? (isLocation(handle, value, side, context.databases) ? .bodySensorLocation : nil)
    let read = CapturedValue(handle: handle, uuid: told, octets: value, server: side)
    context.tell(read, as: .read, connection: connection)
  }

  /// Whether a value of unknown type is the location that belongs to a measurement that was discovered: of a discovery, a
  /// log may keep the one and not the other.
  private func isLocation(
    _ handle: UInt16, _ value: CapturedOctets, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> Bool {
    guard value.mayBeLocation, handle > 0, !unknown.isVendors(handle, of: side) else { return false }
    let database = databases[place(side)]
    let near = handle - min(handle, UInt16(UnknownAttributes.mostToLocation))...handle - 1
    let measurement = database.characteristics(withValuesIn: near).last { $0.uuid == .heartRateMeasurement }
    return measurement.map { database.mayBeLocation(handle, of: $0.valueHandle) } ?? false
  }

  /// A further part of a value, or the first.
  mutating func readBlob(
    _ handle: UInt16, _ offset: Int, _ value: CapturedOctets, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let whole = conversation(bearer, client: direction.opposite) { conversation in
      if offset == 0 { conversation.beginLongRead(handle, value.octets) }
      return conversation.continueLongRead(handle, offset: offset, ContiguousArray(value.octets))
    }
    guard let whole else { return }
    let side = direction.server
    let event = ValueEvent(
      handle: handle, uuid: type(of: handle, at: side, &context), octets: whole,
      length: offset + value.length, server: side)
    context.tell(.read(event), connection: connection)
  }

  /// Values without lengths between them: they can be told apart as far as their types have a fixed length, and the
  /// last takes what is left.
  mutating func readMultiple(
    _ handles: [UInt16], _ values: CapturedOctets, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    var rest = values
    for (index, handle) in handles.enumerated() {
      let type = context.databases[place(side)].type(of: handle)
      let isLast = index == handles.count - 1
      guard let length = isLast ? rest.length : type.flatMap(Self.fixedLength), length <= rest.length else { return }
      let value = CapturedOctets(rest.octets, length: length, origin: rest.origin)
      context.tell(.read(self.value(handle, value, at: side, &context)), connection: connection)
      rest = rest.dropping(length)
    }
  }

  private static func fixedLength(_ type: BluetoothUUID) -> Int? {
    switch type {
    case .bodySensorLocation, .batteryLevel: 1
    case .clientCharacteristicConfiguration: 2
    case .pnpID: 7
    case .peripheralPreferredConnectionParameters: 8
    default: nil
    }
  }

  /// Values each behind its length. A response that is full ends within one, or before it. Core 6.0, Vol 3, Part F,
  /// 3.4.4.12.
  mutating func readMultipleVariable(
    _ handles: [UInt16], _ values: CapturedOctets, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    var rest = values
    for handle in handles {
      var reader = rest.reader("ATT")
      guard let length = try? reader.uint16("Value Length") else { return }
      let behind = rest.dropping(2)
      guard behind.length > 0 || length == 0 else { return }
      let value = CapturedOctets(
        behind.octets, length: min(Int(length), behind.length), origin: behind.origin)
      context.tell(.read(self.value(handle, value, at: side, &context)), connection: connection)
      rest = behind.dropping(Int(length))
    }
  }

  /// A write was acknowledged. Two octets written to a handle that has no type of its own, within a characteristic that
  /// can notify or indicate, are its configuration: clients write it without having discovered it.
  mutating func written(
    _ handle: UInt16, _ octets: ContiguousArray<UInt8>, length: Int, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let database = place(side)
    let type = type(of: handle, at: side, &context)
    // What is written to the sensor's control point changes what its values mean.
    if context.wantsWrites || type == .heartRateControlPoint {
      let event = ValueEvent(handle: handle, uuid: type, octets: octets, length: length, server: side)
      context.tell(.write(event), connection: connection)
    }
    if type == nil { noteUntold(handle, side, &context) }
    // What it is called from now on is no other peer's name.
    if type == .deviceName, side == .peer { peerName = nil }
    guard length == 2, let configuration = ClientCharacteristicConfiguration(kept: octets) else { return }
    let owner = owner(of: handle, side, context.databases)
    // What stands just before it, and is not known, may be the value that it configures, whatever is known farther up.
    let before = context.databases[database].type(of: handle &- 1)
    let isUntold = owner == nil || before?.mayBeDamagedMeasurement ?? true
    if configuration.asksForValues, isUntold || isHearsay(handle, side, context.databases) {
      unknown.configured(handle, as: configuration, of: side)
    }
    if type == nil {
      // Of a value that was found by its type, or that refused so to be read, nothing tells the properties; right behind
      // it, a client writes nothing else.
      guard let owner, owner.properties?.canNotifyOrIndicate ?? (handle &- 1 == owner.valueHandle) else { return }
      context.databases[database].insertAttribute(handle, uuid: .clientCharacteristicConfiguration)
    } else if isNoDeclaration(handle, type, side, context.databases) {
      // A server takes nothing for a declaration: that one was of another table.
      change(side, &context) {
        $0.removePrimaryServices(in: handle...handle) { _ in true }
        $0.insertAttribute(handle, uuid: .clientCharacteristicConfiguration)
      }
      return tell(configuration, handle, of: self.owner(of: handle, side, context.databases), side, &context)
    } else if type != .clientCharacteristicConfiguration {
      return
    }
    tell(configuration, handle, of: owner, side, &context)
  }

  /// Whether what a table from elsewhere calls a service's declaration stands right behind a value that was told on this
  /// connection, and notifies: whoever writes to it takes it for a configuration. Core 6.0, Vol 3, Part G, 3.1.
  func isNoDeclaration(
    _ handle: UInt16, _ type: BluetoothUUID?, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> Bool {
    guard type == .primaryService, !told.holds(service: handle, side), told.holds(characteristic: handle &- 1, side)
    else { return false }
    return databases[place(side)].characteristic(withValueAt: handle &- 1)?.properties?.canNotifyOrIndicate ?? false
  }

  /// A measurement has come: if its configuration waits to be written, it is, though nothing tells so.
  mutating func noteConfiguration(
    of value: UInt16, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    let client: Direction = side == .peer ? .sent : .received
    for index in bearers.indices {
      let configuration = bearers[index].conversations[client].configurations.first {
        owner(of: $0, side, context.databases)?.valueHandle == value
      }
      guard let configuration,
        let octets = conversation(bearers[index].id, client: client, { $0.takeConfiguration(configuration) })
      else { continue }
      return written(configuration, octets, length: octets.count, side, &context)
    }
  }

  /// A write was commanded, which nobody acknowledges. A server may take it for a configuration all the same: some apps
  /// write it so.
  mutating func commanded(
    _ handle: UInt16, _ value: CapturedOctets, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard value.length == 2, let configuration = try? ClientCharacteristicConfiguration(value.octets),
      type(of: handle, at: side, &context) == .clientCharacteristicConfiguration
    else { return }
    tell(
      configuration, handle, of: owner(of: handle, side, context.databases), side, isCommanded: true, &context)
  }

  /// The characteristic to which an attribute belongs, as far as is known: the nearest before it, unless the two attributes
  /// right before it may be another's declaration and value, of which nothing was told. In a heart rate service, only the
  /// measurement has a configuration. HRS 1.0, 3.
  func owner(of handle: UInt16, _ side: ServerSide, _ databases: DatabaseShelf) -> GATTCharacteristic? {
    let database = databases[place(side)]
    guard let nearest = database.bareCharacteristic(owning: handle) else { return nil }
    guard Int(handle) - Int(nearest.valueHandle) > 2, database.type(of: handle - 1) == nil,
      database.type(of: handle - 2) == nil
    else { return nearest }
    let isOwn =
      nearest.uuid == .heartRateMeasurement && database.type(of: handle) == .clientCharacteristicConfiguration
      && database.serviceType(at: handle) == .heartRateService
    return isOwn || databases.searched(at: place(side)).covers(handle - 2...handle - 2) ? nearest : nil
  }

  /// - Parameter owner: The characteristic that the database tells; one that was inferred counts more.
  private func tell(
    _ configuration: ClientCharacteristicConfiguration, _ handle: UInt16, of owner: GATTCharacteristic?,
    _ side: ServerSide, isCommanded: Bool = false, _ context: inout TrackingContext<some EventReceiver>
  ) {
    let inference = inferred.first { one in
      one.server == side && (one.configurationHandle == handle || one.handle == owner?.valueHandle)
    }
    let subscription = SubscriptionEvent(
      handle: handle, valueHandle: inference?.handle ?? owner?.valueHandle,
      uuid: inference == nil ? owner?.uuid : .heartRateMeasurement, configuration: configuration, server: side,
      isCommanded: isCommanded)
    context.tell(
      configuration.asksForValues ? .subscribed(subscription) : .unsubscribed(subscription), connection: connection)
  }
}

extension ClientCharacteristicConfiguration {
  /// One of two octets, of which the capture may have kept the first only: it holds all bits that mean anything.
  /// Core 6.0, Vol 3, Part G, 3.3.3.3.
  fileprivate init?(kept octets: ContiguousArray<UInt8>) {
    guard let first = octets.first else { return nil }
    self.init(rawValue: UInt16(first) | (octets.count > 1 ? UInt16(octets[1]) << 8 : 0))
  }
}

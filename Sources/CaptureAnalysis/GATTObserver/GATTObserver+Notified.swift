import BluetoothHost
import CaptureFiles
import GATTKit

// The values that come unasked, and the types of what they come from.

extension GATTObserver {
  /// A value came unasked, but not as a notification of its own.
  @inline(never)
  mutating func rarelyNotified(
    _ handle: UInt16, _ value: CapturedOctets, _ bearer: BearerID, by side: ServerSide, isIndication: Bool,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    if isIndication, noteChange(handle, value, of: side, &context) { return }
    notified(handle, value, bearer, by: side, isIndication: isIndication, &context)
  }

  /// A value came unasked: the hot way.
  @inline(__always)
  mutating func notified(
    _ handle: UInt16, _ value: CapturedOctets, _ bearer: BearerID, by side: ServerSide, isIndication: Bool,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let attribute =
      types.attribute(handle, in: place(side), edition: context.databases.edition)
      ?? lookUp(handle, value, at: side, &context)
    let uuid = attribute.type
    if uuid == .heartRateMeasurement { return measured(handle, value, bearer, by: side, &context) }
    if attribute.isCandidate { consider(handle, value, by: side, &context) }
    if attribute.isDenied { noteDenied(handle, side, &context) }
    // A battery's level is told in every report, whether it was read or notified.
    let isWanted = isIndication ? context.wantsIndications : context.wantsNotifications
    guard isWanted || uuid == .batteryLevel else { return }
    let notice = CapturedValue(handle: handle, uuid: uuid, octets: value, server: side)
    tell(notice, as: isIndication ? .indication : .notification, &context)
  }

  /// A measurement came.
  // Called, so that all it does can be put into it.
  @inline(never)
  private mutating func measured(
    _ handle: UInt16, _ value: CapturedOctets, _ bearer: BearerID, by side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    if value.isCut { context.note(cutMeasurement: value) }
    let measurement = HeartRateNotification(handle: handle, value: value, server: side, bearer: bearer.number)
    context.tell(measurement, connection: connection)
  }

  /// A value of another attribute than a measurement's came unasked.
  @inline(never)
  private mutating func tell(
    _ value: CapturedValue, as way: ValueWay, _ context: inout TrackingContext<some EventReceiver>
  ) {
    if value.uuid == .batteryLevel, value.octets.length > 1 { noteLongLevel(value, &context) }
    context.tell(value, as: way, connection: connection)
  }

  @inline(never)
  private mutating func lookUp(
    _ handle: UInt16, _ value: CapturedOctets, at side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) -> NotifiedTypes.Attribute {
    signs.noteSent(by: side, at: context.time)
    let place = place(side)
    let isInferred = inferred.contains { $0.handle == handle && $0.server == side }
    if !told.holds(characteristic: handle, side) {
      // What is in no table any more may still be what its values make it.
      if let revised = rediscoveries[side].type(of: handle), revised.uuid != nil || !isInferred {
        let attribute = NotifiedTypes.Attribute(type: revised.uuid)
        types.keep(attribute, of: handle, in: place, edition: context.databases.edition)
        return attribute
      }
      rediscoveries[side].came(
        from: handle, value, as: context.databases[place].type(of: handle), at: context.time)
    }
    let type = context.databases[place].type(of: handle)
    if let type { noteMistold(type, handle, value, side) }
    var attribute = NotifiedTypes.Attribute(type: type)
    let mayMeasure = type != .heartRateMeasurement && mayHoldMeasurement(handle, side, context.databases)
    if mayMeasure || type?.mayBeDamagedMeasurement ?? true {
      if isInferred { attribute.type = .heartRateMeasurement }
      attribute.isCandidate = !isInferred && mayMeasure
    }
    attribute.isDenied =
      attribute.type == nil && !attribute.isCandidate && context.databases.cannotNotify(handle, at: place)
    // What does not bear out a table that was known before is asked once more when the next value comes.
    if let type, !told.holdsType(ofCharacteristic: handle, side) {
      if type == .heartRateMeasurement, value.isMeasurementValue == false {
        noteMistold(handle, side)
        return denyTable(side, &context) ? NotifiedTypes.Attribute(type: nil) : attribute
      }
      if value.contradicts(type), !attribute.isCandidate { return attribute }
    }
    types.keep(attribute, of: handle, in: place, edition: context.databases.edition)
    if attribute.type == nil || attribute.isCandidate { unknown.came(from: handle, of: side) }
    if type == .heartRateMeasurement {
      measuringServers.insert(side)
      noteConfiguration(of: handle, side, &context)
      if !context.databases[place].followsDeclaration(handle) { unknown.measured(handle, by: side) }
    }
    return attribute
  }

  /// A measurement was taken from elsewhere, where a capture cannot be read again, and now it is clear that the table which
  /// has it here is of another time.
  /// - Returns: Whether that is so.
  private mutating func denyTable(_ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>) -> Bool {
    guard context.knowledge.concludesAtOnce,
      inferred.contains(where: { $0.server == side && $0.isTaken && deniesTable($0.handle, side, context.databases) })
    else { return false }
    setApart(side, &context)
    return true
  }

  func value(
    _ handle: UInt16, _ value: CapturedOctets, at side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) -> ValueEvent {
    ValueEvent(
      handle: handle, uuid: type(of: handle, at: side, &context), octets: ContiguousArray(value.octets),
      length: value.length, server: side)
  }

  /// The type of an attribute, as the database tells it or as it was inferred.
  // Called, it would be handed a copy of the observer.
  @inline(__always)
  func type(
    of handle: UInt16, at side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) -> BluetoothUUID? {
    if let type = context.databases.type(of: handle, at: place(side)) { return type }
    for inference in inferred where inference.server == side {
      switch handle {
      case inference.handle: return .heartRateMeasurement
      case inference.configurationHandle: return .clientCharacteristicConfiguration
      case inference.locationHandle: return .bodySensorLocation
      default: break
      }
    }
    return nil
  }
}

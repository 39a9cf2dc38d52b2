import BluetoothHost
import GATTKit

// What becomes of what is known of a server when it says that its table has changed.

extension GATTObserver {
  /// A value was indicated. One of Service Changed says that services told of before need not be there any more, and that
  /// what notified before need not be what is discovered from now on. Core 6.0, Vol 3, Part G, 7.1.
  /// - Returns: Whether it is one of Service Changed, and told.
  mutating func noteChange(
    _ handle: UInt16, _ value: CapturedOctets, of side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) -> Bool {
    guard value.length == 4 else { return false }
    let type = type(ofIndicated: handle, value, at: side, &context)
    guard type == .serviceChanged else {
      if type == nil, let handles = value.changedHandles {
        rediscoveries[side].mayHaveChanged(period(of: side, context), handles, as: handle, at: context.time)
      }
      return false
    }
    if context.wantsIndications {
      // What its value makes of it is not said of it.
      let known = self.type(spokenOf: handle, at: side, &context) == type ? type : nil
      let notice = CapturedValue(handle: handle, uuid: known, octets: value, server: side)
      context.tell(notice, as: .indication, connection: connection)
    }
    noteChange(of: side, in: value.changedHandles ?? 1...UInt16.max, &context)
    return true
  }

  /// A client asks.
  mutating func noteRediscovery(
    _ request: ATTRequest, of side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    switch request {
    case .readByGroupType(let range, type: .primaryService),
      .findByTypeValue(let range, type: .primaryService, value: _):
      rediscoveries[side].asked(for: range, at: context.time, &context.conclusions)
    default: break
    }
  }

  /// The type of an attribute that indicates a value. Where nothing has told it that may be so still, the value may:
  /// Service Changed says most often that all handles from one on are affected, and in the GATT service nothing else is
  /// indicated.
  func type(
    ofIndicated handle: UInt16, _ value: CapturedOctets, at side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) -> BluetoothUUID? {
    let type = type(spokenOf: handle, at: side, &context)
    guard let changed = value.changedHandles else { return type }
    if context.knowledge.changes.contains(period(of: side, context)) { return .serviceChanged }
    let database = context.databases[place(side)]
    let isInGATTService = database.serviceType(at: handle) == .gattService
    if isInGATTService, !told.holds(characteristic: handle, side) { return .serviceChanged }
    let owner = database.bareCharacteristic(owning: handle)
    guard type == nil || owner?.mayIndicate(at: handle) == false else { return type }
    if type == .heartRateMeasurement, value.isLikelyMeasurement { return type }
    return isInGATTService || changed.upperBound == .max ? .serviceChanged : type
  }

  /// The type of an attribute that is spoken of at the moment, as far as any table tells it.
  func type(
    spokenOf handle: UInt16, at side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) -> BluetoothUUID? {
    rediscoveries[side].type(of: handle)?.uuid ?? type(of: handle, at: side, &context)
  }

  /// A server's table has changed. What is discovered from now on may tell what comes from now on.
  mutating func noteChange(
    of side: ServerSide, in handles: ClosedRange<UInt16>, _ context: inout TrackingContext<some EventReceiver>
  ) {
    keepInferences(of: side, in: handles, context.databases)
    context.databases.noteChange(at: place(side))
    signs.noteEnd(of: side, at: nil)
    told.noteChange(of: side, in: handles)
    let database = context.databases[place(side)]
    // A table that is said to change all the time is made to take time.
    if told.changes(of: side) <= Self.mostChanges {
      unknown.forgetUnlikely(of: side) { database.type(of: $0) == nil && !database.mayHoldMeasurement($0) }
    }
    for (handle, type) in rediscoveries[side].others where unknown.settle(handle, of: side) {
      context.conclusions.revise(handle, to: type, in: rediscoveries[side].period)
    }
    let looks = rediscoveries[side].looks
    rediscoveries[side] = Rediscoveries(period(of: side, context), context.knowledge)
    if told.changes(of: side) > Self.mostChanges { rediscoveries[side].looks = looks }
    types.forget()
  }

  private static let mostChanges = 8

  /// The period that begins with the record at hand.
  private func period(of side: ServerSide, _ context: TrackingContext<some EventReceiver>) -> TablePeriod {
    TablePeriod(connection: connection, server: side, begin: context.place)
  }

  /// The Database Hash was read. Another one than before on this connection is another table's.
  /// Core 6.0, Vol 3, Part G, 7.3.
  mutating func noteHash(
    _ hash: CapturedOctets, of side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard !hash.isCut, let hash = try? DatabaseHash(hash.octets) else { return }
    if told.isOther(hash: hash, side) { noteChange(of: side, in: 1...UInt16.max, &context) }
  }
}

extension GATTCharacteristic {
  /// Whether a value may be indicated at a handle of its own: elsewhere than where its value is, or where its properties
  /// rule it out, it is what was there before a change.
  fileprivate func mayIndicate(at handle: UInt16) -> Bool {
    handle == valueHandle && properties?.contains(.indicate) != false
  }
}

extension CapturedOctets {
  /// The handles that are affected, if this may be what Service Changed says.
  fileprivate var changedHandles: ClosedRange<UInt16>? {
    guard length == 4, let handles = (try? ServiceChanged(octets))?.handles else { return nil }
    return handles
  }

  /// Whether this is a measurement as a heart has it, rather than where a change begins and ends: that would be a handle that
  /// no table reaches.
  fileprivate var isLikelyMeasurement: Bool {
    guard let measurement = HeartRateMeasurement.View(octets) else { return false }
    return measurement.flags.isDisjoint(with: .reserved) && HeartLimits.rates.contains(Int(measurement.beatsPerMinute))
  }
}

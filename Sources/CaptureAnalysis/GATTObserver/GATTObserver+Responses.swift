import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

// What responses teach, each with the request that it answers. A response whose request is not in the capture says
// little: only where it speaks for itself is anything learned from it.

extension GATTObserver {
  /// A response came, going this way: its request says what it is about. Where none is known, only lists say anything.
  mutating func answered(
    _ pdu: ATTPDU, _ opcode: ATTOpcode, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let request = conversation(bearer, client: direction.opposite) { $0.answered(pdu, opcode) }
    notePassedOver(bearer, direction, &context)
    let side = direction.server
    switch (pdu, request) {
    // Other bearers agree on theirs over L2CAP. Core 6.0, Vol 3, Part G, 4.3.1.
    case (.exchangeMTUResponse, _) where bearer != .fixed: break
    case (.exchangeMTUResponse(let mtu), .exchangeMTU(let asked)?): tellMTU(least: min(asked, mtu), &context)
    case (.exchangeMTUResponse(let mtu), _):
      signs.noteExchange(by: direction.opposite, at: context.moment, &context.conclusions)
      // Whatever was asked for, it is no more than this.
      tellMTU(least: mtu <= ATTConversation.leastMTU ? mtu : nil, &context)
    case (.findInformationResponse(var list), _):
      while let (handle, type) = list.next() { found(handle, type, side, &context) }
    case (.findByTypeValueResponse(let list), _):
      foundServices(list, request, isSure: isSure(bearer, direction), side, &context)
    case (.readByTypeResponse(let list), _):
      readByType(list, request, isSure: isSure(bearer, direction), bearer, direction, &context)
    case (.readByGroupTypeResponse(let list), _):
      foundGroups(list, request, isSure: isSure(bearer, direction), side, &context)
    case (.readResponse(let value), .read(let handle)?):
      read(handle, value, bearer, direction, &context)
    case (.readBlobResponse(let value), .readBlob(let handle, let offset)?):
      readBlob(handle, Int(offset), value, bearer, direction, &context)
    case (.readMultipleResponse(let values), .readMultiple(let handles)?):
      readMultiple(handles, values, side, &context)
    case (.readMultipleVariableResponse(let values), .readMultipleVariable(let handles)?):
      readMultipleVariable(handles, values, side, &context)
    case (.writeResponse, .write(let handle, let octets, let length)?):
      written(handle, octets, length: length, side, &context)
    case (.executeWriteResponse, nil): conversation(bearer, client: direction.opposite) { $0.forgetPrepared() }
    case (.executeWriteResponse, .executeWrite(let flags)?):
      let writes = conversation(bearer, client: direction.opposite) { $0.takeExecuted() }
      guard flags == 1 else { return }
      for write in writes { written(write.handle, write.octets, length: write.length, side, &context) }
    default: break
    }
  }

  /// The two ends have agreed on what the shorter of them takes; nil if that is not known.
  mutating func tellMTU(least: UInt16?, _ context: inout TrackingContext<some EventReceiver>) {
    let agreed = least.map { max(ATTConversation.leastMTU, $0) }
    context.tell(.mtu(MTUEvent(mtu: agreed, isEnhanced: false)), connection: connection)
  }

  /// A later request was answered than others: their answers are not in the capture. The client had them, and hardly ever
  /// is a write refused.
  mutating func notePassedOver(
    _ bearer: BearerID, _ direction: Direction, _ context: inout TrackingContext<some EventReceiver>
  ) {
    for request in conversation(bearer, client: direction.opposite, { $0.takePassedOver() }) {
      switch request {
      case .exchangeMTU where bearer == .fixed: tellMTU(least: nil, &context)
      case .write(let handle, let octets, let length):
        written(handle, octets, length: length, direction.server, &context)
      default: break
      }
    }
  }
}

// MARK: - Discovery

extension GATTObserver {
  /// A characteristic's value was found by its type. What its declaration says was not read.
  /// - Parameter declaration: Where it is declared, if that is known all the same.
  mutating func foundValue(
    _ handle: UInt16, of type: BluetoothUUID, declaration: UInt16? = nil, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let characteristic = GATTCharacteristic(declaration: declaration, valueHandle: handle, properties: nil, uuid: type)
    found(characteristic, side, &context)
  }

  /// A characteristic was found: nothing else is where its declaration and its value are, and what its value has notified
  /// so far may be settled by its type.
  private mutating func found(
    _ characteristic: GATTCharacteristic, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    let valueHandle = characteristic.valueHandle
    guard valueHandle > 0 else { return }
    if let declaration = characteristic.declaration {
      if contradictsTold(declaration: declaration, valueHandle, side, context.databases) {
        // That there is a declaration may be right; where it has the value is not.
        return change(side, &context) { $0.insertAttribute(declaration, uuid: .characteristic) }
      }
      if let uuid = characteristic.uuid, contradictsTold(characteristic: valueHandle, uuid, side, context.databases) {
        noteContradiction(side, &context)
      }
      lacksOthers(than: declaration, valueHandle, side, &context)
    }
    change(side, &context) { $0.insertCharacteristic(characteristic) }
    if characteristic.uuid == .heartRateMeasurement { context.databases.foundMeasurement(in: place(side)) }
    // Of a type that the capture cut, what the table held before may be left.
    if let type = context.databases[place(side)].type(of: valueHandle) {
      rediscoveries[side].found(valueHandle, RevisedType(uuid: type), at: context.time, &context.conclusions)
    }
    guard told.insert(characteristic: valueHandle, characteristic.uuid, side) else { return }
    context.tell(
      .characteristic(CharacteristicEvent(characteristic: characteristic, server: side)), connection: connection)
  }

  /// Find Information answers with the type of each attribute. What follows a declaration is a characteristic's value,
  /// and so is what has a characteristic's type.
  private mutating func found(
    _ handle: UInt16, _ type: BluetoothUUID, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard handle > 0, !contradictsTold(handle, type, side, context.databases) else { return }
    let database = place(side)
    // What stood there before the table changed was of another type.
    let isNew = !type.isDescriptor && context.databases[database].type(of: handle) != type
    if isNew, context.databases[database].type(of: handle - 1) == .characteristic {
      foundValue(handle, of: type, declaration: handle - 1, side, &context)
    } else if isNew, AssignedNumbers.characteristicName(type) != nil {
      foundValue(handle, of: type, side, &context)
    } else {
      change(side, &context) { $0.insertAttribute(handle, uuid: type) }
    }
  }

  /// Read By Type: declarations in discovery, otherwise values.
  private mutating func readByType(
    _ list: AttributeDataList, _ request: ATTRequest?, isSure: Bool, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let side = direction.server
    let type: BluetoothUUID
    if case .readByType(let range, let asked)? = request {
      type = asked
      guard type != .primaryService, type != .secondaryService else {
        return foundServices(list, in: range, type, isSure: isSure, side, &context)
      }
      if isSure { foundGaps(list, range, type, side, &context) }
    } else {
      // Whatever was asked: what looks like nothing but declarations are.
      guard list.areDeclarations else { return }
      type = .characteristic
    }
    var list = list
    while let entry = list.next() {
      var reader = entry.reader("ATT")
      guard let handle = try? reader.uint16("Attribute Handle") else { return }
      switch type {
      case .characteristic: foundDeclaration(handle, entry.dropping(2), side, &context)
      case .include: foundInclude(handle, entry.dropping(2), side, &context)
      default:
        if type == .databaseHash { noteHash(entry.dropping(2), of: side, &context) }
        if type.isDescriptor {
          context.databases[place(side)].insertAttribute(handle, uuid: type)
        } else {
          foundValue(handle, of: type, side, &context)
        }
        let value = entry.dropping(2)
        // Of a long value it is the beginning; the rest is read as a blob. Core 6.0, Vol 3, Part F, 3.4.4.2.
        if !value.isCut {
          conversation(bearer, client: direction.opposite) { $0.beginLongRead(handle, value.octets) }
        }
        context.tell(.read(self.value(handle, value, at: side, &context)), connection: connection)
      }
    }
  }

  /// A declaration of a characteristic was read.
  mutating func foundDeclaration(
    _ handle: UInt16, _ value: CapturedOctets, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    var reader = value.reader("ATT")
    guard let properties = try? reader.uint8("Characteristic Properties"),
      let valueHandle = Self.valueHandle(&reader, of: handle)
    else {
      if value.isCut { context.databases[place(side)].insertAttribute(handle, uuid: .characteristic) }
      return
    }
    let uuid = try? BluetoothUUID(parsing: &reader, octets: value.length - 3)
    if uuid == nil {
      guard value.isCut else { return }
      // Of a UUID that is cut, the first octets may tell what it is not.
      if value.length == 19, !BluetoothUUID.mayBeOnBase(reader.rest()) { unknown.noteVendors(valueHandle, of: side) }
    }
    let characteristic = GATTCharacteristic(
      declaration: handle, valueHandle: valueHandle, properties: CharacteristicProperties(rawValue: properties),
      uuid: uuid)
    found(characteristic, side, &context)
  }

  /// The handle of a characteristic's value. Of one that the capture cut in half the lower octet is enough where the
  /// value follows its declaration, as it almost always does.
  @_lifetime(reader: copy reader)
  private static func valueHandle(_ reader: inout OctetReader, of declaration: UInt16) -> UInt16? {
    if let handle = try? reader.uint16("Characteristic Value Handle") { return handle }
    guard declaration < UInt16.max, let low = try? reader.uint8("Characteristic Value Handle") else { return nil }
    return low == UInt8(truncatingIfNeeded: declaration + 1) ? declaration + 1 : nil
  }

  private mutating func foundInclude(
    _ handle: UInt16, _ value: CapturedOctets, _ side: ServerSide, _ context: inout TrackingContext<some EventReceiver>
  ) {
    var reader = value.reader("ATT")
    guard let start = try? reader.uint16("Included Service Attribute Handle"),
      let end = try? reader.uint16("End Group Handle"), start <= end
    else { return }
    let uuid = try? BluetoothUUID(parsing: &reader, octets: value.length - 4)
    let include = GATTInclude(handle: handle, service: start...end, uuid: uuid)
    context.databases[place(side)].insertInclude(include)
    foundService(included: include, side, &context)
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

// What goes over the bearers, told PDU by PDU to rules that ask who said what when.

extension CapturedOctets {
  /// Whether it is a command or a notification: nobody answers it.
  var isUnanswered: Bool {
    guard let opcode else { return false }
    return opcode.isCommand || opcode.isNotification
  }
}

extension GATTObserver {
  /// Tells a PDU that is neither a notification nor a command, before anything is learned from it. Of commands only
  /// those are told that may switch notifications on, or reset the energy, though nobody should do it that way.
  mutating func tell(
    dialogue payload: CapturedOctets, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    if payload.isUnanswered, !payload.mayConfigure { return }
    tellQuiet(&context)
    quiet.note(payload)
    guard context.wantsDialogue else { return }
    let octets = ContiguousArray(payload.octets)
    let pdu = ATTDialoguePDU(
      bearer: bearer.number, direction: direction, octets: octets, length: payload.length,
      attribute: attribute(in: payload, direction, &context))
    context.tell(.dialogue(.pdu(pdu)), connection: connection)
  }

  /// Tells the request that waits in quiet, if one does: it has turned out to be as any other.
  mutating func tellQuiet(_ context: inout TrackingContext<some EventReceiver>) {
    guard let request = quiet.takeWaiting() else { return }
    let octets = request.octets
    let payload = CapturedOctets(octets.span, length: octets.count, origin: 0)
    ask(payload, request.direction, at: request.moment.time, &context)
    guard context.wantsDialogue else { return }
    let pdu = ATTDialoguePDU(
      bearer: nil, direction: request.direction, octets: octets, length: octets.count,
      attribute: attribute(in: payload, request.direction, &context))
    context.tell(.dialogue(.pdu(pdu)), connection: connection, at: request.moment)
  }

  private mutating func ask(
    _ payload: CapturedOctets, _ direction: Direction, at time: Timestamp,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard let pdu = try? ATTPDU(parsing: payload),
      let request = ATTRequest(pdu, keepsValues: context.wantsWrites)
    else { return }
    conversation(.fixed, client: direction) { $0.ask(request, at: time) }
  }

  /// The attribute that a PDU is about: behind the opcode, or, in an Error Response, behind the request's too.
  private func attribute(
    in payload: CapturedOctets, _ direction: Direction, _ context: inout TrackingContext<some EventReceiver>
  ) -> DialogueAttribute? {
    let place: Int
    let side: ServerSide
    switch payload.opcode {
    case .errorResponse: (place, side) = (2, direction.server)
    case .handleValueIndication: (place, side) = (1, direction.server)
    case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest, .writeCommand, .signedWriteCommand:
      (place, side) = (1, direction.askedServer)
    default: return nil
    }
    guard let handle = OctetWindow(payload.octets, at: place, count: 2)?.uint16(at: 0) else { return nil }
    let type =
      payload.opcode == .handleValueIndication
      ? type(ofIndicated: handle, payload.dropping(3), at: side, &context)
      : type(spokenOf: handle, at: side, &context)
    return attribute(handle, type, side, context)
  }

  private func attribute(
    _ handle: UInt16, _ type: BluetoothUUID?, _ side: ServerSide, _ context: TrackingContext<some EventReceiver>
  ) -> DialogueAttribute {
    let owner = owner(of: handle, side, context.databases)
    let type = isNoDeclaration(handle, type, side, context.databases) ? nil : type
    // A value follows its declaration.
    let next =
      handle < .max ? context.databases[place(side)].bareCharacteristic(owning: handle + 1) : nil
    let inference = inferred.first { one in
      one.server == side
        && ([one.handle, one.configurationHandle].contains(handle) || one.handle == owner?.valueHandle)
    }
    return DialogueAttribute(
      handle: handle, uuid: type,
      characteristic: inference == nil ? owner?.uuid : .heartRateMeasurement,
      valueHandle: inference?.handle ?? owner?.valueHandle, properties: inference == nil ? owner?.properties : nil,
      isElsewhere: isElsewhere(handle, owner, side, context.databases),
      isHearsay: isTypeHearsay(handle, side, context.databases),
      declares: next?.declaration == handle ? next?.uuid : nil, server: side)
  }

  /// Whether an attribute belongs to another characteristic than a measurement, or lies in a service that has none, as was
  /// told on this connection: what is known from elsewhere may be another table's.
  private func isElsewhere(
    _ handle: UInt16, _ owner: GATTCharacteristic?, _ side: ServerSide, _ databases: DatabaseShelf
  ) -> Bool {
    let database = databases[place(side)]
    if let owner, let type = owner.uuid, told.holds(characteristic: owner.valueHandle, side) {
      return type != .heartRateMeasurement && !type.mayBeDamagedMeasurement
    }
    guard let type = database.serviceType(at: handle), type != .heartRateService,
      let handles = database.serviceHandles(at: handle), told.holds(service: handles.lowerBound, side)
    else { return false }
    return !inferred.contains { $0.server == side && handles.contains($0.handle) }
      && !database.characteristics(withValuesIn: handles).contains { $0.uuid == .heartRateMeasurement }
  }
}

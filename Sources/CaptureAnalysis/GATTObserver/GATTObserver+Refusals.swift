import BluetoothHost
import CaptureFiles
import GATTKit

// What refusals teach.

extension GATTObserver {
  /// A request was refused. Discovery ends this way, and that is no error; whatever was asked waits no longer.
  mutating func refused(
    _ opcode: ATTOpcode, _ handle: UInt16, _ error: ATTErrorCode, _ bearer: BearerID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let request = conversation(bearer, client: direction.opposite) { $0.refused(opcode, handle) }
    notePassedOver(bearer, direction, &context)
    let side = direction.server
    if error == .databaseOutOfSync { noteChange(of: side, in: 1...UInt16.max, &context) }
    if error == .attributeNotFound, request?.opcode.isDiscovery ?? true {
      if isSure(bearer, direction), let request, request.handle == handle { foundNone(request, side, &context) }
      return
    }
    if isSure(bearer, direction) { found(refused: handle, request, error, side, &context) }
    let uuid = type(of: handle, at: side, &context)
    // Which attribute was refused may come to light on a later connection, unless there is none.
    if uuid == nil, opcode.isOfOneAttribute, error != .invalidHandle { unknown.asked(for: handle, of: side) }
    let event = ATTErrorEvent(request: opcode, handle: handle, uuid: uuid, error: error, server: side)
    context.tell(.attError(event), connection: connection)
  }

  /// Where the first attribute of a type cannot be read, the error names it. Core 6.0, Vol 3, Part F, 3.4.4.1.
  ///
  /// Servers that name the first handle of the request whatever is wrong teach nothing, nor do those that contradict what
  /// is known.
  private mutating func found(
    refused handle: UInt16, _ request: ATTRequest?, _ error: ATTErrorCode, _ side: ServerSide,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard error.refusesReading, case .readByType(let range, let type)? = request,
      range.start < handle, handle <= range.end, AssignedNumbers.characteristicName(type) != nil,
      context.databases[place(side)].type(of: handle) == nil
    else { return }
    foundValue(handle, of: type, side, &context)
  }
}

extension ATTOpcode {
  /// Whether it is a request to read or write an attribute that its handle tells.
  fileprivate var isOfOneAttribute: Bool {
    self == .readRequest || self == .readBlobRequest || self == .writeRequest || self == .prepareWriteRequest
  }
}

extension ATTErrorCode {
  /// Whether an attribute is there and its value is not told: Read Not Permitted, or a safer link is asked for.
  /// Core 6.0, Vol 3, Part F, 3.4.1.1.
  fileprivate var refusesReading: Bool { self == .readNotPermitted || wantsSecurity }
}

import BluetoothHost
import GATTKit

/// A request that waits for its response, with what is needed to understand it.
enum ATTRequest {
  case exchangeMTU(UInt16)
  case findInformation(AttributeRange)
  /// The value is empty where the capture did not keep all of it: what is left of one may look like a shorter one.
  case findByTypeValue(AttributeRange, type: BluetoothUUID, value: ContiguousArray<UInt8>)
  case readByType(AttributeRange, type: BluetoothUUID)
  case readByGroupType(AttributeRange, type: BluetoothUUID)
  case read(handle: UInt16)
  case readBlob(handle: UInt16, offset: UInt16)
  case readMultiple([UInt16])
  case readMultipleVariable([UInt16])
  case write(handle: UInt16, octets: ContiguousArray<UInt8>, length: Int)
  /// A write whose effect was seen before its response, which tells nothing any more.
  case doneWrite(handle: UInt16)
  case prepareWrite
  case executeWrite(flags: UInt8)

  var opcode: ATTOpcode {
    switch self {
    case .exchangeMTU: .exchangeMTURequest
    case .findInformation: .findInformationRequest
    case .findByTypeValue: .findByTypeValueRequest
    case .readByType: .readByTypeRequest
    case .readByGroupType: .readByGroupTypeRequest
    case .read: .readRequest
    case .readBlob: .readBlobRequest
    case .readMultiple: .readMultipleRequest
    case .readMultipleVariable: .readMultipleVariableRequest
    case .write, .doneWrite: .writeRequest
    case .prepareWrite: .prepareWriteRequest
    case .executeWrite: .executeWriteRequest
    }
  }

  /// How many octets of memory it takes, beside its own.
  var memory: Int {
    switch self {
    case .findByTypeValue(_, type: _, let value): value.capacity
    case .write(handle: _, let octets, length: _): octets.capacity
    case .readMultiple(let handles), .readMultipleVariable(let handles): 2 * handles.capacity
    default: 0
    }
  }

  /// Whether its success changes what holds on the connection.
  var hasEffect: Bool { opcode == .exchangeMTURequest || opcode == .writeRequest }

  /// Where it begins, as an error would say; nil for one that is about no attribute, or about several.
  var handle: UInt16? {
    switch self {
    case .findInformation(let range), .findByTypeValue(let range, type: _, value: _), .readByType(let range, type: _),
      .readByGroupType(let range, type: _):
      range.start
    case .read(let handle), .readBlob(let handle, offset: _), .write(let handle, octets: _, length: _),
      .doneWrite(let handle):
      handle
    case .exchangeMTU, .readMultiple, .readMultipleVariable, .prepareWrite, .executeWrite: nil
    }
  }
}

// MARK: - From PDUs

extension ATTRequest {
  /// The request in a PDU, if it is one.
  /// - Parameter keepsValues: Whether values that are written are wanted. Otherwise only those are kept that may
  ///   configure a characteristic.
  init?(_ pdu: borrowing ATTPDU, keepsValues: Bool) {
    switch copy pdu {
    case .exchangeMTURequest(let mtu): self = .exchangeMTU(mtu)
    case .findInformationRequest(let range): self = .findInformation(range)
    case .findByTypeValueRequest(let range, let type, let value):
      self = .findByTypeValue(range, type: type, value: value.isCut ? [] : ContiguousArray(value.octets))
    case .readByTypeRequest(let range, let type): self = .readByType(range, type: type)
    case .readByGroupTypeRequest(let range, let type): self = .readByGroupType(range, type: type)
    case .readRequest(let handle): self = .read(handle: handle)
    case .readBlobRequest(let handle, let offset): self = .readBlob(handle: handle, offset: offset)
    case .readMultipleRequest(let handles): self = .readMultiple(Self.all(handles))
    case .readMultipleVariableRequest(let handles): self = .readMultipleVariable(Self.all(handles))
    case .writeRequest(let handle, let value):
      let octets = keepsValues || value.length <= 2 ? ContiguousArray(value.octets) : []
      self = .write(handle: handle, octets: octets, length: value.length)
    case .prepareWriteRequest: self = .prepareWrite
    case .executeWriteRequest(let flags): self = .executeWrite(flags: flags)
    default: return nil
    }
  }

  private static func all(_ handles: HandleList) -> [UInt16] {
    var list = handles
    var all: [UInt16] = []
    while let handle = list.next() { all.append(handle) }
    return all
  }

  /// What can be told of a request that the capture cut: the first octet of the type that it looks for is left where
  /// packets keep 14 octets, as in Android's default log, and tells apart what discovery looks for.
  init?(cut payload: CapturedOctets) {
    var reader = payload.reader("ATT")
    guard let opcode = try? reader.uint8("Opcode"), let start = try? reader.uint16("Starting Handle"),
      let end = try? reader.uint16("Ending Handle"), let type = try? reader.uint8("Attribute Type")
    else { return nil }
    let range = AttributeRange(start: start, end: end)
    switch (ATTOpcode(rawValue: opcode), type) {
    case (.readByTypeRequest, 0x03) where payload.length == Self.lengthWithShortType:
      self = .readByType(range, type: .characteristic)
    case (.readByTypeRequest, 0x02) where payload.length == Self.lengthWithShortType:
      self = .readByType(range, type: .include)
    case (.findByTypeValueRequest, 0x00):
      self = .findByTypeValue(range, type: .primaryService, value: [])
    default:
      return nil
    }
  }

  /// Opcode, range and a type of 16 bits.
  private static var lengthWithShortType: Int { 7 }
}

import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

/// Which of a connection's ATT bearers a PDU went over.
enum BearerID: Hashable {
  /// The unenhanced bearer of a Low Energy link.
  case fixed
  /// One on a dynamic channel: an enhanced bearer, or BR/EDR's.
  case dynamic(Int)
}

/// What goes on over one bearer: the requests of each side.
struct ATTBearer {
  let id: BearerID
  /// The local host as the client.
  var local = ATTConversation()
  /// The peer as the client.
  var peer = ATTConversation()

  init(_ id: BearerID) {
    self.id = id
  }
}

/// A request that waits for its response, with what is needed to understand it.
enum ATTRequest {
  case exchangeMTU(UInt16)
  case findInformation(AttributeRange)
  case findByTypeValue(AttributeRange, type: BluetoothUUID, value: ContiguousArray<UInt8>)
  case readByType(AttributeRange, type: BluetoothUUID)
  case readByGroupType(AttributeRange, type: BluetoothUUID)
  case read(handle: UInt16)
  case readBlob(handle: UInt16, offset: UInt16)
  case readMultiple([UInt16])
  case readMultipleVariable([UInt16])
  case write(handle: UInt16, octets: ContiguousArray<UInt8>, length: Int)
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
    case .write: .writeRequest
    case .prepareWrite: .prepareWriteRequest
    case .executeWrite: .executeWriteRequest
    }
  }
}

/// One direction of one bearer: a client's requests and what it writes and reads in several steps.
struct ATTConversation {
  private var pending: [ATTRequest] = []
  /// What has been read so far of a value that takes several requests.
  private var longRead = LongRead()
  /// What has been prepared and not executed.
  private(set) var prepared: [PreparedWrite] = []

  /// In seconds: a transaction that is not completed by then has timed out. Core 6.0, Vol 3, Part F, 3.3.3.
  static let timeout = 30.0
  /// A client has one request at a time; a few more are a fault to be reported, many are made to exhaust memory.
  private static let mostPending = 16
  /// As much as a server must never promise.
  private static let mostPrepared = 256
  private static let longestValue = 512

  /// A value that is being read in pieces.
  struct LongRead {
    /// No attribute has the handle 0.
    var handle: UInt16 = 0
    var octets: ContiguousArray<UInt8> = []
  }

  /// A part of a write that is being prepared.
  struct PreparedWrite {
    let handle: UInt16
    let offset: Int
    let octets: ContiguousArray<UInt8>
    /// How many octets were sent.
    let length: Int
  }

  mutating func ask(_ request: ATTRequest) {
    if pending.count == Self.mostPending { pending.removeFirst() }
    pending.append(request)
  }

  /// The oldest request that waits for this response.
  mutating func answered(_ opcode: ATTOpcode) -> ATTRequest? {
    guard let place = pending.firstIndex(where: { $0.opcode.response == opcode }) else { return nil }
    return pending.remove(at: place)
  }

  /// The oldest request that this error can be for.
  mutating func refused(_ opcode: ATTOpcode) -> ATTRequest? {
    guard let place = pending.firstIndex(where: { $0.opcode == opcode }) else { return nil }
    return pending.remove(at: place)
  }

  /// A later request was answered in its turn: what still waits has lost its response, and must not take another's.
  mutating func forgetUnanswered() {
    if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
  }

  mutating func forgetRequests() {
    pending.removeAll()
    longRead = LongRead()
  }

  /// A value, or its first part, was read.
  mutating func beginLongRead(_ handle: UInt16, _ octets: Span<UInt8>) {
    longRead.handle = handle
    longRead.octets.removeAll(keepingCapacity: true)
    longRead.octets.append(octets)
  }

  /// A further part was read.
  /// - Returns: The value as far as it is known; nil if what precedes the part is not.
  mutating func continueLongRead(
    _ handle: UInt16, offset: Int, _ octets: ContiguousArray<UInt8>
  ) -> ContiguousArray<UInt8>? {
    guard longRead.handle == handle, longRead.octets.count >= offset, offset <= Self.longestValue else { return nil }
    longRead.octets.removeSubrange(offset...)
    longRead.octets.append(contentsOf: octets.prefix(Self.longestValue - offset))
    return longRead.octets
  }

  mutating func prepare(_ write: PreparedWrite) {
    if prepared.count < Self.mostPrepared { prepared.append(write) }
  }

  /// The values that execution writes, and whether the capture kept all of each.
  mutating func takePrepared() -> [PreparedWrite] {
    defer { prepared = [] }
    var values: [PreparedWrite] = []
    for write in prepared {
      if let last = values.last, last.handle == write.handle, write.offset == last.octets.count,
        last.octets.count == last.length
      {
        values[values.count - 1] = PreparedWrite(
          handle: last.handle, offset: last.offset, octets: last.octets + write.octets,
          length: last.length + write.length)
      } else {
        values.append(write)
      }
    }
    return values
  }
}

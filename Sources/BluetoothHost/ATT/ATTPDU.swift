public import GATTKit
public import Octets

/// An ATT PDU, borrowed. One case for each PDU of the specification, and one for those it does not define.
///
/// Core 6.0, Vol 3, Part F, 3.4.
@frozen public enum ATTPDU: ~Escapable, BitwiseCopyable {
  /// 3.4.1.1.
  case errorResponse(request: ATTOpcode, handle: UInt16, ATTErrorCode)
  /// 3.4.2.1.
  case exchangeMTURequest(mtu: UInt16)
  /// 3.4.2.2.
  case exchangeMTUResponse(mtu: UInt16)
  /// 3.4.3.1.
  case findInformationRequest(AttributeRange)
  /// 3.4.3.2.
  case findInformationResponse(InformationList)
  /// 3.4.3.3.
  case findByTypeValueRequest(AttributeRange, type: BluetoothUUID, value: CapturedOctets)
  /// 3.4.3.4.
  case findByTypeValueResponse(HandleRangeList)
  /// 3.4.4.1.
  case readByTypeRequest(AttributeRange, type: BluetoothUUID)
  /// 3.4.4.2.
  case readByTypeResponse(AttributeDataList)
  /// 3.4.4.3.
  case readRequest(handle: UInt16)
  /// 3.4.4.4.
  case readResponse(CapturedOctets)
  /// 3.4.4.5.
  case readBlobRequest(handle: UInt16, offset: UInt16)
  /// 3.4.4.6.
  case readBlobResponse(CapturedOctets)
  /// 3.4.4.7.
  case readMultipleRequest(HandleList)
  /// 3.4.4.8.
  case readMultipleResponse(CapturedOctets)
  /// 3.4.4.9.
  case readByGroupTypeRequest(AttributeRange, type: BluetoothUUID)
  /// 3.4.4.10.
  case readByGroupTypeResponse(AttributeDataList)
  /// 3.4.4.11.
  case readMultipleVariableRequest(HandleList)
  /// 3.4.4.12.
  case readMultipleVariableResponse(CapturedOctets)
  /// 3.4.5.1.
  case writeRequest(handle: UInt16, CapturedOctets)
  /// 3.4.5.2.
  case writeResponse
  /// 3.4.5.3.
  case writeCommand(handle: UInt16, CapturedOctets)
  /// 3.4.5.4. The last twelve octets are the signature.
  case signedWriteCommand(handle: UInt16, CapturedOctets)
  /// 3.4.6.1.
  case prepareWriteRequest(handle: UInt16, offset: UInt16, CapturedOctets)
  /// 3.4.6.2.
  case prepareWriteResponse(handle: UInt16, offset: UInt16, CapturedOctets)
  /// 3.4.6.3. Flag 0 cancels, 1 writes what was prepared.
  case executeWriteRequest(flags: UInt8)
  /// 3.4.6.4.
  case executeWriteResponse
  /// 3.4.7.1.
  case handleValueNotification(handle: UInt16, CapturedOctets)
  /// 3.4.7.2.
  case handleValueIndication(handle: UInt16, CapturedOctets)
  /// 3.4.7.3.
  case handleValueConfirmation
  /// 3.4.7.4.
  case multipleHandleValueNotification(HandleValueList)
  /// Anything else.
  case unknown(ATTOpcode, CapturedOctets)
}

extension ATTPDU {
  /// Reads a PDU.
  /// - Throws: `ParsingError` if a field of it is not there. If `pdu.isCut`, that says nothing about the PDU as sent.
  @inlinable @inline(__always) @_lifetime(copy pdu)
  public init(parsing pdu: CapturedOctets) throws(ParsingError) {
    // Almost all that is ever sent begins like one of these.
    guard let header = pdu.header(3) else {
      self = try Self.rare(pdu)
      return
    }
    switch ATTOpcode(rawValue: header.uint8(at: 0)) {
    case .handleValueNotification: self = .handleValueNotification(handle: header.uint16(at: 1), pdu.dropping(3))
    case .writeRequest: self = .writeRequest(handle: header.uint16(at: 1), pdu.dropping(3))
    case .readRequest: self = .readRequest(handle: header.uint16(at: 1))
    default: self = try Self.rare(pdu)
    }
  }

  /// One of the others, or one that is too short. A case for each, in the order of the specification.
  @_lifetime(copy pdu)
  @usableFromInline static func rare(_ pdu: CapturedOctets) throws(ParsingError) -> ATTPDU {
    var reader = pdu.reader("ATT")
    let opcode = ATTOpcode(rawValue: try reader.uint8("Opcode"))
    switch opcode {
    case .errorResponse:
      return .errorResponse(
        request: ATTOpcode(rawValue: try reader.uint8("Request Opcode In Error")),
        handle: try reader.uint16("Attribute Handle In Error"),
        ATTErrorCode(rawValue: try reader.uint8("Error Code")))
    case .exchangeMTURequest: return .exchangeMTURequest(mtu: try reader.uint16("Client Rx MTU"))
    case .exchangeMTUResponse: return .exchangeMTUResponse(mtu: try reader.uint16("Server Rx MTU"))

    case .findInformationRequest: return .findInformationRequest(try AttributeRange(parsing: &reader))
    case .findInformationResponse: return .findInformationResponse(try information(&reader, pdu))
    case .findByTypeValueRequest:
      let range = try AttributeRange(parsing: &reader)
      let type = BluetoothUUID(try reader.uint16("Attribute Type"))
      return .findByTypeValueRequest(range, type: type, value: pdu.dropping(7))
    case .findByTypeValueResponse: return .findByTypeValueResponse(HandleRangeList(pdu.dropping(1)))

    case .readByTypeRequest:
      let range = try AttributeRange(parsing: &reader)
      return .readByTypeRequest(range, type: try type(&reader, pdu))
    case .readByTypeResponse: return .readByTypeResponse(try list(&reader, pdu, least: 2))
    case .readResponse: return .readResponse(pdu.dropping(1))
    case .readBlobRequest:
      return .readBlobRequest(
        handle: try reader.uint16("Attribute Handle"), offset: try reader.uint16("Value Offset"))
    case .readBlobResponse: return .readBlobResponse(pdu.dropping(1))
    case .readMultipleRequest: return .readMultipleRequest(HandleList(pdu.dropping(1)))
    case .readMultipleResponse: return .readMultipleResponse(pdu.dropping(1))
    case .readByGroupTypeRequest:
      let range = try AttributeRange(parsing: &reader)
      return .readByGroupTypeRequest(range, type: try type(&reader, pdu))
    case .readByGroupTypeResponse: return .readByGroupTypeResponse(try list(&reader, pdu, least: 4))
    case .readMultipleVariableRequest: return .readMultipleVariableRequest(HandleList(pdu.dropping(1)))
    case .readMultipleVariableResponse: return .readMultipleVariableResponse(pdu.dropping(1))

    case .writeResponse: return .writeResponse
    case .writeCommand: return .writeCommand(handle: try reader.uint16("Attribute Handle"), pdu.dropping(3))
    case .signedWriteCommand: return try signedWrite(&reader, pdu)
    case .prepareWriteRequest:
      return .prepareWriteRequest(
        handle: try reader.uint16("Attribute Handle"), offset: try reader.uint16("Value Offset"), pdu.dropping(5))
    case .prepareWriteResponse:
      return .prepareWriteResponse(
        handle: try reader.uint16("Attribute Handle"), offset: try reader.uint16("Value Offset"), pdu.dropping(5))
    case .executeWriteRequest: return .executeWriteRequest(flags: try reader.uint8("Flags"))
    case .executeWriteResponse: return .executeWriteResponse

    case .handleValueIndication:
      return .handleValueIndication(handle: try reader.uint16("Attribute Handle"), pdu.dropping(3))
    case .handleValueConfirmation: return .handleValueConfirmation
    case .multipleHandleValueNotification: return .multipleHandleValueNotification(HandleValueList(pdu.dropping(1)))

    // With its handle it would not have come here.
    case .readRequest, .writeRequest, .handleValueNotification: throw reader.tooShort("Attribute Handle", needs: 2)
    default: return .unknown(opcode, pdu.dropping(1))
    }
  }

  @_lifetime(copy pdu)
  @_lifetime(reader: copy reader)
  private static func information(
    _ reader: inout OctetReader, _ pdu: CapturedOctets
  ) throws(ParsingError) -> InformationList {
    let format = try reader.uint8("Format")
    guard format == 1 || format == 2 else { throw reader.invalid("Format", "\(format), neither 1 nor 2") }
    return InformationList(pdu.dropping(2), uuidLength: format == 1 ? 2 : 16)
  }

  /// The UUID behind a range takes what is left; where the capture cut it, its length as sent is still known.
  @_lifetime(reader: copy reader)
  private static func type(_ reader: inout OctetReader, _ pdu: CapturedOctets) throws(ParsingError) -> BluetoothUUID {
    let length = pdu.length - 5
    guard length == 2 || length == 16 else {
      throw reader.invalid("Attribute Type", "\(length.octetWords), but here it has 2 or 16")
    }
    return try BluetoothUUID(parsing: &reader, octets: length)
  }

  /// - Parameter least: What each entry has before its value, in octets.
  @_lifetime(copy pdu)
  @_lifetime(reader: copy reader)
  private static func list(
    _ reader: inout OctetReader, _ pdu: CapturedOctets, least: UInt8
  ) throws(ParsingError) -> AttributeDataList {
    let length = try reader.uint8("Length")
    guard length >= least else { throw reader.invalid("Length", "\(length), less than \(least)") }
    return AttributeDataList(pdu.dropping(2), elementLength: Int(length))
  }

  /// The value stands between the handle and the signature. Core 6.0, Vol 3, Part F, 3.4.5.4.
  @_lifetime(copy pdu)
  @_lifetime(reader: copy reader)
  private static func signedWrite(_ reader: inout OctetReader, _ pdu: CapturedOctets) throws(ParsingError) -> ATTPDU {
    let handle = try reader.uint16("Attribute Handle")
    let signed = pdu.dropping(3)
    let length = signed.length - signatureLength
    guard length >= 0 else { throw reader.tooShort("Authentication Signature", needs: signatureLength) }
    return .signedWriteCommand(
      handle: handle, CapturedOctets(signed.octets, length: length, origin: signed.origin))
  }

  /// How long an Authentication Signature is, in octets.
  @inlinable public static var signatureLength: Int { 12 }
}

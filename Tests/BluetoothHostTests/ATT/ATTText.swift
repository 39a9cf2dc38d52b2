import BluetoothHost
import GATTKit
import Octets

/// A PDU in words, so that tables of octets and meanings can be compared.
func text(_ pdu: ATTPDU) throws(ParsingError) -> String {
  switch pdu {
  case .errorResponse(let request, let handle, let error):
    return "error response \(request.rawValue.digits) \(handle.digits) \(error.rawValue.digits)"
  case .exchangeMTURequest(let mtu): return "MTU request \(mtu)"
  case .exchangeMTUResponse(let mtu): return "MTU response \(mtu)"
  case .findInformationRequest(let range): return "find information \(range.text)"
  case .findInformationResponse(var list):
    var text = "information"
    while let (handle, type) = list.next() { text += " \(handle.digits)=\(type)" }
    return text
  case .findByTypeValueRequest(let range, let type, let value):
    return "find \(range.text) \(type) value \(value.text)"
  case .findByTypeValueResponse(var list):
    var text = "found"
    while let range = list.next() { text += " \(range.text)" }
    return text
  case .readByTypeRequest(let range, let type): return "read \(range.text) type \(type)"
  case .readByTypeResponse(let list): return "values" + text(list)
  case .readRequest(let handle): return "read \(handle.digits)"
  case .readResponse(let value): return "value \(value.text)"
  case .readBlobRequest(let handle, let offset): return "read \(handle.digits) from \(offset)"
  case .readBlobResponse(let value): return "part \(value.text)"
  case .readMultipleRequest(let handles): return "read multiple" + text(handles)
  case .readMultipleResponse(let values): return "multiple values \(values.text)"
  case .readByGroupTypeRequest(let range, let type): return "read groups \(range.text) type \(type)"
  case .readByGroupTypeResponse(let list): return "groups" + text(list)
  case .readMultipleVariableRequest(let handles): return "read multiple variable" + text(handles)
  case .readMultipleVariableResponse(let values): return "multiple variable values \(values.text)"
  case .writeRequest(let handle, let value): return "write \(handle.digits) value \(value.text)"
  case .writeResponse: return "written"
  case .writeCommand(let handle, let value): return "write command \(handle.digits) value \(value.text)"
  case .signedWriteCommand(let handle, let value): return "signed write \(handle.digits) value \(value.text)"
  case .prepareWriteRequest(let handle, let offset, let value):
    return "prepare \(handle.digits) at \(offset) value \(value.text)"
  case .prepareWriteResponse(let handle, let offset, let value):
    return "prepared \(handle.digits) at \(offset) value \(value.text)"
  case .executeWriteRequest(let flags): return "execute \(flags)"
  case .executeWriteResponse: return "executed"
  case .handleValueNotification(let handle, let value): return "notification \(handle.digits) value \(value.text)"
  case .handleValueIndication(let handle, let value): return "indication \(handle.digits) value \(value.text)"
  case .handleValueConfirmation: return "confirmation"
  case .multipleHandleValueNotification(var list):
    var text = "notifications"
    while let entry = try list.next() { text += " \(entry.handle.digits)=\(entry.value.text)" }
    return text
  case .unknown(let opcode, let octets): return "unknown \(opcode.rawValue.digits) \(octets.text)"
  }
}

private func text(_ list: AttributeDataList) -> String {
  var list = list
  var text = ""
  while let entry = list.next() { text += " \(entry.text)" }
  return text
}

private func text(_ list: HandleList) -> String {
  var list = list
  var text = ""
  while let handle = list.next() { text += " \(handle.digits)" }
  return text
}

extension AttributeRange {
  fileprivate var text: String { "\(start.digits)-\(end.digits)" }
}

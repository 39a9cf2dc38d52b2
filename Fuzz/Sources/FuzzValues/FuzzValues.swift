import FuzzSupport
import GATTKit
import Octets

/// Every characteristic value there is a decoder for, chosen by the first octet, and UUIDs as people write them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzValues(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe withInput(start, count) { input in
    guard count > 0 else { return }
    let octets = input.extracting(1..<input.count)
    let choice = Int(input[0]) % (AttributeValues.all.count + 2)
    switch choice {
    case AttributeValues.all.count: checkUUID(text: octets)
    case AttributeValues.all.count + 1: checkUUID(octets)
    default: checkValue(AttributeValues.all[choice], octets)
    }
  }
  return 0
}

private func checkValue(_ kind: AttributeValueKind, _ octets: Span<UInt8>) {
  let isRead = checkEncoding(kind.type, octets)
  do throws(ParsingError) {
    let fields = try kind.fields(of: octets)
    check(isRead, "\(kind.name) is described but not read")
    check(!fields.isEmpty && fields.allSatisfy { !$0.name.isEmpty }, "\(kind.name) has a field without a name")
  } catch {
    check(!isRead, "\(kind.name) is read but not described: \(error)")
    check(!error.description.isEmpty && error.offset >= 0 && error.offset <= octets.count, "\(kind.name): \(error)")
  }
}

/// What a value is encoded as is read as the same value.
/// - Returns: Whether the octets are a value.
private func checkEncoding<Value: AttributeValue>(_ type: Value.Type, _ octets: Span<UInt8>) -> Bool {
  guard let value = try? Value(octets) else { return false }
  let encoded = value.encoded()
  do throws(ParsingError) {
    let read = try Value(encoded)
    check(read == value, "\(Value.name): \(value) is read back as \(read)")
    check(read.encoded() == encoded, "\(Value.name) is encoded in two ways")
  } catch {
    fail("\(Value.name): what was encoded cannot be read: \(error)")
  }
  return true
}

private func checkUUID(text octets: Span<UInt8>) {
  var text = ""
  for index in octets.indices { text.unicodeScalars.append(Unicode.Scalar(octets[index])) }
  if let uuid = BluetoothUUID(text) { checkForms(uuid) }
}

private func checkUUID(_ octets: Span<UInt8>) {
  var reader = OctetReader(octets, layer: "UUID")
  guard let uuid = try? BluetoothUUID(parsing: &reader, octets: octets.count) else { return }
  checkForms(uuid)
}

private func checkForms(_ uuid: BluetoothUUID) {
  check(BluetoothUUID(uuid.description) == uuid, "\(uuid) is read back otherwise")
  check(BluetoothUUID(uuid.longDescription) == uuid, "\(uuid.longDescription) is read back otherwise")
  for length in [nil, 2, 4, 16] {
    var octets: [UInt8] = []
    uuid.encode(into: &octets, length: length)
    var reader = OctetReader(octets.span, layer: "UUID")
    let read = try? BluetoothUUID(parsing: &reader, octets: octets.count)
    check(read == uuid, "\(uuid) in \(octets.count) octets is read back otherwise")
  }
  for name in [AssignedNumbers.serviceName(uuid), AssignedNumbers.characteristicName(uuid)] {
    check(name?.isEmpty != true, "\(uuid) has an empty name")
  }
}

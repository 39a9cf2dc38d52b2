import BluetoothHost
import GATTKit
import Octets

extension ATTRequest {
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

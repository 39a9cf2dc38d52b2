import BluetoothHost
import GATTKit
import Octets

// Whether a response may be a request's, as far as it tells. Only where several wait for one of its kind does it matter.

extension ATTRequest {
  /// Whether a response does not contradict the request.
  func fits(_ response: ATTPDU) -> Bool {
    switch (self, response) {
    case (.readByType(let range, let type), .readByTypeResponse(let list)):
      list.begins(in: range) && list.areDeclarations == (type == .characteristic)
    case (.readByGroupType(let range, _), .readByGroupTypeResponse(let list)): list.begins(in: range)
    case (.findByTypeValue(let range, _, _), .findByTypeValueResponse(var list)):
      list.next().map { range.contains($0.start) } ?? true
    case (.findInformation(let range), .findInformationResponse(var list)):
      list.next().map { range.contains($0.handle) } ?? true
    default: true
    }
  }

  /// Whether a response tells the same, if it is another request's.
  func isAnsweredLike(_ other: ATTRequest) -> Bool {
    switch (self, other) {
    case (.findByTypeValue(_, let type, let value), .findByTypeValue(_, let otherType, let otherValue)):
      type == otherType && value == otherValue
    case (.readByType(_, let type), .readByType(_, let otherType)): type == otherType
    case (.readByGroupType(_, let type), .readByGroupType(_, let otherType)): type == otherType
    case (.read(let handle), .read(let otherHandle)): handle == otherHandle
    case (.readBlob(let handle, let offset), .readBlob(let otherHandle, let otherOffset)):
      handle == otherHandle && offset == otherOffset
    default: true
    }
  }
}

extension AttributeDataList {
  fileprivate func begins(in range: AttributeRange) -> Bool {
    var list = self
    guard let entry = list.next() else { return true }
    var reader = entry.reader("ATT")
    return (try? reader.uint16("Attribute Handle")).map(range.contains) ?? true
  }

  /// Whether all entries look like declarations of characteristics: properties, the handle behind the declaration's own,
  /// a type. Core 6.0, Vol 3, Part G, 3.3.1.
  var areDeclarations: Bool {
    var (list, count) = (self, 0)
    while let entry = list.next() {
      var reader = entry.reader("ATT")
      guard entry.mayBeDeclaration, let handle = try? reader.uint16("Attribute Handle"),
        (try? reader.skip(1, "Characteristic Properties")) != nil,
        let value = try? reader.uint16("Characteristic Value Handle"), handle < .max, value == handle + 1
      else { return false }
      count += 1
    }
    return count > 0
  }
}

extension CapturedOctets {
  /// Whether this response does not contradict a request; nil if one of the two is none, or not enough of it is there.
  func mayAnswer(_ request: CapturedOctets) -> Bool? {
    guard let request = try? ATTPDU(parsing: request), let response = try? ATTPDU(parsing: self) else { return nil }
    return ATTRequest(request, keepsValues: false)?.fits(response)
  }

  /// Whether an entry has the length of a characteristic's declaration and its handle, with a type of 16 bits or of 128.
  var mayBeDeclaration: Bool { length == 7 || length == 21 }
}

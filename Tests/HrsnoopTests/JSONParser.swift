import Foundation

/// Why a text is no JSON.
struct JSONFault: Error {
  let problem: String
  let octet: Int
}

extension JSON {
  /// Parses a whole document, strictly: RFC 8259, UTF-8, and no key twice in an object.
  init(parsing data: Data) throws(JSONFault) {
    guard String(validating: data, as: UTF8.self) != nil else { throw JSONFault(problem: "no UTF-8", octet: 0) }
    var parser = JSONParser(octets: ContiguousArray(data))
    self = try parser.document()
  }
}

private struct JSONParser {
  let octets: ContiguousArray<UInt8>
  var place = 0

  init(octets: ContiguousArray<UInt8>) {
    self.octets = octets
  }

  private func fault(_ problem: String) -> JSONFault { JSONFault(problem: problem, octet: place) }
  private var next: UInt8? { place < octets.count ? octets[place] : nil }

  private mutating func skipSpace() {
    while let octet = next, octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09 { place += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ word: StaticString) throws(JSONFault) {
    for character in "\(word)".utf8 {
      guard next == character else { throw fault("\(word) expected") }
      place += 1
    }
  }

  mutating func document() throws(JSONFault) -> JSON {
    let value = try value()
    skipSpace()
    guard place == octets.count else { throw fault("more behind the end") }
    return value
  }

  private mutating func value() throws(JSONFault) -> JSON {
    skipSpace()
    defer { skipSpace() }
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"):
      try expect("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try expect("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try expect("null")
      return .null
    default: return .number(try number())
    }
  }

  private mutating func object() throws(JSONFault) -> JSON {
    place += 1
    skipSpace()
    var members: [String: JSON] = [:]
    if take("}") { return .object([:]) }
    repeat {
      skipSpace()
      let key = try string()
      skipSpace()
      guard take(":") else { throw fault("a colon expected") }
      guard members.updateValue(try value(), forKey: key) == nil else { throw fault("\(key) stands twice") }
    } while take(",")
    guard take("}") else { throw fault("the object does not end") }
    return .object(members)
  }

  private mutating func array() throws(JSONFault) -> JSON {
    place += 1
    skipSpace()
    var elements: [JSON] = []
    if take("]") { return .array([]) }
    repeat { elements.append(try value()) } while take(",")
    guard take("]") else { throw fault("the array does not end") }
    return .array(elements)
  }

  private mutating func string() throws(JSONFault) -> String {
    guard take("\"") else { throw fault("a text expected") }
    var units: [UInt16] = []
    var plain = place
    while let octet = next, octet != UInt8(ascii: "\"") {
      guard octet >= 0x20 else { throw fault("a control character in a text") }
      place += 1
      if octet == UInt8(ascii: "\\") {
        units += String(decoding: octets[plain..<place - 1], as: UTF8.self).utf16
        units.append(try escape())
        plain = place
      }
    }
    units += String(decoding: octets[plain..<place], as: UTF8.self).utf16
    guard take("\"") else { throw fault("the text does not end") }
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func escape() throws(JSONFault) -> UInt16 {
    guard let octet = next else { throw fault("the text does not end") }
    place += 1
    switch octet {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(octet)
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "u"):
      let digits = octets[place..<min(place + 4, octets.count)]
      guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
        throw fault("four digits expected")
      }
      place += 4
      return unit
    default: throw fault("an unknown escape")
    }
  }

  private mutating func number() throws(JSONFault) -> Double {
    let start = place
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    guard let number = Double(String(decoding: octets[start..<place], as: UTF8.self)) else {
      throw fault("a value expected")
    }
    return number
  }

  private mutating func digits() throws(JSONFault) {
    let start = place
    while let octet = next, octet >= 0x30, octet <= 0x39 { place += 1 }
    guard place > start else { throw fault("a digit expected") }
  }
}

/// A JSON document as a tree.
enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  subscript(_ key: String) -> JSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var int: Int? { number.flatMap { Int(exactly: $0) } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var keys: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }

  /// The same tree without members of these names, wherever they stand.
  func without(_ names: Set<String>) -> JSON {
    switch self {
    case .array(let elements): .array(elements.map { $0.without(names) })
    case .object(let members):
      .object(members.filter { !names.contains($0.key) }.mapValues { $0.without(names) })
    default: self
    }
  }

  /// Every text in the tree.
  var strings: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.strings)
    case .object(let members): members.values.flatMap(\.strings)
    default: []
    }
  }
}

/// What a value must be: the keys that are promised and what stands behind them. More keys are allowed.
indirect enum Shape: Sendable {
  case text
  case integer
  case number
  case bool
  /// RFC 3339, UTC, microseconds.
  case time
  /// Lower-case hexadecimal.
  case hexadecimal
  case oneOf(Set<String>)
  case list(Shape)
  case object([String: Shape])
  case optional(Shape)

  /// What contradicts the promise, each with its place.
  func faults(in value: JSON?, at place: String = "") -> [String] {
    guard let value else { return ["\(place) is missing"] }
    let isRight: Bool
    switch (self, value) {
    case (.optional, .null): return []
    case (.optional(let shape), _): return shape.faults(in: value, at: place)
    case (.list(let shape), .array(let elements)):
      return elements.enumerated().flatMap { shape.faults(in: $1, at: "\(place)[\($0)]") }
    case (.object(let members), .object):
      return members.sorted { $0.key < $1.key }.flatMap { $1.faults(in: value[$0], at: "\(place).\($0)") }
    case (.text, .string), (.number, .number), (.bool, .bool): isRight = true
    case (.integer, .number): isRight = value.int != nil
    case (.oneOf(let words), .string(let text)): isRight = words.contains(text)
    case (.time, .string(let text)):
      isRight = text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil
    case (.hexadecimal, .string(let text)): isRight = text.wholeMatch(of: /([0-9a-f]{2})*/) != nil
    default: isRight = false
    }
    return isRight ? [] : ["\(place) is \(value), not \(self)"]
  }
}

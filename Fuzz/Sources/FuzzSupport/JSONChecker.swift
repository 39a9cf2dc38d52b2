import Octets

/// Reads JSON strictly, by RFC 8259, and keeps nothing: whether a report is what a program can parse.
public struct JSONChecker: ~Escapable {
  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  private init(_ text: Span<UInt8>) {
    self.text = text
  }

  /// What is wrong with a text that should be one JSON value; nil if nothing is.
  public static func problem(_ text: Span<UInt8>) -> String? {
    var checker = JSONChecker(text)
    return checker.problem()
  }

  /// What is wrong with a text that should be one JSON value a line; nil if nothing is.
  public static func problem(lines text: Span<UInt8>) -> String? {
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
      guard end < text.count else { return "the last line has no end" }
      if let problem = problem(text.extracting(start..<end)) { return problem }
      start = end + 1
    }
    return nil
  }

  @_lifetime(self: copy self)
  private mutating func problem() -> String? {
    skipSpace()
    if let problem = value(depth: 0) { return "\(problem) at octet \(index)" }
    skipSpace()
    return index == text.count ? nil : "something behind the value, at octet \(index)"
  }

  private var next: UInt8 { index < text.count ? text[index] : 0 }

  @_lifetime(self: copy self)
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  @_lifetime(self: copy self)
  private mutating func skipSpace() {
    while [0x20, 0x0A, 0x0D, 0x09].contains(next) { index += 1 }
  }

  @_lifetime(self: copy self)
  private mutating func value(depth: Int) -> String? {
    guard depth < 64 else { return "nested too deeply" }
    switch Unicode.Scalar(next) {
    case "{": return members(depth)
    case "[": return elements(depth)
    case "\"": return string()
    case "t": return word("true")
    case "f": return word("false")
    case "n": return word("null")
    default: return number()
    }
  }

  @_lifetime(self: copy self)
  private mutating func members(_ depth: Int) -> String? {
    index += 1
    skipSpace()
    if take("}") { return nil }
    repeat {
      skipSpace()
      if let problem = string() { return problem }
      skipSpace()
      guard take(":") else { return "no colon" }
      skipSpace()
      if let problem = value(depth: depth + 1) { return problem }
      skipSpace()
    } while take(",")
    return take("}") ? nil : "an object without an end"
  }

  @_lifetime(self: copy self)
  private mutating func elements(_ depth: Int) -> String? {
    index += 1
    skipSpace()
    if take("]") { return nil }
    repeat {
      skipSpace()
      if let problem = value(depth: depth + 1) { return problem }
      skipSpace()
    } while take(",")
    return take("]") ? nil : "an array without an end"
  }

  @_lifetime(self: copy self)
  private mutating func word(_ word: StaticString) -> String? {
    for octet in word.description.utf8 {
      guard next == octet else { return "no value" }
      index += 1
    }
    return nil
  }

  @_lifetime(self: copy self)
  private mutating func digits() -> Int {
    let start = index
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { index += 1 }
    return index - start
  }

  @_lifetime(self: copy self)
  private mutating func number() -> String? {
    _ = take("-")
    let isZero = next == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0 else { return "no value" }
    guard !isZero || whole == 1 else { return "a leading zero" }
    if take("."), digits() == 0 { return "no decimals" }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      if digits() == 0 { return "no exponent" }
    }
    return nil
  }

  @_lifetime(self: copy self)
  private mutating func string() -> String? {
    guard take("\"") else { return "no string" }
    let start = index
    while index < text.count {
      switch next {
      case UInt8(ascii: "\""):
        let octets = text.extracting(start..<index)
        index += 1
        return UTF8Checker.isValid(octets) ? nil : "a string that is not UTF-8"
      case UInt8(ascii: "\\"):
        index += 1
        if let problem = escape() { return problem }
      case 0x00..<0x20: return "a control character"
      default: index += 1
      }
    }
    return "a string without an end"
  }

  @_lifetime(self: copy self)
  private mutating func escape() -> String? {
    if take("u") {
      for _ in 0..<4 {
        guard Character(Unicode.Scalar(next)).isHexDigit else { return "no \\u escape" }
        index += 1
      }
      return nil
    }
    guard #""\/bfnrt"#.utf8.contains(next) else { return "no escape" }
    index += 1
    return nil
  }
}

/// Whether octets are UTF-8.
enum UTF8Checker {
  static func isValid(_ octets: Span<UInt8>) -> Bool {
    var isASCII = true
    for index in octets.indices where octets[index] >= 0x80 { isASCII = false }
    return isASCII || String(validating: ContiguousArray(octets), as: UTF8.self) != nil
  }
}

import CaptureAnalysis
import CaptureFiles
import Octets

/// Writes JSON straight into a report: an object or an array a line, or all on one line where that reads better.
struct JSONWriter {
  private var buffer: ReportBuffer
  private var depth = 0
  private var isFirst = true
  /// How many of the innermost containers are written on one line.
  private var inlineDepth = 0

  init(_ buffer: ReportBuffer) {
    self.buffer = buffer
  }

  /// Ends what is being written, and hands it on.
  mutating func finish() {
    buffer.write(octet: UInt8(ascii: "\n"))
    buffer.flush()
  }

  /// Hands on what has been written so far.
  mutating func flush() {
    buffer.flush()
  }

  // MARK: Containers

  /// Writes an object that is a line of its own.
  mutating func line(_ body: (inout JSONWriter) -> Void) {
    buffer.write(octet: UInt8(ascii: "{"))
    (depth, isFirst, inlineDepth) = (1, true, 1)
    body(&self)
    buffer.write("}\n" as StaticString)
    (depth, isFirst, inlineDepth) = (0, true, 0)
    buffer.flushIfFull()
  }

  mutating func object(_ key: StaticString? = nil, inline: Bool = false, _ body: (inout JSONWriter) -> Void) {
    container(key, "{", "}", inline: inline, body)
  }

  mutating func array(_ key: StaticString? = nil, inline: Bool = false, _ body: (inout JSONWriter) -> Void) {
    container(key, "[", "]", inline: inline, body)
  }

  mutating func array(_ key: StaticString? = nil, of texts: [String], inline: Bool = false) {
    array(key, inline: inline) { json in
      for text in texts { json.value(nil, text) }
    }
  }

  private mutating func container(
    _ key: StaticString?, _ open: Unicode.Scalar, _ close: Unicode.Scalar, inline: Bool,
    _ body: (inout JSONWriter) -> Void
  ) {
    begin(key)
    buffer.write(octet: UInt8(ascii: open))
    depth += 1
    isFirst = true
    if inline || inlineDepth > 0 { inlineDepth += 1 }
    body(&self)
    let wasInline = inlineDepth > 0
    if wasInline { inlineDepth -= 1 }
    depth -= 1
    if !isFirst, !wasInline { newLine() }
    buffer.write(octet: UInt8(ascii: close))
    isFirst = false
    buffer.flushIfFull()
  }

  /// Writes what stands before a value. What most of it is, a key on one line with others, is known when it is compiled.
  @inline(__always)
  private mutating func begin(_ key: StaticString?) {
    guard inlineDepth > 0, let key else { return beginOther(key) }
    buffer.write(key: key, isFollowing: !isFirst)
    isFirst = false
  }

  @inline(never)
  private mutating func beginOther(_ key: StaticString?) {
    let isFollowing = !isFirst
    isFirst = false
    if inlineDepth > 0 {
      if isFollowing { buffer.write(", " as StaticString) }
    } else {
      if isFollowing { buffer.write(octet: UInt8(ascii: ",")) }
      if depth > 0 { newLine() }
      if let key { buffer.write(key: key, isFollowing: false) }
    }
  }

  private mutating func newLine() {
    buffer.write(octet: UInt8(ascii: "\n"))
    for _ in 0..<depth { buffer.write("  " as StaticString) }
  }

  // MARK: Values, which have no key in an array

  @inline(__always)
  mutating func null(_ key: StaticString?) {
    begin(key)
    buffer.write("null" as StaticString)
  }

  @inline(__always)
  mutating func value(_ key: StaticString?, _ value: Bool?) {
    guard let value else { return null(key) }
    begin(key)
    buffer.write(value ? "true" as StaticString : "false" as StaticString)
  }

  @inline(__always)
  mutating func value(_ key: StaticString?, _ value: (some BinaryInteger)?) {
    guard let value else { return null(key) }
    begin(key)
    buffer.write(value)
  }

  @inline(__always)
  mutating func value(_ key: StaticString?, _ value: Double?, decimals: Int) {
    guard let value, value.isFinite else { return null(key) }
    begin(key)
    buffer.write(value, decimals: decimals)
  }

  mutating func value(_ key: StaticString?, _ value: String?) {
    guard let value else { return null(key) }
    begin(key)
    buffer.write(octet: UInt8(ascii: "\""))
    if value.hasOnlyOctets(Self.standsForItself) {
      buffer.write(value)
    } else {
      for scalar in value.unicodeScalars { write(scalar) }
    }
    buffer.write(octet: UInt8(ascii: "\""))
  }

  /// A text of this program's own, which needs no escaping.
  @inline(__always)
  mutating func value(_ key: StaticString, literal text: String?) {
    guard let text else { return null(key) }
    begin(key)
    buffer.write(octet: UInt8(ascii: "\""))
    buffer.write(text)
    buffer.write(octet: UInt8(ascii: "\""))
  }

  @inline(__always)
  mutating func value(_ key: StaticString, hex octets: some Collection<UInt8>) {
    begin(key)
    buffer.write(octet: UInt8(ascii: "\""))
    buffer.writeHex(octets)
    buffer.write(octet: UInt8(ascii: "\""))
  }

  mutating func value(_ key: StaticString?, _ time: Timestamp?) {
    guard let time, time.isTold, let civil = CivilTime(time) else { return null(key) }
    begin(key)
    buffer.write(octet: UInt8(ascii: "\""))
    buffer.write(civil)
    buffer.write(octet: UInt8(ascii: "\""))
  }

  /// Writes an array of numbers, on one line.
  @inline(__always)
  mutating func list<Element>(
    _ key: StaticString, _ elements: some Sequence<Element>, _ write: (inout ReportBuffer, Element) -> Void
  ) {
    begin(key)
    buffer.write(octet: UInt8(ascii: "["))
    var isFollowing = false
    for element in elements {
      if isFollowing { buffer.write(", " as StaticString) }
      isFollowing = true
      write(&buffer, element)
    }
    buffer.write(octet: UInt8(ascii: "]"))
  }

  /// Whether an octet of a text is a character that needs no escaping.
  private static func standsForItself(_ octet: UInt8) -> Bool {
    (0x20...0x7E).contains(octet) && octet != UInt8(ascii: "\"") && octet != UInt8(ascii: "\\")
  }

  /// What a terminal must not see is escaped here too: reports are looked at before they are parsed.
  private mutating func write(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": buffer.write("\\\"" as StaticString)
    case "\\": buffer.write("\\\\" as StaticString)
    case "\n": buffer.write("\\n" as StaticString)
    case "\t": buffer.write("\\t" as StaticString)
    case _ where AirText.isShown(scalar):
      if scalar.isASCII {
        buffer.write(octet: UInt8(truncatingIfNeeded: scalar.value))
      } else {
        for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { buffer.write(octet: unit) }
      }
    default:
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        buffer.write("\\u" as StaticString)
        buffer.writeHex([UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)])
      }
    }
  }
}

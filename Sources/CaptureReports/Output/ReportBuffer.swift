import Octets

/// Where reports are written: a buffer that hands itself on when it is full, so that a report of any length takes
/// little memory, and a line costs little more than its octets.
public struct ReportBuffer {
  /// What is written are the first ones; the others are room.
  private var octets = ContiguousArray<UInt8>()
  private var count = 0
  private let limit: Int
  private let sink: (Span<UInt8>) -> Void

  /// Creates a buffer.
  /// - Parameter sink: Takes what has been written, piece by piece.
  public init(limit: Int = 64 * 1024, sink: @escaping (Span<UInt8>) -> Void) {
    self.limit = limit
    self.sink = sink
  }

  /// Hands on what is there.
  public mutating func flush() {
    guard count > 0 else { return }
    sink(octets.span.extracting(first: count))
    count = 0
  }

  /// Hands on what is there if it is much: called where a report may be interrupted.
  public mutating func flushIfFull() {
    if count >= limit { flush() }
  }

  // MARK: Text

  /// Writes text as it is.
  public mutating func write(_ text: String) {
    if unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe write($0) }) == nil {
      for octet in text.utf8 { write(octet: octet) }
    }
  }

  /// Writes text as it is.
  mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { unsafe write($0) }
  }

  @inline(__always)
  private mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
    guard let source = text.baseAddress else { return }
    let start = takeRoom(text.count)
    // There is room for all of them from there on.
    unsafe octets.withUnsafeMutableBufferPointer { room in
      guard let first = room.baseAddress else { return }
      unsafe (first + start).update(from: source, count: text.count)
    }
  }

  /// Writes a JSON key: all of it at once, since there are many.
  /// - Parameter separator: What stands before its quotation mark.
  mutating func write(separator: StaticString, key: StaticString) {
    let before = separator.utf8CodeUnitCount
    let length = key.utf8CodeUnitCount
    let start = takeRoom(before &+ length &+ 4)
    unsafe octets.withUnsafeMutableBufferPointer { room in
      guard let first = room.baseAddress else { return }
      var next = unsafe first + start
      for place in 0..<before { unsafe next[place] = separator.utf8Start[place] }
      unsafe next += before
      unsafe next[0] = UInt8(ascii: "\"")
      unsafe (next + 1).update(from: key.utf8Start, count: length)
      unsafe next += length &+ 1
      unsafe next[0] = UInt8(ascii: "\"")
      unsafe next[1] = UInt8(ascii: ":")
      unsafe next[2] = UInt8(ascii: " ")
    }
  }

  /// Writes one octet.
  @inline(__always)
  mutating func write(octet: UInt8) {
    octets[takeRoom(1)] = octet
  }

  /// Makes room for the next octets.
  /// - Returns: Where they begin.
  @inline(__always)
  private mutating func takeRoom(_ length: Int) -> Int {
    if octets.count &- count < length { makeRoom(length) }
    defer { count &+= length }
    return count
  }

  @inline(never)
  private mutating func makeRoom(_ length: Int) {
    octets.append(contentsOf: repeatElement(0, count: max(length, octets.count, Self.leastRoom)))
  }

  /// Many buffers take no more than a number.
  private static let leastRoom = 64

  // MARK: Numbers

  /// Writes a number.
  mutating func write(_ number: some BinaryInteger) {
    if number < 0 { write(octet: UInt8(ascii: "-")) }
    writeDigits(UInt64(number.magnitude), atLeast: 1)
  }

  /// Writes a number with leading zeros.
  mutating func write(_ number: some BinaryInteger, digits: Int) {
    writeDigits(UInt64(number.magnitude), atLeast: digits)
  }

  /// Digits from the last to the first, into places made before: dividing by a constant takes a fraction of the time that
  /// dividing by a power of ten does.
  private mutating func writeDigits(_ number: UInt64, atLeast least: Int) {
    if number < 10, least <= 1 { return write(octet: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)) }
    let length = max(least, Self.digits(of: number))
    let start = takeRoom(length)
    var rest = number
    var place = start &+ length
    var written = octets.mutableSpan
    while place > start {
      place &-= 1
      written[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// How many digits a number has; 64 bits hold 20.
  private static func digits(of number: UInt64) -> Int {
    var (digits, next) = (1, UInt64(10))
    while digits < 20, number >= next {
      digits += 1
      next = next &* 10
    }
    return digits
  }

  /// Writes a number with up to six decimals.
  mutating func write(_ number: Double, decimals: Int) {
    guard number.magnitude < 1e15 else { return write(octet: UInt8(ascii: "0")) }
    switch decimals {
    case ...0: write(number, scale: 1, decimals: 0)
    case 1: write(number, scale: 10, decimals: 1)
    case 2: write(number, scale: 100, decimals: 2)
    case 3: write(number, scale: 1000, decimals: 3)
    case 4: write(number, scale: 10_000, decimals: 4)
    case 5: write(number, scale: 100_000, decimals: 5)
    default: write(number, scale: 1_000_000, decimals: 6)
    }
  }

  /// - Parameter scale: 10 to the power of the decimals; a constant, since dividing by any other number takes long.
  @inline(__always)
  private mutating func write(_ number: Double, scale: UInt64, decimals: Int) {
    let scaled = UInt64(number.magnitude * Double(scale) + 0.5)
    if number < 0, scaled > 0 { write(octet: UInt8(ascii: "-")) }
    writeDigits(scaled / scale, atLeast: 1)
    guard decimals > 0 else { return }
    write(octet: UInt8(ascii: "."))
    writeDigits(scaled % scale, atLeast: decimals)
  }

  /// Writes octets in hexadecimal, lower case.
  mutating func writeHex(_ value: some Sequence<UInt8>) {
    for octet in value {
      let start = takeRoom(2)
      var written = octets.mutableSpan
      written[start] = Self.hexDigit(octet >> 4)
      written[start &+ 1] = Self.hexDigit(octet & 15)
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

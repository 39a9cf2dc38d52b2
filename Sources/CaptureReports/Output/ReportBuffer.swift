import Octets

/// Where reports are written: a buffer that hands itself on when it is full, so that a report of any length takes
/// little memory, and a line costs little more than its octets.
public struct ReportBuffer {
  private var octets = ContiguousArray<UInt8>()
  private let limit: Int
  private let sink: (Span<UInt8>) -> Void

  /// Creates a buffer.
  /// - Parameter sink: Takes what has been written, piece by piece.
  public init(limit: Int = 64 * 1024, sink: @escaping (Span<UInt8>) -> Void) {
    self.limit = limit
    self.sink = sink
    octets.reserveCapacity(limit + 4096)
  }

  /// Hands on what is there.
  public mutating func flush() {
    guard !octets.isEmpty else { return }
    sink(octets.span)
    octets.removeAll(keepingCapacity: true)
  }

  /// Hands on what is there if it is much: called where a report may be interrupted.
  public mutating func flushIfFull() {
    if octets.count >= limit { flush() }
  }

  /// Writes text as it is.
  public mutating func write(_ text: String) {
    octets.append(contentsOf: text.utf8)
  }

  /// Writes text as it is.
  mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { unsafe octets.append(contentsOf: $0) }
  }

  /// Writes one octet.
  mutating func write(octet: UInt8) {
    octets.append(octet)
  }

  /// Writes a number.
  mutating func write(_ number: some BinaryInteger) {
    if number < 0 { octets.append(UInt8(ascii: "-")) }
    writeDigits(UInt64(number.magnitude), atLeast: 1)
  }

  /// Writes a number with leading zeros.
  mutating func write(_ number: some BinaryInteger, digits: Int) {
    writeDigits(UInt64(number.magnitude), atLeast: digits)
  }

  /// Digits from the last to the first, into places made before: dividing by a constant takes a fraction of the time that
  /// dividing by a power of ten does.
  private mutating func writeDigits(_ number: UInt64, atLeast least: Int) {
    var digits = least
    while digits < Self.powersOfTen.count, number >= Self.powersOfTen[digits] { digits += 1 }
    octets.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
    var rest = number
    var place = octets.count
    var written = octets.mutableSpan
    while rest > 0 {
      place -= 1
      written[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Writes a number with decimals.
  mutating func write(_ number: Double, decimals: Int) {
    guard number.magnitude < 1e15 else { return write(octet: UInt8(ascii: "0")) }
    let scale = Self.powersOfTen[min(decimals, 6)]
    let scaled = UInt64(number.magnitude * Double(scale) + 0.5)
    if number < 0, scaled > 0 { octets.append(UInt8(ascii: "-")) }
    writeDigits(scaled / scale, atLeast: 1)
    guard decimals > 0 else { return }
    octets.append(UInt8(ascii: "."))
    writeDigits(scaled % scale, atLeast: decimals)
  }

  /// From 1 to the largest that 64 bits hold; there are 20.
  private static let powersOfTen: [UInt64] = (0..<20).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  /// Writes octets in hexadecimal, lower case.
  mutating func writeHex(_ value: some Sequence<UInt8>) {
    for octet in value {
      octets.append(Self.hexDigit(octet >> 4))
      octets.append(Self.hexDigit(octet & 15))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

import Octets

/// Where reports are written: a buffer that hands itself on when it is full, so that a report of any length takes
/// little memory, and a line costs little more than its octets. A copy of it writes into the same report.
public struct ReportBuffer {
  private let room = Room()
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
    guard room.count > 0 else { return }
    let written = unsafe UnsafeBufferPointer(start: room.octets, count: room.count)
    unsafe sink(written.span)
    room.count = 0
  }

  /// Hands on what is there if it is much: called where a report may be interrupted.
  public mutating func flushIfFull() {
    if room.count >= limit { flush() }
  }

  // MARK: What has just been written

  /// Where what is written next will stand; it holds until what is there is handed on.
  var position: Int { room.count }

  /// Puts spaces around what was written from a position on, so that it takes so many columns. It must be plain ASCII.
  mutating func align(from position: Int, to width: Int, isRight: Bool) {
    let length = room.count &- position
    guard length < width else { return }
    let padding = width &- length
    unsafe room.take(padding).update(repeating: UInt8(ascii: " "), count: padding)
    guard isRight else { return }
    let first = unsafe room.octets + position
    unsafe (first + padding).update(from: first, count: length)
    unsafe first.update(repeating: UInt8(ascii: " "), count: padding)
  }

  /// Takes back what was written from a position on.
  @discardableResult
  mutating func takeBack(from position: Int) -> String {
    let written = unsafe UnsafeBufferPointer(start: room.octets + position, count: room.count &- position)
    room.count = position
    return unsafe String(decoding: written, as: UTF8.self)
  }

  /// What is written, as text.
  static func text(_ write: (inout ReportBuffer) -> Void) -> String {
    var buffer = ReportBuffer { _ in }
    write(&buffer)
    return buffer.takeBack(from: 0)
  }

  // MARK: Text

  /// Writes text as it is.
  public mutating func write(_ text: String) {
    if unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe write($0) }) == nil {
      for octet in text.utf8 { write(octet: octet) }
    }
  }

  /// Writes text as it is.
  @inline(__always)
  mutating func write(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    unsafe room.take(count).copy(text.utf8Start, count)
  }

  @inline(__always)
  private mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
    guard let source = text.baseAddress else { return }
    unsafe room.take(text.count).copy(source, text.count)
  }

  /// Writes a JSON key: all of it at once, since there are many.
  /// - Parameter isFollowing: Whether a comma and a space stand before its quotation mark.
  @inline(__always)
  mutating func write(key: StaticString, isFollowing: Bool) {
    let length = key.utf8CodeUnitCount
    var next = unsafe room.take(length &+ (isFollowing ? 6 : 4))
    if isFollowing {
      unsafe next[0] = UInt8(ascii: ",")
      unsafe next[1] = UInt8(ascii: " ")
      unsafe next += 2
    }
    unsafe next[0] = UInt8(ascii: "\"")
    unsafe (next + 1).copy(key.utf8Start, length)
    unsafe next += length &+ 1
    unsafe next[0] = UInt8(ascii: "\"")
    unsafe next[1] = UInt8(ascii: ":")
    unsafe next[2] = UInt8(ascii: " ")
  }

  /// Writes one octet.
  @inline(__always)
  mutating func write(octet: UInt8) {
    unsafe room.take(1)[0] = octet
  }

  // MARK: Numbers

  /// Writes a number.
  @inline(__always)
  mutating func write(_ number: some BinaryInteger) {
    if number < 0 { write(octet: UInt8(ascii: "-")) }
    writeDigits(UInt64(number.magnitude), atLeast: 1)
  }

  /// Writes a number with leading zeros.
  @inline(__always)
  mutating func write(_ number: some BinaryInteger, digits: Int) {
    writeDigits(UInt64(number.magnitude), atLeast: digits)
  }

  @inline(__always)
  private mutating func writeDigits(_ number: UInt64, atLeast least: Int) {
    // Most numbers there are.
    guard number < 1000, least <= 1 else { return writeManyDigits(number, atLeast: least) }
    if number < 10 { return write(digit: number) }
    if number >= 100 { write(digit: number / 100) }
    unsafe room.take(2).write(pair: UInt(number % 100))
  }

  /// Digits from the last to the first, into places made before: dividing by a constant takes a fraction of the time that
  /// dividing by a power of ten does, and by a hundred half as often as by ten.
  @inline(never)
  private mutating func writeManyDigits(_ number: UInt64, atLeast least: Int) {
    let length = max(least, Self.digits(of: number))
    let first = unsafe room.take(length)
    var (rest, place) = (number, length)
    while place >= 2 {
      place &-= 2
      unsafe (first + place).write(pair: UInt(rest % 100))
      rest /= 100
    }
    if place == 1 { unsafe first[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest) }
  }

  @inline(__always)
  private mutating func write(digit: UInt64) {
    write(octet: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit))
  }

  /// Writes the last digits of a number, and what stands behind them.
  /// - Parameter pairs: For each of them two digits are written.
  @inline(__always)
  mutating func write(_ number: Int, pairs: Int, _ behind: Unicode.Scalar) {
    let next = unsafe room.take(2 &* pairs &+ 1)
    var (rest, place) = (number.magnitude, 2 &* pairs)
    unsafe next[place] = UInt8(truncatingIfNeeded: behind.value)
    while place > 0 {
      place &-= 2
      unsafe (next + place).write(pair: rest % 100)
      rest /= 100
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
    let rounded = number.magnitude * Double(scale) + 0.5
    // Nothing that is measured is so large; nor is what is no number.
    guard rounded < 0x1p63 else { return write(octet: UInt8(ascii: "0")) }
    let scaled = UInt64(rounded)
    if number < 0, scaled > 0 { write(octet: UInt8(ascii: "-")) }
    writeDigits(scaled / scale, atLeast: 1)
    guard decimals > 0 else { return }
    write(octet: UInt8(ascii: "."))
    writeDigits(scaled % scale, atLeast: decimals)
  }

  /// Writes octets in hexadecimal, lower case.
  mutating func writeHex(_ octets: some Collection<UInt8>) {
    var next = unsafe room.take(octets.count &* 2)
    for octet in octets {
      unsafe next.write(hex: octet)
      unsafe next += 2
    }
  }

  /// Writes octets in hexadecimal, lower case, with spaces between them.
  mutating func writeSpacedHex(_ octets: some Collection<UInt8>) {
    var next = unsafe room.take(max(0, octets.count &* 3 &- 1))
    for (place, octet) in octets.enumerated() {
      if place > 0 {
        unsafe next[0] = UInt8(ascii: " ")
        unsafe next += 1
      }
      unsafe next.write(hex: octet)
      unsafe next += 2
    }
  }
}

extension UnsafeMutablePointer<UInt8> {
  /// Writes the two digits of a number below 100.
  @inline(__always)
  fileprivate func write(pair number: UInt) {
    let pair = Int(min(number, 99)) &* 2
    unsafe self[0] = Self.pairs.utf8Start[pair]
    unsafe self[1] = Self.pairs.utf8Start[pair &+ 1]
  }

  /// Writes the two digits of an octet.
  @inline(__always)
  fileprivate func write(hex octet: UInt8) {
    unsafe self[0] = Self.hexDigit(octet >> 4)
    unsafe self[1] = Self.hexDigit(octet & 15)
  }

  /// Computed, not looked up: so many octets are written at once.
  @inline(__always)
  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
  }

  /// The numbers from 0 to 99.
  private static var pairs: StaticString {
    """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585\
    960616263646566676869707172737475767778798081828384858687888990919293949596979899
    """
  }

  /// Copies octets here. Most texts are a few octets, which a call would take longer for than two moves that may overlap.
  @inline(__always)
  fileprivate func copy(_ source: UnsafePointer<UInt8>, _ count: Int) {
    switch count {
    case 8...16:
      unsafe move(source, UInt64.self, at: 0)
      unsafe move(source, UInt64.self, at: count &- 8)
    case 4..<8:
      unsafe move(source, UInt32.self, at: 0)
      unsafe move(source, UInt32.self, at: count &- 4)
    case 2..<4:
      unsafe move(source, UInt16.self, at: 0)
      unsafe move(source, UInt16.self, at: count &- 2)
    default: unsafe update(from: source, count: count)
    }
  }

  @inline(__always)
  private func move<Word: FixedWidthInteger & BitwiseCopyable>(
    _ source: UnsafePointer<UInt8>, _ type: Word.Type, at place: Int
  ) {
    let word = unsafe UnsafeRawPointer(source).loadUnaligned(fromByteOffset: place, as: type)
    unsafe UnsafeMutableRawPointer(self).storeBytes(of: word, toByteOffset: place, as: type)
  }
}

extension String {
  /// Whether all octets of its UTF-8 are so. Its own span, which would tell as well, exists from macOS 26 on.
  @inline(__always)
  func hasOnlyOctets(_ isSo: (UInt8) -> Bool) -> Bool {
    unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.allSatisfy(isSo) } ?? utf8.allSatisfy(isSo)
  }
}

/// The memory of a report. Its pointer never leaves this file.
@safe private final class Room {
  /// What is written are the first ones; the others are room.
  var octets = UnsafeMutablePointer<UInt8>.allocate(capacity: Room.least)
  var count = 0
  private var capacity = Room.least

  /// Many buffers take no more than a number.
  private static let least = 64

  /// Makes room for the next octets, which are to be written.
  /// - Returns: Where they begin.
  @inline(__always)
  func take(_ length: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity &- count < length { grow(by: length) }
    defer { count &+= length }
    return unsafe octets + count
  }

  @inline(never)
  private func grow(by length: Int) {
    let larger = max(capacity * 2, count + length)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe grown.update(from: octets, count: count)
    unsafe octets.deallocate()
    unsafe octets = grown
    capacity = larger
  }

  deinit { unsafe octets.deallocate() }
}

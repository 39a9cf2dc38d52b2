/// The order of the octets of a number that is longer than one.
@frozen public enum OctetOrder: Hashable, Sendable {
  /// The least significant octet first, as everything on the air.
  case little
  /// The most significant octet first.
  case big
}

/// A cursor over borrowed octets. Reading never traps: what is not there is a `ParsingError`.
///
/// The reader knows what it reads (`layer`), so that an error can say it wherever it surfaces.
@frozen public struct OctetReader: ~Escapable, BitwiseCopyable {
  /// All octets of this reader, those already read too.
  public let span: Span<UInt8>
  /// The index in `span` of the next octet to be read.
  @usableFromInline var index: Int
  /// Where `span` begins, in octets from the start of the input as a whole.
  public let origin: Int
  /// What is being read, for errors.
  public let layer: StaticString

  /// Creates a reader at the first of `span`.
  /// - Parameters:
  ///   - span: The octets.
  ///   - layer: What they are, in the words of its specification: "Heart Rate Measurement".
  ///   - origin: Where they begin, in octets from the start of the input as a whole.
  @inlinable @_lifetime(copy span)
  public init(_ span: Span<UInt8>, layer: StaticString, origin: Int = 0) {
    self.span = span
    self.index = 0
    self.origin = origin
    self.layer = layer
  }

  /// How many octets are left.
  @inlinable public var count: Int { span.count &- index }

  /// Whether nothing is left.
  @inlinable public var isAtEnd: Bool { index == span.count }

  /// How many octets have been read.
  @inlinable public var consumed: Int { index }

  /// Where the next octet stands, in octets from the start of the input. What is greater than any `Int` wraps around.
  @inlinable public var offset: Int { origin &+ index }
}

// MARK: - Reading

extension OctetReader {
  /// Reads an integer of any width.
  /// - Throws: `ParsingError` if fewer octets are left; the reader then stays where it was.
  @inlinable @inline(__always) @_lifetime(self: copy self)
  public mutating func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type, _ field: StaticString, _ order: OctetOrder = .little
  ) throws(ParsingError) -> Integer {
    let size = MemoryLayout<Integer>.size
    guard size <= count else { throw tooShort(field, needs: size) }
    // The check above keeps the load within the span.
    let value = unsafe span.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: type)
    index &+= size
    return order == .little ? Integer(littleEndian: value) : Integer(bigEndian: value)
  }

  /// Reads one octet.
  /// - Throws: `ParsingError` if none is left.
  @inlinable @inline(__always) @_lifetime(self: copy self)
  public mutating func uint8(_ field: StaticString) throws(ParsingError) -> UInt8 {
    try integer(UInt8.self, field)
  }

  /// Reads a 16-bit unsigned integer.
  /// - Throws: `ParsingError` if fewer octets are left; the reader then stays where it was.
  @inlinable @inline(__always) @_lifetime(self: copy self)
  public mutating func uint16(
    _ field: StaticString, _ order: OctetOrder = .little
  ) throws(ParsingError) -> UInt16 {
    try integer(UInt16.self, field, order)
  }

  /// Reads a 32-bit unsigned integer.
  /// - Throws: `ParsingError` if fewer octets are left; the reader then stays where it was.
  @inlinable @inline(__always) @_lifetime(self: copy self)
  public mutating func uint32(
    _ field: StaticString, _ order: OctetOrder = .little
  ) throws(ParsingError) -> UInt32 {
    try integer(UInt32.self, field, order)
  }

  /// Reads a 64-bit unsigned integer.
  /// - Throws: `ParsingError` if fewer octets are left; the reader then stays where it was.
  @inlinable @inline(__always) @_lifetime(self: copy self)
  public mutating func uint64(
    _ field: StaticString, _ order: OctetOrder = .little
  ) throws(ParsingError) -> UInt64 {
    try integer(UInt64.self, field, order)
  }

  /// Takes the next `count` octets as they are.
  /// - Throws: `ParsingError` if fewer are left; the reader then stays where it was.
  @inlinable @_lifetime(copy self) @_lifetime(self: copy self)
  public mutating func octets(_ count: Int, _ field: StaticString) throws(ParsingError) -> Span<UInt8> {
    guard count >= 0, count <= self.count else { throw tooShort(field, needs: count) }
    let taken = span.extracting(index..<(index &+ count))
    index &+= count
    return taken
  }

  /// Takes all octets that are left.
  @inlinable @_lifetime(copy self) @_lifetime(self: copy self)
  public mutating func rest() -> Span<UInt8> {
    let taken = span.extracting(index..<span.count)
    index = span.count
    return taken
  }

  /// Takes at most `count` octets: fewer where fewer are left.
  @inlinable @_lifetime(copy self) @_lifetime(self: copy self)
  public mutating func prefix(_ count: Int) -> Span<UInt8> {
    let end = index &+ min(max(count, 0), self.count)
    let taken = span.extracting(index..<end)
    index = end
    return taken
  }

  /// Passes over `count` octets.
  /// - Throws: `ParsingError` if fewer are left; the reader then stays where it was.
  @inlinable @_lifetime(self: copy self)
  public mutating func skip(_ count: Int, _ field: StaticString) throws(ParsingError) {
    guard count >= 0, count <= self.count else { throw tooShort(field, needs: count) }
    index &+= count
  }

  /// Passes over octets as far as there are any, and tells how many it passed.
  @inlinable @discardableResult @_lifetime(self: copy self)
  public mutating func skip(upTo count: Int) -> Int {
    let step = min(max(count, 0), self.count)
    index &+= step
    return step
  }

  /// Goes back to a place that was read before.
  @inlinable @_lifetime(self: copy self)
  public mutating func rewind(to consumed: Int) {
    if consumed >= 0, consumed <= index { index = consumed }
  }
}

// MARK: - Errors

extension OctetReader {
  /// The error of a field that needs more octets than are left.
  @inline(never)
  public func tooShort(_ field: StaticString, needs needed: Int) -> ParsingError {
    error(field, .tooShort(needed: needed, available: count))
  }

  /// The error of a field that holds what it must not, at this place.
  @inline(never)
  public func invalid(_ field: StaticString, _ what: String) -> ParsingError {
    error(field, .invalid(what))
  }

  /// Makes sure that nothing is left over behind `field`, the last one.
  /// - Throws: `ParsingError` if octets are left.
  @inlinable
  public func expectEnd(after field: StaticString) throws(ParsingError) {
    guard isAtEnd else { throw leftOver(field) }
  }

  @inline(never) @usableFromInline
  func leftOver(_ field: StaticString) -> ParsingError { error(field, .leftOver(count: count)) }

  private func error(_ field: StaticString, _ problem: ParsingError.Problem) -> ParsingError {
    ParsingError(layer: layer.description, field: field.description, problem: problem, offset: offset)
  }
}

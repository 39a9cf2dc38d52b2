/// Some octets among others: one check that they are there, then plain loads.
///
/// `OctetReader` asks for every field whether it is there, which is right for what strangers sent. What is read millions
/// of times, a header whose fields stand at fixed places, is either there as a whole or not at all.
@frozen public struct OctetWindow: ~Escapable, BitwiseCopyable {
  @usableFromInline let span: Span<UInt8>
  @usableFromInline let start: Int
  /// How many octets there are.
  public let count: Int

  /// The first `count` octets behind `index`; nil if there are fewer.
  @inlinable @inline(__always) @_lifetime(copy octets)
  public init?(_ octets: Span<UInt8>, at index: Int = 0, count: Int) {
    guard Self.lies(index, count, within: octets.count) else { return nil }
    span = octets
    start = index
    self.count = count
  }

  /// Whether so many octets from an index on lie within others. What is negative is huge without its sign.
  @inlinable @inline(__always)
  static func lies(_ index: Int, _ count: Int, within whole: Int) -> Bool {
    UInt(bitPattern: index) <= UInt(bitPattern: whole)
      && UInt(bitPattern: count) <= UInt(bitPattern: whole &- index)
  }

  /// All octets of a span.
  @inlinable @inline(__always) @_lifetime(copy octets)
  public init(_ octets: Span<UInt8>) {
    span = octets
    start = 0
    count = octets.count
  }

  /// The octets themselves.
  @inlinable public var octets: Span<UInt8> {
    // The initializer has found the range within the span.
    @_lifetime(copy self) get {
      unsafe span.extracting(unchecked: Range(uncheckedBounds: (start, start &+ count)))
    }
  }

  /// `count` octets of others, from an index on; nil if they are not all there.
  @inlinable @inline(__always) @_lifetime(copy fields)
  public init?(_ fields: OctetWindow, at index: Int, count: Int) {
    guard Self.lies(index, count, within: fields.count) else { return nil }
    self.init(fields.span, unchecked: fields.start &+ index, count: count)
  }

  /// `count` octets from an index on.
  /// - Precondition: They are all there.
  @inlinable @inline(__always) @_lifetime(copy self)
  public func octets(at index: Int, count: Int) -> Span<UInt8> {
    precondition(Self.lies(index, count, within: self.count))
    let first = start &+ index
    return unsafe span.extracting(unchecked: Range(uncheckedBounds: (first, first &+ count)))
  }

  /// What is behind the first `count` octets; nothing if there are fewer.
  @inlinable @inline(__always) @_lifetime(copy self)
  public func dropping(_ count: Int) -> OctetWindow {
    let gone = Swift.min(Swift.max(count, 0), self.count)
    return OctetWindow(span, unchecked: start &+ gone, count: self.count &- gone)
  }

  /// The first `count` octets; all if there are fewer.
  @inlinable @inline(__always) @_lifetime(copy self)
  public func prefix(_ count: Int) -> OctetWindow {
    OctetWindow(span, unchecked: start, count: Swift.min(Swift.max(count, 0), self.count))
  }

  @inlinable @inline(__always) @_lifetime(copy octets)
  init(_ octets: Span<UInt8>, unchecked start: Int, count: Int) {
    span = octets
    self.start = start
    self.count = count
  }

  /// The number at a place.
  /// - Precondition: All its octets lie within the octets.
  @inlinable @inline(__always)
  public func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type, at index: Int, _ order: OctetOrder = .little
  ) -> Integer {
    precondition(index >= 0 && index <= count &- MemoryLayout<Integer>.size)
    // The check above keeps the load within the octets, and the initializer those within the span.
    let value = unsafe span.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start &+ index, as: type)
    return order == .little ? Integer(littleEndian: value) : Integer(bigEndian: value)
  }

  /// The octet at a place.
  /// - Precondition: The place lies within the octets.
  @inlinable @inline(__always)
  public func uint8(at index: Int) -> UInt8 { integer(UInt8.self, at: index) }

  /// The 16-bit number at a place.
  /// - Precondition: Both its octets lie within the octets.
  @inlinable @inline(__always)
  public func uint16(at index: Int, _ order: OctetOrder = .little) -> UInt16 {
    integer(UInt16.self, at: index, order)
  }

  /// The 32-bit number at a place.
  /// - Precondition: All its octets lie within the octets.
  @inlinable @inline(__always)
  public func uint32(at index: Int, _ order: OctetOrder = .little) -> UInt32 {
    integer(UInt32.self, at: index, order)
  }

  /// The 64-bit number at a place.
  /// - Precondition: All its octets lie within the octets.
  @inlinable @inline(__always)
  public func uint64(at index: Int, _ order: OctetOrder = .little) -> UInt64 {
    integer(UInt64.self, at: index, order)
  }

  /// Up to eight octets from a place on, the first in the lowest bits; zeros where there are fewer, or none.
  ///
  /// How many there are is often anybody's guess, so of fewer than eight, pairs are loaded that overlap as far as need be.
  /// - Precondition: The place is not negative.
  @inlinable @inline(__always)
  public func word(at index: Int) -> UInt64 {
    let left = count &- index
    if left >= 8 { return uint64(at: index) }
    guard left >= 2 else { return left == 1 ? UInt64(uint8(at: index)) : 0 }
    func pair(_ place: Int) -> UInt64 {
      let place = Swift.min(place, left &- 2)
      return UInt64(uint16(at: index &+ place)) &<< (8 &* UInt64(truncatingIfNeeded: place))
    }
    return pair(0) | pair(2) | pair(4) | pair(5)
  }
}

/// A header whose fields stand at fixed places: one check of its length, then plain loads.
///
/// `OctetReader` asks for every field whether it is there, which is right for what strangers sent. A header that is
/// read millions of times is either there as a whole or not at all.
@frozen public struct FixedFields: ~Escapable, BitwiseCopyable {
  @usableFromInline let span: Span<UInt8>
  @usableFromInline let start: Int
  /// How many octets there are.
  public let count: Int

  /// The first `count` octets behind `index`; nil if there are fewer.
  @inlinable @inline(__always) @_lifetime(copy octets)
  public init?(_ octets: Span<UInt8>, at index: Int = 0, count: Int) {
    guard index >= 0, count >= 0, index <= octets.count, octets.count &- index >= count else { return nil }
    span = octets
    start = index
    self.count = count
  }

  /// The octets themselves.
  @inlinable public var octets: Span<UInt8> {
    // The initializer has found the range within the span.
    @_lifetime(copy self) get { unsafe span.extracting(unchecked: start..<(start &+ count)) }
  }

  /// The number at a place.
  /// - Precondition: The place lies within the octets.
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
  @inlinable @inline(__always)
  public func uint8(at index: Int) -> UInt8 { integer(UInt8.self, at: index) }

  /// The 16-bit number at a place.
  @inlinable @inline(__always)
  public func uint16(at index: Int, _ order: OctetOrder = .little) -> UInt16 {
    integer(UInt16.self, at: index, order)
  }

  /// The 32-bit number at a place.
  @inlinable @inline(__always)
  public func uint32(at index: Int, _ order: OctetOrder = .little) -> UInt32 {
    integer(UInt32.self, at: index, order)
  }

  /// The 64-bit number at a place.
  @inlinable @inline(__always)
  public func uint64(at index: Int, _ order: OctetOrder = .little) -> UInt64 {
    integer(UInt64.self, at: index, order)
  }
}

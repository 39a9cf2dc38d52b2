/// A header whose fields stand at fixed places: one check of its length, then plain loads.
///
/// `OctetReader` asks for every field whether it is there, which is right for what strangers sent. A header that is
/// read millions of times is either there as a whole or not at all.
@frozen public struct FixedFields: ~Escapable, BitwiseCopyable {
  @usableFromInline let octets: Span<UInt8>

  /// The first `count` octets behind `index`; nil if there are fewer.
  @inlinable @inline(__always) @_lifetime(copy octets)
  public init?(_ octets: Span<UInt8>, at index: Int = 0, count: Int) {
    guard index >= 0, count >= 0, index <= octets.count, octets.count &- index >= count else { return nil }
    self.octets = octets.extracting(index..<(index &+ count))
  }

  /// The number at a place.
  /// - Precondition: The place lies within the octets.
  @inlinable @inline(__always)
  public func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type, at index: Int, _ order: OctetOrder = .little
  ) -> Integer {
    precondition(index >= 0 && index <= octets.count &- MemoryLayout<Integer>.size)
    // The check above keeps the load within the octets.
    let value = unsafe octets.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: type)
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

public import Octets

/// Octets of a packet as far as the capture kept them: a prefix, and how many there were when they were sent.
@frozen public struct CapturedOctets: ~Escapable, BitwiseCopyable {
  /// What was kept.
  public let octets: Span<UInt8>
  /// How many octets were sent; never fewer than were kept.
  public let length: Int
  /// Where the octets begin in the capture, for errors.
  public let origin: Int

  /// Creates octets of which `length` were sent.
  @inlinable @_lifetime(copy octets)
  public init(_ octets: Span<UInt8>, length: Int, origin: Int) {
    self.octets = octets.count <= length ? octets : octets.extracting(0..<max(length, 0))
    self.length = max(length, 0)
    self.origin = origin
  }

  /// Whether the capture kept fewer octets than were sent.
  @inlinable public var isCut: Bool { octets.count < length }

  /// A reader at the first octet.
  @inlinable @_lifetime(copy self)
  public func reader(_ layer: StaticString) -> OctetReader {
    OctetReader(octets, layer: layer, origin: origin)
  }

  /// What is behind the first `count` octets.
  @inlinable @_lifetime(copy self)
  public func dropping(_ count: Int) -> CapturedOctets {
    let gone = min(count, octets.count)
    return CapturedOctets(
      octets.extracting(gone..<octets.count), length: length - min(count, length), origin: origin + gone)
  }
}

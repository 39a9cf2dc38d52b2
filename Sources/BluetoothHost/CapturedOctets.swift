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
  @inlinable @inline(__always) @_lifetime(copy octets)
  public init(_ octets: Span<UInt8>, length: Int, origin: Int) {
    self.octets = octets.count <= length ? octets : octets.extracting(first: max(length, 0))
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
  @inlinable @inline(__always) @_lifetime(copy self)
  public func dropping(_ count: Int) -> CapturedOctets {
    content(behind: count, length: length &- min(count, length))
  }
}

// MARK: - Headers of fixed layout

extension CapturedOctets {
  /// The first `count` octets; nil if they are not all there.
  @inlinable @inline(__always) @_lifetime(copy self)
  func header(_ count: Int) -> OctetWindow? { OctetWindow(octets, count: count) }

  /// What is behind a header that tells how many octets follow it.
  @inlinable @inline(__always) @_lifetime(copy self)
  func content(behind count: Int, length: Int) -> CapturedOctets {
    let gone = min(count, octets.count)
    return CapturedOctets(octets.extracting(droppingFirst: gone), length: length, origin: origin &+ gone)
  }

  /// The error of a header that is not all there: its first field that is missing.
  @inline(never) @usableFromInline
  func tooShort(_ layer: StaticString, _ fields: KeyValuePairs<StaticString, Int>) -> ParsingError {
    var reader = reader(layer)
    for (field, size) in fields.dropLast() where (try? reader.skip(size, field)) == nil {
      return reader.tooShort(field, needs: size)
    }
    return reader.tooShort(fields[fields.count - 1].key, needs: fields[fields.count - 1].value)
  }
}

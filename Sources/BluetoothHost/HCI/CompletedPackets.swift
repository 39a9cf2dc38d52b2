public import Octets

/// The packets to each connection that the controller has sent, or flushed, since it said so last.
///
///     +-------------+----------------------+----------+--------
///     | Num_Handles | Connection_Handle[0] | count[0] | …
///     | 1           | 2                    | 2        |
///     +-------------+----------------------+----------+--------
///
/// Core 6.0, Vol 4, Part E, 7.7.19.
@frozen public struct CompletedPackets: ~Escapable, BitwiseCopyable {
  @usableFromInline let octets: OctetWindow
  @usableFromInline var index = 1
  @usableFromInline var left: UInt8

  /// The counts of a Number Of Completed Packets event; nil if not even their number is there.
  @inlinable @inline(__always) @_lifetime(copy parameters)
  public init?(parsing parameters: Span<UInt8>) {
    octets = OctetWindow(parameters)
    guard octets.count > 0 else { return nil }
    left = octets.uint8(at: 0)
  }

  /// The next connection's count; nil at the end, or where it is not all there.
  @inlinable @inline(__always) @_lifetime(self: copy self)
  public mutating func next() -> (connectionHandle: UInt16, count: UInt16)? {
    guard left > 0, index &+ 4 <= octets.count else { return nil }
    defer {
      left &-= 1
      index &+= 4
    }
    return (octets.uint16(at: index).connectionHandle, octets.uint16(at: index &+ 2))
  }
}

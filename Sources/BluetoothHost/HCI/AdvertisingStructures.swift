public import Octets

/// The structures of advertising data: length, type, data.
///
/// Core 6.0, Vol 3, Part C, 11.
@frozen public struct AdvertisingStructures: ~Escapable, BitwiseCopyable {
  @usableFromInline let data: OctetWindow
  /// Where the next structure begins.
  @usableFromInline var index = 0

  /// The structures in advertising data, scan response data or an extended inquiry response.
  @inlinable @inline(__always) @_lifetime(copy data)
  public init(_ data: OctetWindow) {
    self.data = data
  }

  /// The next structure's type and data; nil at the end, which a length of 0 marks too.
  @inlinable @inline(__always) @_lifetime(copy self) @_lifetime(self: copy self)
  public mutating func next() -> AdvertisingStructure? {
    guard let header = OctetWindow(data, at: index, count: 2), header.uint8(at: 0) > 0,
      let content = OctetWindow(data, at: index &+ 2, count: Int(header.uint8(at: 0)) &- 1)
    else { return nil }
    index &+= 1 &+ Int(header.uint8(at: 0))
    return AdvertisingStructure(type: AdvertisingDataType(rawValue: header.uint8(at: 1)), data: content)
  }
}

/// One structure of advertising data.
@frozen public struct AdvertisingStructure: ~Escapable, BitwiseCopyable {
  /// What the data are.
  public let type: AdvertisingDataType
  /// The data.
  public let data: OctetWindow

  @inlinable @inline(__always) @_lifetime(copy data)
  init(type: AdvertisingDataType, data: OctetWindow) {
    self.type = type
    self.data = data
  }
}

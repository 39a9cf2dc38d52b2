/// What a structure of advertising data holds. Assigned Numbers, 2.3.
@frozen public struct AdvertisingDataType: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  /// The number as sent.
  public let rawValue: UInt8

  /// A type, known or not.
  @inlinable public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Some of the 16-bit service UUIDs.
  @inlinable public static var incompleteServices16: AdvertisingDataType { AdvertisingDataType(rawValue: 0x02) }
  /// All 16-bit service UUIDs.
  @inlinable public static var completeServices16: AdvertisingDataType { AdvertisingDataType(rawValue: 0x03) }
  /// Some of its service UUIDs of 32 bits.
  @inlinable public static var incompleteServices32: AdvertisingDataType { AdvertisingDataType(rawValue: 0x04) }
  /// All its service UUIDs of 32 bits.
  @inlinable public static var completeServices32: AdvertisingDataType { AdvertisingDataType(rawValue: 0x05) }
  /// Some of its service UUIDs of 128 bits.
  @inlinable public static var incompleteServices128: AdvertisingDataType { AdvertisingDataType(rawValue: 0x06) }
  /// All its service UUIDs of 128 bits.
  @inlinable public static var completeServices128: AdvertisingDataType { AdvertisingDataType(rawValue: 0x07) }
  /// The name, shortened.
  @inlinable public static var shortenedLocalName: AdvertisingDataType { AdvertisingDataType(rawValue: 0x08) }
  /// The whole name.
  @inlinable public static var completeLocalName: AdvertisingDataType { AdvertisingDataType(rawValue: 0x09) }
  /// A company identifier and what that company puts behind it.
  @inlinable public static var manufacturerSpecificData: AdvertisingDataType { AdvertisingDataType(rawValue: 0xFF) }

  /// Whether it is a name or a list of services: all types from the first of these to the last are.
  @inlinable @inline(__always) var isNameOrServices: Bool {
    let first = Self.incompleteServices16.rawValue
    return rawValue &- first <= Self.completeLocalName.rawValue &- first
  }

  /// How many octets each UUID has in a list of services; nil for anything else.
  @inlinable public var serviceLength: Int? {
    switch self {
    case .incompleteServices16, .completeServices16: 2
    case .incompleteServices32, .completeServices32: 4
    case .incompleteServices128, .completeServices128: 16
    default: nil
    }
  }
}

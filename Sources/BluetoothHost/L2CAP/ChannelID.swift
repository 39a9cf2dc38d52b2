/// A channel's number at one end of a link.
///
/// Core 6.0, Vol 3, Part A, 2.1.
@frozen public struct ChannelID: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  /// The number as sent.
  public let rawValue: UInt16

  /// A channel, fixed or not.
  @inlinable public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// BR/EDR signalling.
  @inlinable public static var signalling: ChannelID { ChannelID(rawValue: 0x0001) }
  /// The unenhanced ATT bearer of a Low Energy link.
  @inlinable public static var att: ChannelID { ChannelID(rawValue: 0x0004) }
  /// Low Energy signalling.
  @inlinable public static var leSignalling: ChannelID { ChannelID(rawValue: 0x0005) }
  /// Low Energy pairing.
  @inlinable public static var securityManager: ChannelID { ChannelID(rawValue: 0x0006) }
  /// BR/EDR pairing, over which keys for Low Energy are told, too.
  @inlinable public static var classicSecurityManager: ChannelID { ChannelID(rawValue: 0x0007) }

  /// Whether the channel was agreed upon rather than always there.
  @inlinable public var isDynamic: Bool { rawValue >= 0x0040 }

  /// Whether a fixed channel is one of Low Energy links; nil if it is not known to be of one kind only. 2.1.
  public var isLowEnergy: Bool? {
    switch self {
    case .signalling, .classicSecurityManager: false
    case .att, .leSignalling, .securityManager: true
    default: nil
    }
  }
}

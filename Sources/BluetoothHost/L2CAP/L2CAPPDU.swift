public import Octets

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

/// A whole L2CAP PDU.
///
///     +----------------+----------------+-----------
///     | length (u16)   | channel (u16)  | payload …
///     +----------------+----------------+-----------
///
/// Core 6.0, Vol 3, Part A, 3.1.
@frozen public struct L2CAPPDU: ~Escapable, BitwiseCopyable {
  @inlinable static var headerLength: Int { 4 }

  /// The channel, by the receiver's number for it.
  public let channel: ChannelID
  /// What it carries.
  public let payload: CapturedOctets

  /// Reads the header.
  /// - Throws: `ParsingError` if it is not all there.
  @inlinable @inline(__always) @_lifetime(copy pdu)
  public init(parsing pdu: CapturedOctets) throws(ParsingError) {
    guard let header = pdu.header(Self.headerLength) else {
      throw pdu.tooShort("L2CAP", ["PDU Length": 2, "Channel ID": 2])
    }
    channel = ChannelID(rawValue: header.uint16(at: 2))
    payload = pdu.content(behind: Self.headerLength, length: Int(header.uint16(at: 0)))
  }
}

extension CapturedOctets {
  /// Whether the octets, with which an L2CAP PDU begins, are all of it: it needs no putting together.
  @inlinable public var isWholePDU: Bool {
    guard let header = header(L2CAPPDU.headerLength) else { return false }
    return length == L2CAPPDU.headerLength &+ Int(header.uint16(at: 0))
  }
}

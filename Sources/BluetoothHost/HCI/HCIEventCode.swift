/// An event's code.
///
/// Core 6.0, Vol 4, Part E, 7.7.
@frozen public struct HCIEventCode: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  /// The code as sent.
  public let rawValue: UInt8

  /// A code, known or not.
  @inlinable public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A BR/EDR connection was made, or not.
  @inlinable public static var connectionComplete: HCIEventCode { HCIEventCode(rawValue: 0x03) }
  /// A connection ended.
  @inlinable public static var disconnectionComplete: HCIEventCode { HCIEventCode(rawValue: 0x05) }
  /// A BR/EDR device told its name.
  @inlinable public static var remoteNameRequestComplete: HCIEventCode { HCIEventCode(rawValue: 0x07) }
  /// Encryption went on or off.
  @inlinable public static var encryptionChange: HCIEventCode { HCIEventCode(rawValue: 0x08) }
  /// The peer's Bluetooth version and maker.
  @inlinable public static var readRemoteVersionInformationComplete: HCIEventCode { HCIEventCode(rawValue: 0x0C) }
  /// A command was carried out.
  @inlinable public static var commandComplete: HCIEventCode { HCIEventCode(rawValue: 0x0E) }
  /// A command was begun, or refused.
  @inlinable public static var commandStatus: HCIEventCode { HCIEventCode(rawValue: 0x0F) }
  /// The controller failed.
  @inlinable public static var hardwareError: HCIEventCode { HCIEventCode(rawValue: 0x10) }
  /// Packets have left the controller: the event there is most of beside advertisements.
  @inlinable public static var numberOfCompletedPackets: HCIEventCode { HCIEventCode(rawValue: 0x13) }
  /// A channel for voice was opened beside a BR/EDR connection, or not.
  @inlinable public static var synchronousConnectionComplete: HCIEventCode { HCIEventCode(rawValue: 0x2C) }
  /// Encryption goes on with a new key.
  @inlinable public static var encryptionKeyRefreshComplete: HCIEventCode { HCIEventCode(rawValue: 0x30) }
  /// All Low Energy events, told apart by a subevent code.
  @inlinable public static var leMeta: HCIEventCode { HCIEventCode(rawValue: 0x3E) }
  /// Encryption went on or off, with the key's size.
  @inlinable public static var encryptionChangeV2: HCIEventCode { HCIEventCode(rawValue: 0x59) }
}

/// A command's opcode: group in the upper six bits, command in the lower ten.
///
/// Core 6.0, Vol 4, Part E, 7.
@frozen public struct HCIOpcode: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  /// The opcode as sent.
  public let rawValue: UInt16

  /// An opcode, known or not.
  @inlinable public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// A BR/EDR connection is asked for.
  @inlinable public static var createConnection: HCIOpcode { HCIOpcode(rawValue: 0x0405) }
  /// A connection is to end.
  @inlinable public static var disconnect: HCIOpcode { HCIOpcode(rawValue: 0x0406) }
  /// The host gives up a BR/EDR connection.
  @inlinable public static var createConnectionCancel: HCIOpcode { HCIOpcode(rawValue: 0x0408) }
  /// The controller forgets everything, connections too.
  @inlinable public static var reset: HCIOpcode { HCIOpcode(rawValue: 0x0C03) }
  /// The host has taken packets; no controller answers that.
  @inlinable public static var hostNumberOfCompletedPackets: HCIOpcode { HCIOpcode(rawValue: 0x0C35) }
  /// Which version the controller is of, and whose.
  @inlinable public static var readLocalVersionInformation: HCIOpcode { HCIOpcode(rawValue: 0x1001) }
  /// The controller's own address.
  @inlinable public static var readBDADDR: HCIOpcode { HCIOpcode(rawValue: 0x1009) }
  /// How strong the peer is received.
  @inlinable public static var readRSSI: HCIOpcode { HCIOpcode(rawValue: 0x1405) }
  /// Which Low Energy events the host wants.
  @inlinable public static var leSetEventMask: HCIOpcode { HCIOpcode(rawValue: 0x2001) }
  /// The host advertises, or not any more.
  @inlinable public static var leSetAdvertisingEnable: HCIOpcode { HCIOpcode(rawValue: 0x200A) }
  /// The host scans, or not any more.
  @inlinable public static var leSetScanEnable: HCIOpcode { HCIOpcode(rawValue: 0x200C) }
  /// A connection is to be made, over legacy advertising.
  @inlinable public static var leCreateConnection: HCIOpcode { HCIOpcode(rawValue: 0x200D) }
  /// The host gives up a Low Energy connection that was not made yet.
  @inlinable public static var leCreateConnectionCancel: HCIOpcode { HCIOpcode(rawValue: 0x200E) }
  /// Nobody is to be on the filter accept list.
  @inlinable public static var leClearFilterAcceptList: HCIOpcode { HCIOpcode(rawValue: 0x2010) }
  /// A device is to be on the filter accept list.
  @inlinable public static var leAddDeviceToFilterAcceptList: HCIOpcode { HCIOpcode(rawValue: 0x2011) }
  /// A device is to be on the filter accept list no more.
  @inlinable public static var leRemoveDeviceFromFilterAcceptList: HCIOpcode { HCIOpcode(rawValue: 0x2012) }
  /// A connection is to have other parameters.
  @inlinable public static var leConnectionUpdate: HCIOpcode { HCIOpcode(rawValue: 0x2013) }
  /// What the peer's controller can do: hosts ask when a connection has been made.
  @inlinable public static var leReadRemoteFeatures: HCIOpcode { HCIOpcode(rawValue: 0x2016) }
  /// A connection is to be encrypted, or to have another key.
  @inlinable public static var leEnableEncryption: HCIOpcode { HCIOpcode(rawValue: 0x2019) }
  /// The host does not have the key with which the peer wants to encrypt.
  @inlinable public static var leLongTermKeyRequestNegativeReply: HCIOpcode { HCIOpcode(rawValue: 0x201B) }
  /// The host accepts the peer's link layer request for other parameters.
  @inlinable public static var leRemoteConnectionParameterRequestReply: HCIOpcode { HCIOpcode(rawValue: 0x2020) }
  /// The host refuses the peer's link layer request for other parameters.
  @inlinable public static var leRemoteConnectionParameterRequestNegativeReply: HCIOpcode {
    HCIOpcode(rawValue: 0x2021)
  }
  /// The host tells the key that resolves a friend's private addresses.
  @inlinable public static var leAddDeviceToResolvingList: HCIOpcode { HCIOpcode(rawValue: 0x2027) }
  /// The host advertises with some of its extended advertising sets, or not any more.
  @inlinable public static var leSetExtendedAdvertisingEnable: HCIOpcode { HCIOpcode(rawValue: 0x2039) }
  /// The host scans for extended advertising, too, or not any more.
  @inlinable public static var leSetExtendedScanEnable: HCIOpcode { HCIOpcode(rawValue: 0x2042) }
  /// A connection is to be made, over extended advertising as well.
  @inlinable public static var leExtendedCreateConnection: HCIOpcode { HCIOpcode(rawValue: 0x2043) }
  /// A connection is to be made, also by answering periodic advertising.
  @inlinable public static var leExtendedCreateConnectionV2: HCIOpcode { HCIOpcode(rawValue: 0x2085) }
}

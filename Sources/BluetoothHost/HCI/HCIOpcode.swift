/// A command's opcode: group in the upper six bits, command in the lower ten.
///
/// Core 6.0, Vol 4, Part E, 7.
public struct HCIOpcode: RawRepresentable, Hashable, Sendable {
  /// The opcode as sent.
  public let rawValue: UInt16

  /// An opcode, known or not.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// A BR/EDR connection is asked for.
  public static let createConnection = HCIOpcode(rawValue: 0x0405)
  /// A connection is to end.
  public static let disconnect = HCIOpcode(rawValue: 0x0406)
  /// The host gives up a BR/EDR connection.
  public static let createConnectionCancel = HCIOpcode(rawValue: 0x0408)
  /// The controller forgets everything, connections too.
  public static let reset = HCIOpcode(rawValue: 0x0C03)
  /// How strong the peer is received.
  public static let readRSSI = HCIOpcode(rawValue: 0x1405)
  /// Legacy, extended, and with periodic advertising.
  public static let leCreateConnection = HCIOpcode(rawValue: 0x200D)
  /// The same with extended advertising.
  public static let leExtendedCreateConnection = HCIOpcode(rawValue: 0x2043)
  /// The same, also answering periodic advertising.
  public static let leExtendedCreateConnectionV2 = HCIOpcode(rawValue: 0x2085)
  /// The host gives up waiting.
  public static let leCreateConnectionCancel = HCIOpcode(rawValue: 0x200E)
  /// The host accepts the peer's link layer request for other parameters.
  public static let leRemoteConnectionParameterRequestReply = HCIOpcode(rawValue: 0x2020)
  /// The host refuses it.
  public static let leRemoteConnectionParameterRequestNegativeReply = HCIOpcode(rawValue: 0x2021)
}

/// An event's code.
///
/// Core 6.0, Vol 4, Part E, 7.7.
public struct HCIEventCode: RawRepresentable, Hashable, Sendable {
  /// The code as sent.
  public let rawValue: UInt8

  /// A code, known or not.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A BR/EDR connection was made, or not.
  public static let connectionComplete = HCIEventCode(rawValue: 0x03)
  /// A connection ended.
  public static let disconnectionComplete = HCIEventCode(rawValue: 0x05)
  /// A BR/EDR device told its name.
  public static let remoteNameRequestComplete = HCIEventCode(rawValue: 0x07)
  /// Encryption went on or off.
  public static let encryptionChange = HCIEventCode(rawValue: 0x08)
  /// The peer's Bluetooth version and maker.
  public static let readRemoteVersionInformationComplete = HCIEventCode(rawValue: 0x0C)
  /// A command was carried out.
  public static let commandComplete = HCIEventCode(rawValue: 0x0E)
  /// A command was begun, or refused.
  public static let commandStatus = HCIEventCode(rawValue: 0x0F)
  /// Encryption goes on with a new key.
  public static let encryptionKeyRefreshComplete = HCIEventCode(rawValue: 0x30)
  /// All Low Energy events, told apart by a subevent code.
  public static let leMeta = HCIEventCode(rawValue: 0x3E)
  /// Encryption went on or off, with the key's size.
  public static let encryptionChangeV2 = HCIEventCode(rawValue: 0x59)
}

/// The subevent code of an LE Meta event.
///
/// Core 6.0, Vol 4, Part E, 7.7.65.
public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
  /// The code as sent.
  public let rawValue: UInt8

  /// A code, known or not.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A connection was made, or not.
  public static let connectionComplete = LESubeventCode(rawValue: 0x01)
  /// Legacy advertising was received.
  public static let advertisingReport = LESubeventCode(rawValue: 0x02)
  /// A connection's parameters changed, or not.
  public static let connectionUpdateComplete = LESubeventCode(rawValue: 0x03)
  /// The peer asks for other connection parameters over the link layer.
  public static let remoteConnectionParameterRequest = LESubeventCode(rawValue: 0x06)
  /// The lengths of link layer packets changed.
  public static let dataLengthChange = LESubeventCode(rawValue: 0x07)
  /// A connection was made, or not; with private addresses.
  public static let enhancedConnectionComplete = LESubeventCode(rawValue: 0x0A)
  /// The radio's modulation changed, or not.
  public static let phyUpdateComplete = LESubeventCode(rawValue: 0x0C)
  /// Extended or legacy advertising was received by an extended scan.
  public static let extendedAdvertisingReport = LESubeventCode(rawValue: 0x0D)
  /// A connection was made, or not; with the advertising set it came from.
  public static let enhancedConnectionCompleteV2 = LESubeventCode(rawValue: 0x29)
}

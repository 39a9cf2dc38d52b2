/// A status or reason: why a command failed or a connection ended.
///
/// Core 6.0, Vol 1, Part F, 1.3.
@frozen public struct HCIErrorCode: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  /// The code as sent.
  public let rawValue: UInt8

  /// A code, known or not.
  @inlinable public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// No error.
  @inlinable public static var success: HCIErrorCode { HCIErrorCode(rawValue: 0x00) }
  /// There is no such connection; also what ends a cancelled attempt to connect.
  @inlinable public static var unknownConnectionIdentifier: HCIErrorCode { HCIErrorCode(rawValue: 0x02) }
  /// A BR/EDR device did not answer.
  @inlinable public static var pageTimeout: HCIErrorCode { HCIErrorCode(rawValue: 0x04) }
  /// There is no key any more by which the link could be encrypted, or the peer has none.
  @inlinable public static var pinOrKeyMissing: HCIErrorCode { HCIErrorCode(rawValue: 0x06) }
  /// The peer was not heard any more.
  @inlinable public static var connectionTimeout: HCIErrorCode { HCIErrorCode(rawValue: 0x08) }
  /// The command does not fit what the controller is doing.
  @inlinable public static var commandDisallowed: HCIErrorCode { HCIErrorCode(rawValue: 0x0C) }
  /// The peer ended the connection.
  @inlinable public static var remoteUserTerminatedConnection: HCIErrorCode { HCIErrorCode(rawValue: 0x13) }
  /// The peer ended the connection, having too little memory or power.
  @inlinable public static var remoteDeviceTerminatedConnectionDueToLowResources: HCIErrorCode {
    HCIErrorCode(rawValue: 0x14)
  }
  /// The peer ended the connection, being switched off.
  @inlinable public static var remoteDeviceTerminatedConnectionDueToPowerOff: HCIErrorCode {
    HCIErrorCode(rawValue: 0x15)
  }
  /// The local host ended the connection.
  @inlinable public static var connectionTerminatedByLocalHost: HCIErrorCode { HCIErrorCode(rawValue: 0x16) }
  /// The peer does not take the parameters.
  @inlinable public static var unacceptableConnectionParameters: HCIErrorCode { HCIErrorCode(rawValue: 0x3B) }
  /// Directed advertising ended without a connection.
  @inlinable public static var advertisingTimeout: HCIErrorCode { HCIErrorCode(rawValue: 0x3C) }
  /// The peer was never heard on the connection that was made.
  @inlinable public static var connectionFailedToBeEstablished: HCIErrorCode { HCIErrorCode(rawValue: 0x3E) }
  /// The host gave it up.
  @inlinable public static var operationCancelledByHost: HCIErrorCode { HCIErrorCode(rawValue: 0x44) }

  /// Whether one of the ends wanted its connection to end.
  public var isWishOfAnEnd: Bool {
    switch self {
    case .remoteUserTerminatedConnection, .remoteDeviceTerminatedConnectionDueToLowResources,
      .remoteDeviceTerminatedConnectionDueToPowerOff, .connectionTerminatedByLocalHost:
      true
    default: false
    }
  }

  /// The name in the specification; nil for a code that it does not define.
  public var name: String? { Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : nil }

  /// By code, from 0.
  private static let names: [String?] = [
    "Success", "Unknown HCI Command", "Unknown Connection Identifier", "Hardware Failure", "Page Timeout",
    "Authentication Failure", "PIN or Key Missing", "Memory Capacity Exceeded", "Connection Timeout",
    "Connection Limit Exceeded", "Synchronous Connection Limit To A Device Exceeded", "Connection Already Exists",
    "Command Disallowed", "Connection Rejected due to Limited Resources",
    "Connection Rejected Due To Security Reasons", "Connection Rejected due to Unacceptable BD_ADDR",
    "Connection Accept Timeout Exceeded", "Unsupported Feature or Parameter Value", "Invalid HCI Command Parameters",
    "Remote User Terminated Connection", "Remote Device Terminated Connection due to Low Resources",
    "Remote Device Terminated Connection due to Power Off", "Connection Terminated By Local Host",
    "Repeated Attempts", "Pairing Not Allowed", "Unknown LMP PDU", "Unsupported Remote Feature",
    "SCO Offset Rejected", "SCO Interval Rejected", "SCO Air Mode Rejected",
    "Invalid LMP Parameters / Invalid LL Parameters", "Unspecified Error",
    "Unsupported LMP Parameter Value / Unsupported LL Parameter Value", "Role Change Not Allowed",
    "LMP Response Timeout / LL Response Timeout", "LMP Error Transaction Collision / LL Procedure Collision",
    "LMP PDU Not Allowed", "Encryption Mode Not Acceptable", "Link Key cannot be Changed",
    "Requested QoS Not Supported", "Instant Passed", "Pairing With Unit Key Not Supported",
    "Different Transaction Collision", nil, "QoS Unacceptable Parameter", "QoS Rejected",
    "Channel Classification Not Supported", "Insufficient Security", "Parameter Out Of Mandatory Range", nil,
    "Role Switch Pending", nil, "Reserved Slot Violation", "Role Switch Failed",
    "Extended Inquiry Response Too Large", "Secure Simple Pairing Not Supported By Host", "Host Busy - Pairing",
    "Connection Rejected due to No Suitable Channel Found", "Controller Busy", "Unacceptable Connection Parameters",
    "Advertising Timeout", "Connection Terminated due to MIC Failure",
    "Connection Failed to be Established / Synchronization Timeout", nil,
    "Coarse Clock Adjustment Rejected but Will Try to Adjust Using Clock Dragging", "Type0 Submap Not Defined",
    "Unknown Advertising Identifier", "Limit Reached", "Operation Cancelled by Host", "Packet Too Long",
    "Packet Too Late", "Packet Too Early", "Insufficient Channels",
  ]
}

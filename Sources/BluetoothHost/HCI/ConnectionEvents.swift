public import Octets

/// Whether the local host is the one that made the connection.
public enum ConnectionRole: UInt8, Hashable, Sendable {
  /// It asked for the connection.
  case central
  /// It was asked.
  case peripheral
}

/// A connection was made, or not: LE Connection Complete, both versions of LE Enhanced Connection Complete, and the
/// BR/EDR Connection Complete, which have no common form on the wire but say the same.
///
/// Core 6.0, Vol 4, Part E, 7.7.3, 7.7.65.1 and 7.7.65.10.
public struct ConnectionComplete: Sendable {
  /// Success, or why there is no connection.
  public let status: HCIErrorCode
  /// The handle of the connection.
  public let connectionHandle: UInt16
  /// Whether it is a Low Energy connection.
  public let isLowEnergy: Bool
  /// The local host's role; nil where the event does not tell (BR/EDR).
  public let role: ConnectionRole?
  /// The peer: its identity where the controller resolved its private address. nil where the capture has cut it away.
  public let peer: DeviceAddress?
  /// The private address under which the peer advertised, where the controller resolved it.
  public let privatePeer: DeviceAddress?
  /// The parameters of a Low Energy connection; nil where the capture has cut them away.
  public let parameters: ConnectionParameters?

  /// Reads the parameters of LE Connection Complete (subevent code already read).
  /// - Parameter isCut: Whether the capture holds only the beginning of the event: the handle is enough then.
  /// - Throws: `ParsingError` if what is needed of them is not there.
  @_lifetime(reader: copy reader)
  public init(parsingLE reader: inout OctetReader, enhanced: Bool, isCut: Bool = false) throws(ParsingError) {
    isLowEnergy = true
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    connectionHandle = try reader.connectionHandle()
    var (role, peer, parameters): (ConnectionRole?, DeviceAddress?, ConnectionParameters?) = (nil, nil, nil)
    var privatePeer: DeviceAddress?
    do {
      role = ConnectionRole(rawValue: try reader.uint8("Role"))
      peer = try DeviceAddress(parsing: &reader, behind: "Peer_Address_Type")
      if enhanced {
        try reader.skip(6, "Local_Resolvable_Private_Address")
        let address = try DeviceAddress(parsing: &reader, .random)
        privatePeer = address.number == 0 ? nil : address
      }
      parameters = try ConnectionParameters(parsing: &reader)
    } catch  where isCut {}
    (self.role, self.peer, self.privatePeer, self.parameters) = (role, peer, privatePeer, parameters)
  }

  /// Reads the parameters of the BR/EDR Connection Complete event.
  /// - Returns: nil for a synchronous connection, which carries no ACL data.
  /// - Throws: `ParsingError` if they are not all there.
  public init?(parsingBREDR event: CapturedOctets) throws(ParsingError) {
    var reader = event.reader("HCI Connection Complete")
    isLowEnergy = false
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    connectionHandle = try reader.connectionHandle()
    peer = try DeviceAddress(parsing: &reader, .public)
    guard try reader.uint8("Link_Type") == 1 else { return nil }
    role = nil
    privatePeer = nil
    parameters = nil
  }
}

/// Interval, latency and timeout of a Low Energy connection, as its making and its updates tell them.
///
/// Core 6.0, Vol 4, Part E, 7.7.65.1 and 7.7.65.3.
public struct ConnectionParameters: Hashable, Sendable {
  /// From one of the events that are used to the next, in units of 1.25 ms. Where not all are, it may be longer than any
  /// connection's own interval.
  public let interval: UInt16
  /// How many intervals the peripheral may sleep through.
  public let latency: UInt16
  /// Supervision timeout, in units of 10 ms.
  public let supervisionTimeout: UInt16
  /// One in so many of the connection's events is used: 1 where all are.
  public let subrateFactor: UInt16

  @_lifetime(reader: copy reader)
  init(parsing reader: inout OctetReader) throws(ParsingError) {
    interval = try reader.uint16("Connection_Interval")
    latency = try reader.uint16("Peripheral_Latency")
    supervisionTimeout = try reader.uint16("Supervision_Timeout")
    subrateFactor = 1
  }

  fileprivate init(_ base: ConnectionParameters, subratedBy change: SubrateChange) {
    subrateFactor = max(1, change.factor)
    interval = UInt16(clamping: Int(base.interval) * Int(subrateFactor))
    (latency, supervisionTimeout) = (change.latency, change.supervisionTimeout)
  }

  /// The connection interval in milliseconds.
  public var intervalMilliseconds: Double { Self.milliseconds(intervalUnits: interval) }
  /// The supervision timeout in milliseconds.
  public var supervisionTimeoutMilliseconds: Int { Self.milliseconds(timeoutUnits: supervisionTimeout) }

  fileprivate static func milliseconds(intervalUnits: UInt16) -> Double { Double(intervalUnits) * 1.25 }
  fileprivate static func milliseconds(timeoutUnits: UInt16) -> Int { Int(timeoutUnits) * 10 }
}

/// The parameters a peer asks for: an interval within limits, latency and timeout.
///
/// Core 6.0, Vol 4, Part E, 7.7.65.6 and Vol 3, Part A, 4.20.
public struct ConnectionParameterRequest: Hashable, Sendable {
  /// The shortest interval it takes, in units of 1.25 ms.
  public let intervalMinimum: UInt16
  /// The longest interval it takes, in units of 1.25 ms.
  public let intervalMaximum: UInt16
  /// How many intervals the peripheral may sleep through.
  public let latency: UInt16
  /// Supervision timeout, in units of 10 ms.
  public let supervisionTimeout: UInt16

  /// Reads the four numbers, which stand alike in HCI and in L2CAP.
  /// - Throws: `ParsingError` if they are not all there.
  @_lifetime(reader: copy reader)
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    intervalMinimum = try reader.uint16("Interval_Min")
    intervalMaximum = try reader.uint16("Interval_Max")
    latency = try reader.uint16("Latency")
    supervisionTimeout = try reader.uint16("Timeout")
  }

  /// The shortest interval it takes, in milliseconds.
  public var intervalMinimumMilliseconds: Double {
    ConnectionParameters.milliseconds(intervalUnits: intervalMinimum)
  }
  /// The longest interval it takes, in milliseconds.
  public var intervalMaximumMilliseconds: Double {
    ConnectionParameters.milliseconds(intervalUnits: intervalMaximum)
  }
  /// The supervision timeout in milliseconds.
  public var supervisionTimeoutMilliseconds: Int {
    ConnectionParameters.milliseconds(timeoutUnits: supervisionTimeout)
  }
}

/// A connection ended. Core 6.0, Vol 4, Part E, 7.7.5.
public struct DisconnectionComplete: Sendable {
  /// Success, or why the connection did not end.
  public let status: HCIErrorCode
  /// The connection.
  public let connectionHandle: UInt16
  /// Why it ended.
  public let reason: HCIErrorCode

  /// Reads the event's parameters.
  /// - Throws: `ParsingError` if they are not all there.
  public init(parsing parameters: CapturedOctets) throws(ParsingError) {
    var reader = parameters.reader("HCI Disconnection Complete")
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    connectionHandle = try reader.connectionHandle()
    reason = HCIErrorCode(rawValue: try reader.uint8("Reason"))
  }
}

/// The connection's parameters changed, or not. Core 6.0, Vol 4, Part E, 7.7.65.3.
public struct ConnectionUpdateComplete: Sendable {
  /// Success, or why nothing changed.
  public let status: HCIErrorCode
  /// The connection.
  public let connectionHandle: UInt16
  /// What holds from now on.
  public let parameters: ConnectionParameters

  /// Reads the subevent's parameters.
  /// - Throws: `ParsingError` if they are not all there.
  @_lifetime(reader: copy reader)
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    connectionHandle = try reader.connectionHandle()
    parameters = try ConnectionParameters(parsing: &reader)
  }
}

/// How many of a connection's events are used changed, or not: LE Subrate Change. Core 6.0, Vol 4, Part E, 7.7.65.35.
public struct SubrateChange: Sendable {
  /// Success, or why nothing changed.
  public let status: HCIErrorCode
  /// The connection.
  public let connectionHandle: UInt16
  /// One in so many events is used.
  public let factor: UInt16
  /// How many of those the peripheral may sleep through.
  public let latency: UInt16
  /// Supervision timeout, in units of 10 ms.
  public let supervisionTimeout: UInt16

  /// Reads the subevent's parameters.
  /// - Throws: `ParsingError` if they are not all there.
  @_lifetime(reader: copy reader)
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    connectionHandle = try reader.connectionHandle()
    factor = try reader.uint16("Subrate_Factor")
    latency = try reader.uint16("Peripheral_Latency")
    try reader.skip(2, "Continuation_Number")
    supervisionTimeout = try reader.uint16("Supervision_Timeout")
  }
}

extension ConnectionParameters {
  /// What holds once not all of the connection's events are used any more: the interval is that of those that are.
  public func changed(by change: SubrateChange) -> ConnectionParameters {
    ConnectionParameters(self, subratedBy: change)
  }
}

/// Encryption went on or off; both versions, and the key refresh, which keeps it on.
/// Core 6.0, Vol 4, Part E, 7.7.8 and 7.7.39.
public struct EncryptionChange: Sendable {
  /// Success, or why encryption failed.
  public let status: HCIErrorCode
  /// The connection.
  public let connectionHandle: UInt16
  /// Whether the link is encrypted now.
  public let isEncrypted: Bool

  /// Reads the event's parameters.
  /// - Throws: `ParsingError` if they are not all there.
  public init(parsing parameters: CapturedOctets, isRefresh: Bool) throws(ParsingError) {
    var reader = parameters.reader(isRefresh ? "HCI Encryption Key Refresh Complete" : "HCI Encryption Change")
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    connectionHandle = try reader.connectionHandle()
    isEncrypted = isRefresh ? true : try reader.uint8("Encryption_Enabled") != 0
  }
}

/// The lengths of link layer packets changed. Core 6.0, Vol 4, Part E, 7.7.65.7.
public struct DataLengthChange: Hashable, Sendable {
  /// The connection.
  public let connectionHandle: UInt16
  /// The most octets in a packet to the peer.
  public let maximumSentOctets: UInt16
  /// The most octets in a packet from the peer.
  public let maximumReceivedOctets: UInt16

  /// Reads the subevent's parameters.
  /// - Throws: `ParsingError` if they are not all there.
  @_lifetime(reader: copy reader)
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    connectionHandle = try reader.connectionHandle()
    maximumSentOctets = try reader.uint16("Max_TX_Octets")
    try reader.skip(2, "Max_TX_Time")
    maximumReceivedOctets = try reader.uint16("Max_RX_Octets")
    try reader.skip(2, "Max_RX_Time")
  }
}

/// The radio's modulation changed, or not. Core 6.0, Vol 4, Part E, 7.7.65.12.
public struct PHYUpdateComplete: Hashable, Sendable {
  /// Success, or why nothing changed.
  public let status: HCIErrorCode
  /// The connection.
  public let connectionHandle: UInt16
  /// 1: LE 1M, 2: LE 2M, 3: LE Coded.
  public let sentPHY: UInt8
  /// The same for the other direction.
  public let receivedPHY: UInt8

  /// Reads the subevent's parameters.
  /// - Throws: `ParsingError` if they are not all there.
  @_lifetime(reader: copy reader)
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    connectionHandle = try reader.connectionHandle()
    sentPHY = try reader.uint8("TX_PHY")
    receivedPHY = try reader.uint8("RX_PHY")
  }
}

/// The peer's Bluetooth version and the maker of its controller. Core 6.0, Vol 4, Part E, 7.7.12.
public struct RemoteVersionInformation: Hashable, Sendable {
  /// Success, or why it is not known.
  public let status: HCIErrorCode
  /// The connection.
  public let connectionHandle: UInt16
  /// The version's assigned number: 6 is 4.0, 9 is 5.0.
  public let version: UInt8
  /// The company identifier of the controller's maker.
  public let company: UInt16

  /// Reads the event's parameters.
  /// - Throws: `ParsingError` if they are not all there.
  public init(parsing parameters: CapturedOctets) throws(ParsingError) {
    var reader = parameters.reader("HCI Read Remote Version Information Complete")
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    connectionHandle = try reader.connectionHandle()
    version = try reader.uint8("Version")
    company = try reader.uint16("Company_Identifier")
    try reader.skip(2, "Subversion")
  }
}

/// The name of a BR/EDR device. Core 6.0, Vol 4, Part E, 7.7.7.
public struct RemoteName: Sendable {
  /// Success, or why it is not known.
  public let status: HCIErrorCode
  /// The device.
  public let address: DeviceAddress
  /// Its name, as it came: it may hold anything; nil where the capture cut it.
  public let name: String?

  /// Reads the event's parameters.
  /// - Throws: `ParsingError` if they are not all there.
  public init(parsing parameters: CapturedOctets) throws(ParsingError) {
    var reader = parameters.reader("HCI Remote Name Request Complete")
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    address = try DeviceAddress(parsing: &reader, .public)
    let octets = ContiguousArray(reader.rest())
    // What is filled up with zeros is whole.
    name = parameters.isCut && !octets.contains(0) ? nil : String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
  }
}

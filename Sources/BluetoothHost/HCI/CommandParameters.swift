public import Octets

// What the parameters of commands say.

extension HCICommand {
  /// A reader of its parameters.
  @_lifetime(copy self)
  public func reader() -> OctetReader { parameters.reader(opcode.layer) }
}

extension HCIOpcode {
  /// What errors call a command whose parameters are read.
  var layer: StaticString {
    switch self {
    case .createConnection: "HCI Create Connection"
    case .disconnect: "HCI Disconnect"
    case .leSetAdvertisingEnable: "HCI LE Set Advertising Enable"
    case .leSetExtendedAdvertisingEnable: "HCI LE Set Extended Advertising Enable"
    case .leSetScanEnable: "HCI LE Set Scan Enable"
    case .leSetExtendedScanEnable: "HCI LE Set Extended Scan Enable"
    case .leCreateConnection: "HCI LE Create Connection"
    case .leExtendedCreateConnection, .leExtendedCreateConnectionV2: "HCI LE Extended Create Connection"
    case .leAddDeviceToFilterAcceptList: "HCI LE Add Device To Filter Accept List"
    case .leRemoveDeviceFromFilterAcceptList: "HCI LE Remove Device From Filter Accept List"
    case .leConnectionUpdate: "HCI LE Connection Update"
    case .leReadRemoteFeatures: "HCI LE Read Remote Features"
    case .leEnableEncryption: "HCI LE Enable Encryption"
    case .leLongTermKeyRequestNegativeReply: "HCI LE Long Term Key Request Negative Reply"
    case .leRemoteConnectionParameterRequestReply: "HCI LE Remote Connection Parameter Request Reply"
    case .leRemoteConnectionParameterRequestNegativeReply:
      "HCI LE Remote Connection Parameter Request Negative Reply"
    case .leAddDeviceToResolvingList: "HCI LE Add Device To Resolving List"
    default: "HCI command"
    }
  }
}

/// The host asks for a connection: LE Create Connection and its extended forms, and the BR/EDR Create Connection.
///
/// Core 6.0, Vol 4, Part E, 7.1.5, 7.8.12 and 7.8.66.
public struct CreateConnection: Sendable {
  /// Whom it wants; nil if anyone on the filter accept list.
  public let peer: DeviceAddress?

  /// Reads a command's parameters.
  /// - Returns: nil for a command that asks for no connection.
  /// - Throws: `ParsingError` if they are not all there.
  public init?(_ opcode: HCIOpcode, parsing parameters: CapturedOctets) throws(ParsingError) {
    var reader = parameters.reader(opcode.layer)
    switch opcode {
    case .createConnection:
      peer = try DeviceAddress(parsing: &reader, .public)
      return
    case .leCreateConnection:
      try reader.skip(2, "LE_Scan_Interval")
      try reader.skip(2, "LE_Scan_Window")
    case .leExtendedCreateConnection:
      break
    case .leExtendedCreateConnectionV2:
      try reader.skip(1, "Advertising_Handle")
      try reader.skip(1, "Subevent")
    default:
      return nil
    }
    let usesAcceptList = try reader.uint8("Initiator_Filter_Policy") & 1 == 1
    // In the extended forms the own address type stands before the peer's.
    if opcode != .leCreateConnection { try reader.skip(1, "Own_Address_Type") }
    let address = try DeviceAddress(parsing: &reader, behind: "Peer_Address_Type")
    peer = usesAcceptList ? nil : address
  }
}

/// The host changes whom it wants to be connected with whenever they are there.
///
/// Core 6.0, Vol 4, Part E, 7.8.15 to 7.8.17.
public enum FilterAcceptListChange: Hashable, Sendable {
  /// Nobody.
  case clear
  /// This device, too.
  case add(DeviceAddress)
  /// This device no more.
  case remove(DeviceAddress)

  /// Reads a command's parameters.
  /// - Returns: nil for a command of another kind, and for advertisers without an address: nobody is connected with those.
  /// - Throws: `ParsingError` if not all of the address is there.
  public init?(_ opcode: HCIOpcode, parsing parameters: CapturedOctets) throws(ParsingError) {
    if opcode == .leClearFilterAcceptList {
      self = .clear
      return
    }
    guard opcode == .leAddDeviceToFilterAcceptList || opcode == .leRemoveDeviceFromFilterAcceptList else { return nil }
    var reader = parameters.reader(opcode.layer)
    let type = try reader.uint8("Address_Type")
    let address = try DeviceAddress(parsing: &reader, DeviceAddress.kind(ofType: type))
    guard type <= 1 else { return nil }
    self = opcode == .leAddDeviceToFilterAcceptList ? .add(address) : .remove(address)
  }
}

/// The host advertises, or not any more: LE Set Advertising Enable, and its extended form.
///
/// Core 6.0, Vol 4, Part E, 7.8.9 and 7.8.56.
public struct AdvertisingEnable: Hashable, Sendable {
  /// Whether it begins.
  public let isOn: Bool
  /// Whether it is about all that is advertised, and not about some advertising sets.
  public let isOfAllSets: Bool

  /// Reads a command's parameters.
  /// - Returns: nil for a command of another kind.
  /// - Throws: `ParsingError` if they are not all there.
  public init?(_ opcode: HCIOpcode, parsing parameters: CapturedOctets) throws(ParsingError) {
    guard opcode == .leSetAdvertisingEnable || opcode == .leSetExtendedAdvertisingEnable else { return nil }
    var reader = parameters.reader(opcode.layer)
    isOn = try reader.uint8("Advertising_Enable") & 1 == 1
    // The extended form names sets; with none of them, all end.
    isOfAllSets = opcode == .leSetAdvertisingEnable ? true : try reader.uint8("Num_Sets") == 0
  }
}

public import Octets

/// A command was carried out. Core 6.0, Vol 4, Part E, 7.7.14.
public struct CommandComplete: ~Escapable {
  /// The command.
  public let opcode: HCIOpcode
  /// What it returned.
  public let returnParameters: CapturedOctets

  /// Whether the command did what it was to do, as the first octet that it returns says; most commands return one. What
  /// the capture does not tell is taken for success.
  public var isSuccess: Bool {
    let octets = returnParameters.octets
    return octets.isEmpty || HCIErrorCode(rawValue: octets[0]) == .success
  }

  /// Reads the event's parameters.
  /// - Throws: `ParsingError` if they are not all there.
  @_lifetime(copy parameters)
  public init(parsing parameters: CapturedOctets) throws(ParsingError) {
    var reader = parameters.reader("HCI Command Complete")
    try reader.skip(1, "Num_HCI_Command_Packets")
    opcode = HCIOpcode(rawValue: try reader.uint16("Command_Opcode"))
    returnParameters = parameters.dropping(3)
  }
}

/// A command was begun, or refused. Core 6.0, Vol 4, Part E, 7.7.15.
public struct CommandStatus: Sendable {
  /// Success, or why it was refused.
  public let status: HCIErrorCode
  /// The command.
  public let opcode: HCIOpcode

  /// Reads the event's parameters.
  /// - Throws: `ParsingError` if they are not all there.
  public init(parsing parameters: CapturedOctets) throws(ParsingError) {
    var reader = parameters.reader("HCI Command Status")
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    try reader.skip(1, "Num_HCI_Command_Packets")
    opcode = HCIOpcode(rawValue: try reader.uint16("Command_Opcode"))
  }
}

/// Something in the controller failed. Core 6.0, Vol 4, Part E, 7.7.16.
public struct HardwareError: Hashable, Sendable {
  /// What it was, in the maker's own numbers; nil if the capture cut it away.
  public let code: UInt8?

  /// Reads the event's parameters.
  /// - Throws: `ParsingError` if no code was sent.
  public init(parsing parameters: CapturedOctets) throws(ParsingError) {
    var reader = parameters.reader("HCI Hardware Error")
    let isCutAway = parameters.isCut && parameters.octets.isEmpty
    code = isCutAway ? nil : try reader.uint8("Hardware_Code")
  }
}

/// How strong the peer is received. Core 6.0, Vol 4, Part E, 7.5.4.
public struct ReadRSSIReturn: Sendable {
  /// Success, or why it is not known.
  public let status: HCIErrorCode
  /// The connection.
  public let connectionHandle: UInt16
  /// In dBm; on BR/EDR in dB around the golden range; nil if the controller could not measure it.
  public let rssi: Int8?

  /// Reads the command's return parameters.
  /// - Throws: `ParsingError` if they are not all there.
  public init(parsing parameters: CapturedOctets) throws(ParsingError) {
    var reader = parameters.reader("HCI Read RSSI")
    status = HCIErrorCode(rawValue: try reader.uint8("Status"))
    connectionHandle = try reader.connectionHandle("Handle")
    let value = Int8(bitPattern: try reader.uint8("RSSI"))
    rssi = value == Self.unknown ? nil : value
  }

  /// What stands for a strength that is not known.
  private static let unknown: Int8 = 127
}

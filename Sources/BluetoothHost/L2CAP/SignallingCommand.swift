public import Octets

/// The commands on a signalling channel, one behind another.
///
/// Core 6.0, Vol 3, Part A, 4.
public struct SignallingCommands: ~Escapable {
  private var reader: OctetReader
  private let isCut: Bool

  /// The commands in a PDU of a signalling channel.
  @_lifetime(copy payload)
  public init(parsing payload: CapturedOctets) {
    reader = payload.reader("L2CAP signalling")
    isCut = payload.isCut
  }

  /// The next command; nil at the end.
  /// - Throws: `ParsingError` if it is not whole.
  @_lifetime(self: copy self)
  public mutating func next() throws(ParsingError) -> SignallingCommand? {
    guard !reader.isAtEnd else { return nil }
    return try SignallingCommand(parsing: &reader, isCut: isCut)
  }
}

/// A command by which the two ends of a link agree on channels and parameters.
///
///     +--------+------------+----------------+--------
///     | code   | identifier | length (u16)   | data …
///     +--------+------------+----------------+--------
///
/// Only what concerns ATT bearers and connection parameters is told apart.
public enum SignallingCommand: Sendable {
  /// A BR/EDR channel is asked for. 4.2.
  case connectionRequest(identifier: UInt8, psm: UInt16, source: ChannelID)
  /// The answer. Result 0 is success, 1 pending. 4.3.
  case connectionResponse(identifier: UInt8, destination: ChannelID, source: ChannelID, result: UInt16)
  /// One end of a BR/EDR channel says what it can take; nil: the usual MTU. 4.4.
  case configurationRequest(identifier: UInt8, destination: ChannelID, mtu: UInt16?)
  /// A channel ends. 4.6.
  case disconnectionRequest(identifier: UInt8, destination: ChannelID, source: ChannelID)
  /// It has ended. 4.7.
  case disconnectionResponse(identifier: UInt8, destination: ChannelID, source: ChannelID)
  /// A peripheral asks for other connection parameters. 4.20.
  case connectionParameterUpdateRequest(identifier: UInt8, ConnectionParameterRequest)
  /// The answer: 0 accepted, 1 refused. 4.21.
  case connectionParameterUpdateResponse(identifier: UInt8, result: UInt16)
  /// A Low Energy credit-based channel is asked for. 4.22.
  case leCreditBasedConnectionRequest(identifier: UInt8, psm: UInt16, source: ChannelID, mtu: UInt16)
  /// The answer. 4.23.
  case leCreditBasedConnectionResponse(identifier: UInt8, destination: ChannelID, mtu: UInt16, result: UInt16)
  /// Up to five enhanced credit-based channels are asked for. 4.25.
  case creditBasedConnectionRequest(identifier: UInt8, psm: UInt16, mtu: UInt16, sources: ChannelList)
  /// The answer, a channel for each that was asked for, 0 where it was refused. Results 0x000D to 0x000F are "pending".
  /// 4.26.
  case creditBasedConnectionResponse(identifier: UInt8, mtu: UInt16, result: UInt16, destinations: ChannelList)
  /// Other MTUs for enhanced channels. 4.27.
  case creditBasedReconfigureRequest(identifier: UInt8, mtu: UInt16, destinations: ChannelList)
  /// The answer. Result 0 is success. 4.28.
  case creditBasedReconfigureResponse(identifier: UInt8, result: UInt16)
  /// The command was not understood. 4.1.
  case commandReject(identifier: UInt8, reason: UInt16)
  /// A command whose data the capture cut.
  case cut(code: SignallingCode, identifier: UInt8)
  /// Any other.
  case other(code: SignallingCode, identifier: UInt8)

  /// - Parameter isCut: Whether the capture kept fewer octets than were sent.
  @_lifetime(reader: copy reader)
  init(parsing reader: inout OctetReader, isCut: Bool) throws(ParsingError) {
    let code = SignallingCode(rawValue: try reader.uint8("Code"))
    let identifier = try reader.uint8("Identifier")
    let length = try reader.uint16("Length")
    let origin = reader.offset
    if isCut, reader.count < Int(length) {
      self = Self.cut(code, identifier, &reader)
      return
    }
    var data = OctetReader(
      try reader.octets(Int(length), "Data"), layer: "L2CAP signalling", origin: origin)
    self = try Self.command(code, identifier, &data)
  }

  /// What can be told of a command that is not all there: of the answer to a request for parameters one octet is enough.
  @_lifetime(data: copy data)
  private static func cut(_ code: SignallingCode, _ identifier: UInt8, _ data: inout OctetReader) -> SignallingCommand {
    defer { data.skip(upTo: data.count) }
    if code == .connectionParameterUpdateResponse, let result = try? data.uint8("Result") {
      return .connectionParameterUpdateResponse(identifier: identifier, result: UInt16(result))
    }
    return .cut(code: code, identifier: identifier)
  }

  @_lifetime(data: copy data)
  private static func command(
    _ code: SignallingCode, _ identifier: UInt8, _ data: inout OctetReader
  ) throws(ParsingError) -> SignallingCommand {
    switch code {
    case .commandReject:
      return .commandReject(identifier: identifier, reason: try data.uint16("Reason"))
    case .connectionRequest:
      return .connectionRequest(
        identifier: identifier, psm: try data.uint16("PSM"), source: try channel(&data, "Source CID"))
    case .connectionResponse:
      return .connectionResponse(
        identifier: identifier, destination: try channel(&data, "Destination CID"),
        source: try channel(&data, "Source CID"), result: try data.uint16("Result"))
    case .configurationRequest:
      let destination = try channel(&data, "Destination CID")
      try data.skip(2, "Flags")
      return .configurationRequest(identifier: identifier, destination: destination, mtu: mtuOption(&data))
    case .disconnectionRequest:
      return .disconnectionRequest(
        identifier: identifier, destination: try channel(&data, "Destination CID"),
        source: try channel(&data, "Source CID"))
    case .disconnectionResponse:
      return .disconnectionResponse(
        identifier: identifier, destination: try channel(&data, "Destination CID"),
        source: try channel(&data, "Source CID"))
    case .connectionParameterUpdateRequest:
      return .connectionParameterUpdateRequest(
        identifier: identifier, try ConnectionParameterRequest(parsing: &data))
    case .connectionParameterUpdateResponse:
      return .connectionParameterUpdateResponse(identifier: identifier, result: try data.uint16("Result"))
    default: return try creditBasedCommand(code, identifier, &data)
    }
  }

  /// One about credit-based channels, or any other.
  @_lifetime(data: copy data)
  private static func creditBasedCommand(
    _ code: SignallingCode, _ identifier: UInt8, _ data: inout OctetReader
  ) throws(ParsingError) -> SignallingCommand {
    switch code {
    case .leCreditBasedConnectionRequest:
      return .leCreditBasedConnectionRequest(
        identifier: identifier, psm: try data.uint16("SPSM"), source: try channel(&data, "Source CID"),
        mtu: try data.uint16("MTU"))
    case .leCreditBasedConnectionResponse:
      let destination = try channel(&data, "Destination CID")
      let mtu = try data.uint16("MTU")
      try data.skip(4, "MPS")
      return .leCreditBasedConnectionResponse(
        identifier: identifier, destination: destination, mtu: mtu, result: try data.uint16("Result"))
    case .creditBasedConnectionRequest:
      let psm = try data.uint16("SPSM")
      let mtu = try data.uint16("MTU")
      try data.skip(4, "MPS")
      return .creditBasedConnectionRequest(
        identifier: identifier, psm: psm, mtu: mtu, sources: try ChannelList(parsing: &data))
    case .creditBasedConnectionResponse:
      let mtu = try data.uint16("MTU")
      try data.skip(4, "MPS")
      let result = try data.uint16("Result")
      return .creditBasedConnectionResponse(
        identifier: identifier, mtu: mtu, result: result, destinations: try ChannelList(parsing: &data))
    case .creditBasedReconfigureRequest:
      let mtu = try data.uint16("MTU")
      try data.skip(2, "MPS")
      return .creditBasedReconfigureRequest(
        identifier: identifier, mtu: mtu, destinations: try ChannelList(parsing: &data))
    case .creditBasedReconfigureResponse:
      return .creditBasedReconfigureResponse(identifier: identifier, result: try data.uint16("Result"))
    default:
      return .other(code: code, identifier: identifier)
    }
  }

  /// The MTU among configuration options: type 1, two octets. The top bit of a type marks it as a mere hint. 5.1.
  @_lifetime(data: copy data)
  private static func mtuOption(_ data: inout OctetReader) -> UInt16? {
    while let type = try? data.uint8("Option type"), let length = try? data.uint8("Option length") {
      if type & 0x7F == 1, length == 2 { return try? data.uint16("MTU") }
      guard data.skip(upTo: Int(length)) == Int(length) else { return nil }
    }
    return nil
  }

  @_lifetime(data: copy data)
  private static func channel(_ data: inout OctetReader, _ field: StaticString) throws(ParsingError) -> ChannelID {
    ChannelID(rawValue: try data.uint16(field))
  }
}

/// The channels of one command: five at most.
public struct ChannelList: Hashable, Sendable {
  /// As many channels as one command may carry.
  public static let most = 5

  /// The channels in their order.
  public let channels: [ChannelID]

  @_lifetime(reader: copy reader)
  init(parsing reader: inout OctetReader) throws(ParsingError) {
    var channels: [ChannelID] = []
    while !reader.isAtEnd, channels.count < Self.most {
      channels.append(ChannelID(rawValue: try reader.uint16("CID")))
    }
    self.channels = channels
  }
}

/// The protocol behind a channel, where it is ATT.
public enum ProtocolServiceMultiplexer {
  /// ATT over BR/EDR. Assigned Numbers, 2.5.
  public static let att: UInt16 = 0x001F
  /// Enhanced ATT. Assigned Numbers, 2.5.
  public static let enhancedATT: UInt16 = 0x0027
}

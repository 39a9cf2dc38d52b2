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
/// Core 6.0, Vol 3, Part A, 4.
public struct SignallingCommand: Sendable {
  /// An answer has that of the command that it answers.
  public let identifier: UInt8
  /// Whether it has an identifier of its own.
  public let isRequest: Bool
  /// What it says.
  public let content: Content

  /// What a command says. Only what concerns ATT bearers and connection parameters is told apart.
  public enum Content: Sendable {
    /// A BR/EDR channel is asked for. 4.2.
    case connectionRequest(psm: ProtocolServiceMultiplexer, source: ChannelID)
    /// The answer. Result 0 is success, 1 pending. 4.3.
    case connectionResponse(destination: ChannelID, source: ChannelID, result: UInt16)
    /// One end of a BR/EDR channel says how it takes PDUs. 4.4.
    case configurationRequest(destination: ChannelID, ConfigurationOptions)
    /// The answer. Result 0 is success, 4 pending. 4.5.
    case configurationResponse(result: UInt16)
    /// A channel ends. 4.6.
    case disconnectionRequest(destination: ChannelID, source: ChannelID)
    /// It has ended. 4.7.
    case disconnectionResponse(destination: ChannelID, source: ChannelID)
    /// A peripheral asks for other connection parameters. 4.20.
    case connectionParameterUpdateRequest(ConnectionParameterRequest)
    /// The answer: 0 accepted, 1 refused. 4.21.
    case connectionParameterUpdateResponse(result: UInt16)
    /// A Low Energy credit-based channel is asked for. 4.22.
    case leCreditBasedConnectionRequest(psm: ProtocolServiceMultiplexer, source: ChannelID, mtu: UInt16)
    /// The answer. 4.23.
    case leCreditBasedConnectionResponse(destination: ChannelID, mtu: UInt16, result: UInt16)
    /// Up to five enhanced credit-based channels are asked for. 4.25.
    case creditBasedConnectionRequest(psm: ProtocolServiceMultiplexer, mtu: UInt16, sources: [ChannelID])
    /// The answer, a channel for each that was asked for, 0 where it was refused. Results 0x000D to 0x000F are "pending".
    /// 4.26.
    case creditBasedConnectionResponse(mtu: UInt16, result: UInt16, destinations: [ChannelID])
    /// Other MTUs for enhanced channels. 4.27.
    case creditBasedReconfigureRequest(mtu: UInt16, destinations: [ChannelID])
    /// The answer. Result 0 is success. 4.28.
    case creditBasedReconfigureResponse(result: UInt16)
    /// The command was not understood. 4.1.
    case commandReject(reason: UInt16)
    /// A command whose data the capture cut.
    case cut(code: SignallingCode)
    /// Any other.
    case other(code: SignallingCode)
  }

  /// - Parameter isCut: Whether the capture kept fewer octets than were sent.
  @_lifetime(reader: copy reader)
  init(parsing reader: inout OctetReader, isCut: Bool) throws(ParsingError) {
    let code = SignallingCode(rawValue: try reader.uint8("Code"))
    isRequest = code.isRequest
    identifier = try reader.uint8("Identifier")
    let length = try reader.uint16("Length")
    let origin = reader.offset
    if isCut, reader.count < Int(length) {
      content = Content(code, cut: &reader)
      return
    }
    var data = OctetReader(
      try reader.octets(Int(length), "Data"), layer: "L2CAP signalling", origin: origin)
    content = try Content(code, parsing: &data)
  }
}

extension SignallingCommand.Content {
  /// What can be told of a command that is not all there: of the answer to a request for parameters one octet is enough.
  @_lifetime(data: copy data)
  fileprivate init(_ code: SignallingCode, cut data: inout OctetReader) {
    defer { data.skip(upTo: data.count) }
    if code == .connectionParameterUpdateResponse, let result = try? data.uint8("Result") {
      self = .connectionParameterUpdateResponse(result: UInt16(result))
    } else {
      self = .cut(code: code)
    }
  }

  @_lifetime(data: copy data)
  fileprivate init(_ code: SignallingCode, parsing data: inout OctetReader) throws(ParsingError) {
    switch code {
    case .commandReject: self = .commandReject(reason: try data.uint16("Reason"))
    case .connectionRequest:
      self = .connectionRequest(psm: try Self.psm(&data, "PSM"), source: try Self.channel(&data, "Source CID"))
    case .connectionResponse:
      self = .connectionResponse(
        destination: try Self.channel(&data, "Destination CID"), source: try Self.channel(&data, "Source CID"),
        result: try data.uint16("Result"))
    case .configurationRequest:
      self = .configurationRequest(
        destination: try Self.channel(&data, "Destination CID"), try ConfigurationOptions(parsing: &data))
    case .configurationResponse:
      try data.skip(2, "Source CID")
      try data.skip(2, "Flags")
      self = .configurationResponse(result: try data.uint16("Result"))
    case .disconnectionRequest:
      self = .disconnectionRequest(
        destination: try Self.channel(&data, "Destination CID"), source: try Self.channel(&data, "Source CID"))
    case .disconnectionResponse:
      self = .disconnectionResponse(
        destination: try Self.channel(&data, "Destination CID"), source: try Self.channel(&data, "Source CID"))
    case .connectionParameterUpdateRequest:
      self = .connectionParameterUpdateRequest(try ConnectionParameterRequest(parsing: &data))
    case .connectionParameterUpdateResponse:
      self = .connectionParameterUpdateResponse(result: try data.uint16("Result"))
    default: self = try Self.ofCreditBasedChannels(code, &data)
    }
  }

  /// What a command about credit-based channels says, or any other.
  @_lifetime(data: copy data)
  private static func ofCreditBasedChannels(
    _ code: SignallingCode, _ data: inout OctetReader
  ) throws(ParsingError) -> SignallingCommand.Content {
    switch code {
    case .leCreditBasedConnectionRequest:
      return .leCreditBasedConnectionRequest(
        psm: try psm(&data, "SPSM"), source: try channel(&data, "Source CID"), mtu: try data.uint16("MTU"))
    case .leCreditBasedConnectionResponse:
      let destination = try channel(&data, "Destination CID")
      let mtu = try data.uint16("MTU")
      try skipLimits(&data)
      return .leCreditBasedConnectionResponse(destination: destination, mtu: mtu, result: try data.uint16("Result"))
    case .creditBasedConnectionRequest:
      let psm = try psm(&data, "SPSM")
      let mtu = try data.uint16("MTU")
      try skipLimits(&data)
      return .creditBasedConnectionRequest(psm: psm, mtu: mtu, sources: try channels(&data))
    case .creditBasedConnectionResponse:
      let mtu = try data.uint16("MTU")
      try skipLimits(&data)
      let result = try data.uint16("Result")
      return .creditBasedConnectionResponse(mtu: mtu, result: result, destinations: try channels(&data))
    case .creditBasedReconfigureRequest:
      let mtu = try data.uint16("MTU")
      try data.skip(2, "MPS")
      return .creditBasedReconfigureRequest(mtu: mtu, destinations: try channels(&data))
    case .creditBasedReconfigureResponse:
      return .creditBasedReconfigureResponse(result: try data.uint16("Result"))
    default: return .other(code: code)
    }
  }

  /// What stands behind the MTU where a channel is opened: how long its frames are, and how many may come at first.
  @_lifetime(data: copy data)
  private static func skipLimits(_ data: inout OctetReader) throws(ParsingError) {
    try data.skip(2, "MPS")
    try data.skip(2, "Initial Credits")
  }

  @_lifetime(data: copy data)
  private static func psm(
    _ data: inout OctetReader, _ field: StaticString
  ) throws(ParsingError) -> ProtocolServiceMultiplexer {
    ProtocolServiceMultiplexer(rawValue: try data.uint16(field))
  }

  @_lifetime(data: copy data)
  private static func channel(_ data: inout OctetReader, _ field: StaticString) throws(ParsingError) -> ChannelID {
    ChannelID(rawValue: try data.uint16(field))
  }

  /// The channels that are left, up to as many as one command may carry.
  @_lifetime(data: copy data)
  private static func channels(_ data: inout OctetReader) throws(ParsingError) -> [ChannelID] {
    var channels: [ChannelID] = []
    while !data.isAtEnd, channels.count < 5 { channels.append(try channel(&data, "CID")) }
    return channels
  }
}

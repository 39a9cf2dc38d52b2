public import Octets

/// What an HCI packet is; the transport or the capture says it.
@frozen public enum HCIPacketKind: Sendable {
  /// From the host: do this.
  case command
  /// From the controller: this happened.
  case event
  /// Data of a logical link, either way.
  case aclData
}

/// An HCI packet, borrowed.
///
/// Core 6.0, Vol 4, Part E, 5.4.
@frozen public enum HCIPacket: ~Escapable, BitwiseCopyable {
  /// From the host: do this.
  case command(HCICommand)
  /// From the controller: this happened.
  case event(HCIEvent)
  /// Data of a logical link, either way.
  case aclData(HCIACLData)

  /// Reads a packet's header.
  /// - Throws: `ParsingError` if even that is not there.
  @inlinable @inline(__always) @_lifetime(copy octets)
  public init(parsing octets: CapturedOctets, as kind: HCIPacketKind) throws(ParsingError) {
    switch kind {
    case .command: self = .command(try HCICommand(parsing: octets))
    case .event: self = .event(try HCIEvent(parsing: octets))
    case .aclData: self = .aclData(try HCIACLData(parsing: octets))
    }
  }
}

/// A command: opcode, length, parameters.
///
///     +----------------+--------+-------------
///     | opcode (u16)   | length | parameters …
///     +----------------+--------+-------------
///
/// Core 6.0, Vol 4, Part E, 5.4.1.
@frozen public struct HCICommand: ~Escapable, BitwiseCopyable {
  /// What is asked for.
  public let opcode: HCIOpcode
  /// The parameters, as far as they were kept.
  public let parameters: CapturedOctets

  @inlinable @inline(__always) @_lifetime(copy octets)
  init(parsing octets: CapturedOctets) throws(ParsingError) {
    guard let header = octets.header(3) else {
      throw octets.tooShort("HCI command", ["Opcode": 2, "Parameter_Total_Length": 1])
    }
    opcode = HCIOpcode(rawValue: header.uint16(at: 0))
    parameters = octets.content(behind: 3, length: Int(header.uint8(at: 2)))
  }
}

/// An event: code, length, parameters.
///
///     +--------+--------+-------------
///     | code   | length | parameters …
///     +--------+--------+-------------
///
/// Core 6.0, Vol 4, Part E, 5.4.4.
@frozen public struct HCIEvent: ~Escapable, BitwiseCopyable {
  /// What happened.
  public let code: HCIEventCode
  /// The parameters, as far as they were kept.
  public let parameters: CapturedOctets

  @inlinable @inline(__always) @_lifetime(copy octets)
  init(parsing octets: CapturedOctets) throws(ParsingError) {
    guard let header = octets.header(2) else {
      throw octets.tooShort("HCI event", ["Event_Code": 1, "Parameter_Total_Length": 1])
    }
    code = HCIEventCode(rawValue: header.uint8(at: 0))
    parameters = octets.content(behind: 2, length: Int(header.uint8(at: 1)))
  }
}

/// ACL data: a fragment of an L2CAP PDU.
///
///     +------------------------+----+----+----------------+---------
///     | connection handle (12) | PB | BC | length (u16)   | data …
///     +------------------------+----+----+----------------+---------
///
/// Core 6.0, Vol 4, Part E, 5.4.2.
@frozen public struct HCIACLData: ~Escapable, BitwiseCopyable {
  /// The connection, unique on its adapter while it lasts.
  public let connectionHandle: UInt16
  /// The Packet_Boundary_Flag in the lower two bits, the Broadcast_Flag in the upper.
  public let flags: UInt8
  /// The fragment, as far as it was kept.
  public let data: CapturedOctets

  /// Reads the header.
  /// - Throws: `ParsingError` if it is not all there.
  @inlinable @inline(__always) @_lifetime(copy octets)
  public init(parsing octets: CapturedOctets) throws(ParsingError) {
    guard let header = octets.header(4) else {
      throw octets.tooShort("HCI ACL data", ["Connection_Handle": 2, "Data_Total_Length": 2])
    }
    let word = header.uint16(at: 0)
    connectionHandle = word.connectionHandle
    flags = UInt8(truncatingIfNeeded: word >> 12)
    data = octets.content(behind: 4, length: Int(header.uint16(at: 2)))
  }

  /// Whether the fragment continues a PDU (Packet_Boundary_Flag 01) rather than begin one.
  @inlinable public var isContinuation: Bool { flags & 0b11 == 0b01 }

  /// Whether the fragment is of a PDU for all peripherals of a BR/EDR piconet: a stream beside the connection's own.
  @inlinable public var isBroadcast: Bool { flags > 0b11 }

  /// Whether the fragment begins a PDU of the connection's own, as almost all do (Packet_Boundary_Flag 00 or 10).
  @inlinable public var isUsualStart: Bool { flags & 0b1101 == 0 }
}

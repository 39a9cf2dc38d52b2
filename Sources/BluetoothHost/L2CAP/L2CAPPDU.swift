public import Octets

/// A whole L2CAP PDU.
///
///     +----------------+----------------+-----------
///     | length (u16)   | channel (u16)  | payload …
///     +----------------+----------------+-----------
///
/// Core 6.0, Vol 3, Part A, 3.1.
@frozen public struct L2CAPPDU: ~Escapable, BitwiseCopyable {
  @inlinable static var headerLength: Int { 4 }

  /// The channel, by the receiver's number for it.
  public let channel: ChannelID
  /// What it carries.
  public let payload: CapturedOctets

  /// Reads the header.
  /// - Throws: `ParsingError` if it is not all there.
  @inlinable @inline(__always) @_lifetime(copy pdu)
  public init(parsing pdu: CapturedOctets) throws(ParsingError) {
    guard let header = pdu.header(Self.headerLength) else {
      throw pdu.tooShort("L2CAP", ["PDU Length": 2, "Channel ID": 2])
    }
    channel = ChannelID(rawValue: header.uint16(at: 2))
    payload = pdu.content(behind: Self.headerLength, length: Int(header.uint16(at: 0)))
  }
}

extension CapturedOctets {
  /// Whether the octets, with which an L2CAP PDU begins, are all of it: it needs no putting together.
  @inlinable public var isWholePDU: Bool {
    guard let header = header(L2CAPPDU.headerLength) else { return false }
    return length == L2CAPPDU.headerLength &+ Int(header.uint16(at: 0))
  }
}

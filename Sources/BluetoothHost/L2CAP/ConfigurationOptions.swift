import Octets

/// What one end of a BR/EDR channel tells of how it takes PDUs.
///
/// Core 6.0, Vol 3, Part A, 4.4 and 5.
public struct ConfigurationOptions: Hashable, Sendable {
  /// The longest, in octets; nil where that is not told: what was told before holds, or else the usual MTU.
  public private(set) var mtu: UInt16?
  /// Whether PDUs are what is said over the channel and no more, or are numbered, as in the retransmission and streaming
  /// modes; nil where that is not told.
  public private(set) var isBasic: Bool?
  /// Whether it tells more in another request.
  public let goOn: Bool

  /// Two of the options: the MTU, type 1, two octets, and Retransmission and Flow Control, type 4, of which the first octet
  /// is the mode. The top bit of a type marks it as a mere hint, as which a mode says nothing. 5.1 and 5.4.
  @_lifetime(data: copy data)
  init(parsing data: inout OctetReader) throws(ParsingError) {
    goOn = try data.uint16("Flags") & 1 == 1
    while let type = try? data.uint8("Option type"), let length = try? data.uint8("Option length") {
      var rest = Int(length)
      switch (type, length) {
      case (1, 2), (0x81, 2):
        mtu = try? data.uint16("MTU")
        rest = 0
      case (4, 1...):
        isBasic = (try? data.uint8("Mode")).map { $0 == 0 }
        rest -= 1
      default: break
      }
      if data.skip(upTo: rest) != rest { break }
    }
  }
}

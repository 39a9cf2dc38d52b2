public import Octets

/// A device's 48-bit address and its type.
///
/// Core 6.0, Vol 6, Part B, 1.3.
@frozen public struct DeviceAddress: Hashable, Sendable, BitwiseCopyable {
  /// Which of the two kinds an address is.
  @frozen public enum Kind: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// Given out by the IEEE; every BR/EDR address is one.
    case `public`
    /// Chosen by the device itself.
    case random
  }

  /// Which of the three kinds a random address is, by its two highest bits.
  @frozen public enum RandomKind: String, Hashable, Sendable, BitwiseCopyable {
    /// The device's own until it is switched off and on, or for ever: 11.
    case `static`
    /// Made anew from time to time with a key, by which who has it knows the device: 01.
    case resolvablePrivate = "resolvable private"
    /// Made anew from time to time, by which nobody knows it: 00.
    case nonResolvablePrivate = "non-resolvable private"
  }

  /// The address as a number: what is written first is the most significant octet.
  public let number: UInt64
  /// Its kind.
  public let kind: Kind

  /// An address from its number, of which 48 bits count.
  public init(_ number: UInt64, _ kind: Kind) {
    self.number = number & 0xFFFF_FFFF_FFFF
    self.kind = kind
  }

  /// The address at a place: six octets, least significant first.
  /// - Precondition: All of them lie within the octets.
  init(_ octets: OctetWindow, at place: Int, _ kind: Kind) {
    self.init(UInt64(octets.uint16(at: place &+ 4)) << 32 | UInt64(octets.uint32(at: place)), kind)
  }

  /// Reads six octets, least significant first.
  /// - Throws: `ParsingError` if there are fewer.
  @_lifetime(reader: copy reader)
  public init(parsing reader: inout OctetReader, _ kind: Kind) throws(ParsingError) {
    self.init(OctetWindow(try reader.octets(6, "Address")), at: 0, kind)
  }

  /// Reads an address behind its type, by which field that is.
  /// - Throws: `ParsingError` if they are not all there.
  @_lifetime(reader: copy reader)
  init(parsing reader: inout OctetReader, behind typeField: StaticString) throws(ParsingError) {
    let type = try reader.uint8(typeField)
    try self.init(parsing: &reader, Self.kind(ofType: type))
  }

  /// The kind of an Address_Type parameter: 0 and 1, and 2 and 3 where the controller resolved a private address to
  /// this identity. Core 6.0, Vol 4, Part E, 7.7.65.10.
  static func kind(ofType type: UInt8) -> Kind {
    type & 1 == 0 ? .public : .random
  }

  /// Whether a device may have it: nothing but zeros, or ones, stands where none is known, or was taken out of a capture.
  /// Core 6.0, Vol 6, Part B, 1.3.2.1.
  public var isOfADevice: Bool { number != 0 && number != 0xFFFF_FFFF_FFFF }

  /// What the two highest bits of a random address make it; nil for a public one, and for 10, which stands for nothing.
  public var randomKind: RandomKind? {
    guard kind == .random else { return nil }
    switch number >> 46 {
    case 0b11: return .static
    case 0b01: return .resolvablePrivate
    case 0b00: return .nonResolvablePrivate
    default: return nil
    }
  }

  /// Whether the address is private and can be resolved by who has the device's key. Core 6.0, Vol 6, Part B, 1.3.2.2.
  public var isResolvable: Bool { randomKind == .resolvablePrivate }
}

extension DeviceAddress: CustomStringConvertible {
  /// "E0:9E:1A:2C:5A:11".
  public var description: String { number.hexadecimal(ofOctets: 6) }
}

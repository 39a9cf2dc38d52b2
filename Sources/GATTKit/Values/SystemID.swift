public import Octets

/// A device's own number, characteristic 2A23: an EUI-64, whose least significant octet is sent first.
///
///      5                                 3
///     +---------------------------------+------------------------------------+
///     | Manufacturer-defined Identifier | Organizationally Unique Identifier |
///     +---------------------------------+------------------------------------+
///
/// GATT Specification Supplement, System ID. Many sensors put their address here, with FF FE in its middle.
public struct SystemID: Hashable, Sendable {
  /// The EUI-64 as a number.
  public var rawValue: UInt64

  /// An EUI-64.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// An EUI-64 of its two parts.
  /// - Parameters:
  ///   - manufacturerDefinedIdentifier: What the manufacturer chose; of it the lower 40 bits count.
  ///   - organizationallyUniqueIdentifier: Whose number it is; of it the lower 24 bits count.
  public init(manufacturerDefinedIdentifier: UInt64, organizationallyUniqueIdentifier: UInt32) {
    rawValue = UInt64(organizationallyUniqueIdentifier) << 40 | manufacturerDefinedIdentifier & 0xFF_FFFF_FFFF
  }

  /// What the manufacturer chose, 40 bits.
  public var manufacturerDefinedIdentifier: UInt64 { rawValue & 0xFF_FFFF_FFFF }
  /// Whose number it is: 24 bits that the IEEE gave out.
  public var organizationallyUniqueIdentifier: UInt32 { UInt32(rawValue >> 40) }
}

extension SystemID: CustomStringConvertible {
  /// The EUI-64 as people write it: "00:22:D0:FF:FE:77:00:01".
  public var description: String { rawValue.hexadecimal(ofOctets: 8) }
}

extension SystemID: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "System ID" }

  /// Reads a number.
  /// - Throws: `ParsingError` if there are fewer than eight octets.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    rawValue = try reader.uint64("System ID")
  }

  /// Appends the number as it is sent.
  public func encode(into octets: inout [UInt8]) { octets.append(littleEndian: rawValue) }

  /// The number in words.
  public var fields: [ValueField] { [ValueField("System ID", description)] }
}

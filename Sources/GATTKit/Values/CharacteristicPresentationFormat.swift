public import Octets

/// How a characteristic's value is to be shown, descriptor 2904.
///
///      1        1          2      1           2
///     +--------+----------+------+-----------+-------------+
///     | Format | Exponent | Unit | Namespace | Description |
///     +--------+----------+------+-----------+-------------+
///
/// Core 6.0, Vol 3, Part G, 3.3.3.5.
public struct CharacteristicPresentationFormat: Hashable, Sendable {
  /// The type of the value, as the Assigned Numbers count them.
  public var format: UInt8
  /// An integer is to be multiplied with 10 to the power of it.
  public var exponent: Int8
  /// The unit: a UUID of 16 bits.
  public var unit: UInt16
  /// Who gave out the number in `descriptionNumber`: 1 is the Bluetooth SIG.
  public var namespace: UInt8
  /// Which of several characteristics of a type this one is, in the numbers of the namespace.
  public var descriptionNumber: UInt16

  /// A format of its parts.
  public init(format: UInt8, exponent: Int8, unit: UInt16, namespace: UInt8, descriptionNumber: UInt16) {
    self.format = format
    self.exponent = exponent
    self.unit = unit
    self.namespace = namespace
    self.descriptionNumber = descriptionNumber
  }
}

extension CharacteristicPresentationFormat: AttributeValue {
  /// The name of the descriptor.
  public static var name: StaticString { "Characteristic Presentation Format" }

  /// Reads a format.
  /// - Throws: `ParsingError` if there are fewer than seven octets.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    format = try reader.uint8("Format")
    exponent = Int8(bitPattern: try reader.uint8("Exponent"))
    unit = try reader.uint16("Unit")
    namespace = try reader.uint8("Namespace")
    descriptionNumber = try reader.uint16("Description")
  }

  /// Appends the format as it is sent.
  public func encode(into octets: inout [UInt8]) {
    octets.append(format)
    octets.append(UInt8(bitPattern: exponent))
    octets.append(littleEndian: unit)
    octets.append(namespace)
    octets.append(littleEndian: descriptionNumber)
  }

  /// The format in words.
  public var fields: [ValueField] {
    [
      ValueField("Format", "0x\(format.hexadecimal)"), ValueField("Exponent", "\(exponent)"),
      ValueField("Unit", "0x\(unit.hexadecimal)"), ValueField("Namespace", "\(namespace)"),
      ValueField("Description", "0x\(descriptionNumber.hexadecimal)"),
    ]
  }
}

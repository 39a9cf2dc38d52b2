public import Octets

/// What a server says of a characteristic before its value, attribute type 2803.
///
///      1            2              2 or 16
///     +------------+--------------+---------------------+
///     | Properties | Value Handle | Characteristic UUID |
///     +------------+--------------+---------------------+
///
/// Core 6.0, Vol 3, Part G, 3.3.1.
public struct CharacteristicDeclaration: Hashable, Sendable {
  /// What may be done with the value.
  public var properties: CharacteristicProperties
  /// The handle of the value.
  public var valueHandle: UInt16
  /// The type of the value.
  public var uuid: BluetoothUUID

  /// A declaration of its parts.
  public init(properties: CharacteristicProperties, valueHandle: UInt16, uuid: BluetoothUUID) {
    self.properties = properties
    self.valueHandle = valueHandle
    self.uuid = uuid
  }
}

extension CharacteristicDeclaration: AttributeValue {
  /// The name of the declaration.
  public static var name: StaticString { "Characteristic Declaration" }

  /// Reads a declaration that makes up all of the reader's octets: their number tells how long the UUID is.
  /// - Throws: `ParsingError` if octets are missing, or what is left is no UUID.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    properties = CharacteristicProperties(rawValue: try reader.uint8("Characteristic Properties"))
    valueHandle = try reader.uint16("Characteristic Value Handle")
    switch reader.count {
    case ...2: uuid = BluetoothUUID(try reader.uint16("Characteristic UUID"))
    case 16: uuid = try BluetoothUUID(parsing: &reader, octets: 16)
    default: throw reader.invalid("Characteristic UUID", "\(reader.count.octetWords), but here it has 2 or 16")
    }
  }

  /// Appends the declaration as it is sent. A declaration has no room for 32-bit UUIDs: they go out as 128-bit ones.
  public func encode(into octets: inout [UInt8]) {
    octets.append(properties.rawValue)
    octets.append(littleEndian: valueHandle)
    uuid.encode(into: &octets, length: uuid.shortForm == nil ? 16 : 2)
  }

  /// The declaration in words.
  public var fields: [ValueField] {
    let name = AssignedNumbers.characteristicName(uuid).map { " (\($0))" } ?? ""
    return [
      ValueField("Characteristic Properties", "\(properties)"),
      ValueField("Characteristic Value Handle", "0x\(valueHandle.hexadecimal)"),
      ValueField("Characteristic UUID", "\(uuid)\(name)"),
    ]
  }
}

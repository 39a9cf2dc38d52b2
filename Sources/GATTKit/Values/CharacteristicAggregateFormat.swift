public import Octets

/// Of what a characteristic's value is put together, descriptor 2905: a part for each handle, in their order.
///
/// Core 6.0, Vol 3, Part G, 3.3.3.6.
public struct CharacteristicAggregateFormat: Hashable, Sendable {
  /// The handles of the Characteristic Presentation Formats, one for each part of the value.
  public var handles: [UInt16]

  /// A format of its handles.
  public init(handles: [UInt16]) { self.handles = handles }
}

extension CharacteristicAggregateFormat: AttributeValue {
  /// The name of the descriptor.
  public static var name: StaticString { "Characteristic Aggregate Format" }

  /// Reads as many handles as there are.
  /// - Throws: `ParsingError` if an octet is left over.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    handles = []
    while !reader.isAtEnd { handles.append(try reader.uint16("Attribute Handle")) }
  }

  /// Appends the handles as they are sent.
  public func encode(into octets: inout [UInt8]) {
    for handle in handles { octets.append(littleEndian: handle) }
  }

  /// The handles in words.
  public var fields: [ValueField] {
    let words = handles.map { "0x\($0.hexadecimal)" }.joined(separator: ", ")
    return [ValueField("Attribute Handles", handles.isEmpty ? "none" : words)]
  }
}

public import Octets

/// What a characteristic is, for people, descriptor 2901. It is UTF-8 without an end mark.
///
/// Core 6.0, Vol 3, Part G, 3.3.3.2.
public struct CharacteristicUserDescription: Hashable, Sendable {
  /// The text, without NULs at its end.
  public var text: String { didSet { text = text.withoutEndMark } }

  /// A text to be sent.
  public init(text: String) { self.text = text.withoutEndMark }
}

extension CharacteristicUserDescription: CustomStringConvertible {
  /// The text itself.
  public var description: String { text }
}

extension CharacteristicUserDescription: AttributeValue {
  /// The name of the descriptor.
  public static var name: StaticString { "Characteristic User Description" }

  /// Reads a text that makes up all of the reader's octets; any octets are a text, as what is not UTF-8 is repaired.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    text = String(repairing: reader.rest())
  }

  /// Appends the text as it is sent.
  public func encode(into octets: inout [UInt8]) { octets.append(contentsOf: text.utf8) }

  /// The text in words.
  public var fields: [ValueField] { [ValueField("Text", text)] }
}

public import Octets

/// A value that is a text: UTF-8 without an end mark.
///
/// Sensors are found that send an end mark, or octets that are no UTF-8: the former is dropped and the latter repaired, so
/// that there is always something to show. A text that is longer than its specification allows is neither refused nor
/// shortened, whether it is read or sent.
public protocol TextValue: AttributeValue {
  /// The text, without NULs at its end.
  var text: String { get }

  /// A text to be sent; NULs at its end are dropped.
  init(text: String)
}

extension TextValue {
  /// Reads a text that makes up all of the reader's octets; any octets are a text.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    self.init(text: String(repairing: reader.rest()))
  }

  /// Appends the text as it is sent.
  public func encode(into octets: inout [UInt8]) { octets.append(contentsOf: text.utf8) }

  /// The text itself.
  public var description: String { text }

  /// The text, without the name of the value.
  public var fields: [ValueField] { [ValueField("Text", text)] }
}

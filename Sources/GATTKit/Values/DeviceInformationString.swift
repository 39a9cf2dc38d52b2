public import Octets

/// One of the strings by which a device describes itself: manufacturer, model, serial number, and the revisions of its
/// firmware, hardware and software, characteristics 2A24 to 2A29.
///
/// They are UTF-8 without an end mark. Sensors are found that send one, or octets that are no UTF-8: the former are
/// dropped and the latter repaired, so that there is always something to show.
///
/// DIS 1.1, 3.1 to 3.6.
public struct DeviceInformationString: Hashable, Sendable {
  /// The string, without NULs at its end.
  public var text: String { didSet { text = text.withoutEndMark } }

  /// A string to be sent.
  public init(text: String) { self.text = text.withoutEndMark }
}

extension DeviceInformationString: CustomStringConvertible {
  /// The string itself.
  public var description: String { text }
}

extension DeviceInformationString: AttributeValue {
  /// The name of these characteristics.
  public static var name: StaticString { "Device Information String" }

  /// Reads a string that makes up all of the reader's octets; any octets are a string.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    text = String(repairing: reader.rest())
  }

  /// Appends the string as it is sent.
  public func encode(into octets: inout [UInt8]) { octets.append(contentsOf: text.utf8) }

  /// The string in words.
  public var fields: [ValueField] { [ValueField("Text", text)] }
}

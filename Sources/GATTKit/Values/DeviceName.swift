public import Octets

/// The name of a device, characteristic 2A00. It is UTF-8 of at most 248 octets; a longer one is neither refused nor shortened,
/// whether it is read or sent.
///
/// Core 6.0, Vol 3, Part C, 12.1.
public struct DeviceName: Hashable, Sendable {
  /// The name, without NULs at its end.
  public var text: String { didSet { text = text.withoutEndMark } }

  /// A name to be sent.
  public init(text: String) { self.text = text.withoutEndMark }
}

extension DeviceName: CustomStringConvertible {
  /// The name itself.
  public var description: String { text }
}

extension DeviceName: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Device Name" }

  /// Reads a name that makes up all of the reader's octets; any octets are a name, as what is not UTF-8 is repaired.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    text = String(repairing: reader.rest())
  }

  /// Appends the name as it is sent.
  public func encode(into octets: inout [UInt8]) { octets.append(contentsOf: text.utf8) }

  /// The name in words.
  public var fields: [ValueField] { [ValueField("Device Name", text)] }
}

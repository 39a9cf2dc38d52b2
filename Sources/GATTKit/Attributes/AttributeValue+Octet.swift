public import Octets

// A value that is one octet, whatever that says, has one field, named as the value is.

extension AttributeValue where Self: RawRepresentable, RawValue == UInt8 {
  /// Reads the octet, a reserved one too.
  /// - Throws: `ParsingError` if there is none, or the value cannot hold it.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    let octet = try reader.uint8(Self.name)
    guard let value = Self(rawValue: octet) else {
      reader.rewind(to: reader.consumed - 1)
      throw reader.invalid(Self.name, "\(octet)")
    }
    self = value
  }

  /// Appends the octet as it is sent.
  public func encode(into octets: inout [UInt8]) { octets.append(rawValue) }

  /// The octet in words.
  public var fields: [ValueField] { [ValueField("\(Self.name)", description)] }
}

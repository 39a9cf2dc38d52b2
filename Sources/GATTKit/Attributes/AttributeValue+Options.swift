public import Octets

// A value whose bits are options has one field, named as the value is.

extension AttributeValue where Self: OptionSet, Element == Self {
  // Without it, `[]` would be octets of which some are missing, where it stands for no option.
  /// All of some options; no option if there are none.
  public init(_ options: [Self]) { self = options.reduce(into: []) { $0.formUnion($1) } }
}

extension AttributeValue where Self: OptionSet {
  /// The options in words.
  public var fields: [ValueField] { [ValueField("\(Self.name)", description)] }
}

extension AttributeValue where Self: OptionSet, RawValue == UInt16 {
  /// Reads the bits, reserved ones too.
  /// - Throws: `ParsingError` if there are fewer than two octets.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    self.init(rawValue: try reader.uint16(Self.name))
  }

  /// Appends the bits as they are sent.
  public func encode(into octets: inout [UInt8]) { octets.append(littleEndian: rawValue) }
}

extension AttributeValue where Self: OptionSet, RawValue == UInt64 {
  /// Reads as many octets as there are; of what may stand behind the eighth nothing is known.
  /// - Throws: `ParsingError` if there is none.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    self.init(rawValue: try reader.bitField(Self.name))
  }

  /// Appends the bits as they are sent: an octet, and those up to the last bit that is set.
  public func encode(into octets: inout [UInt8]) { octets.append(bitField: rawValue) }
}

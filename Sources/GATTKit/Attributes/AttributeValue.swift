public import Octets

/// What the value of an attribute holds, once read: a characteristic's value, a descriptor's or a declaration's.
///
/// An app hands over what it was given, whole, and gets the value or an error that says what is wrong with it:
///
///     let measurement = try HeartRateMeasurement(characteristic.value ?? Data())
public protocol AttributeValue: Hashable, Sendable, CustomStringConvertible {
  /// The name of the value in its specification, for errors.
  static var name: StaticString { get }

  /// Reads the value from its octets; what it does not need it leaves unread.
  /// - Throws: `ParsingError` if the octets contradict the value's definition.
  init(parsing reader: inout OctetReader) throws(ParsingError)

  /// Appends the value as it is sent, whole, however long that is.
  func encode(into octets: inout [UInt8])

  /// The value in words, a field each.
  var fields: [ValueField] { get }
}

extension AttributeValue {
  /// Reads a whole value.
  /// - Throws: `ParsingError` if octets are missing, contradict the value's definition, or are left over.
  @inlinable public init(_ octets: Span<UInt8>) throws(ParsingError) {
    var reader = OctetReader(octets, layer: Self.name)
    try self.init(parsing: &reader)
    try reader.expectEnd(after: Self.name)
  }

  /// Reads a whole value.
  /// - Throws: `ParsingError` if octets are missing, contradict the value's definition, or are left over.
  @inlinable public init(_ octets: some Collection<UInt8>) throws(ParsingError) {
    self = try octets.withOctets { (octets) throws(ParsingError) in try Self(octets) }
  }

  /// The value for people, logs and debuggers, not for programs: its fields in a line, or the shortest words that say it.
  /// "Vendor ID Source: Bluetooth SIG, Vendor ID: 0x006B (Polar Electro OY), …".
  public var description: String { fields.map(\.description).joined(separator: ", ") }

  /// The value as it is sent, whole, however long that is.
  ///
  /// No attribute holds more than 512 octets, and a notification carries the first ATT_MTU − 3 of them, 20 as long as the two
  /// ends have not agreed on more. What is longer is not shortened here, so that nothing gets lost unseen.
  /// Core 6.0, Vol 3, Part F, 3.2.9 and 3.4.7.1.
  public func encoded() -> [UInt8] {
    var octets: [UInt8] = []
    // What a notification of the default ATT_MTU carries: few values are longer.
    octets.reserveCapacity(20)
    encode(into: &octets)
    return octets
  }
}

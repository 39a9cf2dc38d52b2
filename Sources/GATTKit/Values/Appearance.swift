public import Octets

/// What a device looks like to people, characteristic 2A01: a category, and within it a kind.
///
/// Core 6.0, Vol 3, Part C, 12.2.
public struct Appearance: RawRepresentable, Hashable, Sendable {
  /// The value as sent.
  public var rawValue: UInt16

  /// A value as sent, known or not.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A heart rate sensor of any kind.
  public static let heartRateSensor = Self(rawValue: 0x0340)
  /// A heart rate belt.
  public static let heartRateBelt = Self(rawValue: 0x0341)

  /// The category: the upper ten bits.
  public var category: UInt16 { rawValue >> 6 }
  /// The kind within the category: the lower six bits; 0 for any.
  public var subcategory: UInt16 { rawValue & 0x3F }

  /// Whether it is a heart rate sensor, of whatever kind.
  public var isHeartRateSensor: Bool { category == Self.heartRateSensor.category }
}

extension Appearance: CustomStringConvertible {
  /// "Heart Rate Belt", "Heart Rate Sensor", "unknown" for 0, and the numbers of all others: "category 3, subcategory 1".
  public var description: String {
    switch self {
    case .heartRateSensor: "Heart Rate Sensor"
    case .heartRateBelt: "Heart Rate Belt"
    case Appearance(rawValue: 0): "unknown"
    default: "category \(category), subcategory \(subcategory)"
    }
  }
}

extension Appearance: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Appearance" }

  /// Reads an appearance.
  /// - Throws: `ParsingError` if there are fewer than two octets.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    rawValue = try reader.uint16("Appearance")
  }

  /// Appends the appearance as it is sent.
  public func encode(into octets: inout [UInt8]) { octets.append(littleEndian: rawValue) }

  /// The appearance in words.
  public var fields: [ValueField] { [ValueField("Appearance", "0x\(rawValue.hexadecimal) (\(description))")] }
}

public import Octets

/// How much charge a battery holds, characteristic 2A19.
///
/// BAS 1.0, 3.1.
public struct BatteryLevel: Hashable, Sendable {
  /// The charge in percent, 0 (empty) to 100 (full).
  public let percent: UInt8

  /// A charge in percent: nil above 100.
  public init?(percent: UInt8) {
    guard percent <= 100 else { return nil }
    self.percent = percent
  }
}

extension BatteryLevel: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Battery Level" }

  /// Reads a level.
  /// - Throws: `ParsingError` if there is no octet, or the level is above 100.
  public init(parsing reader: inout OctetReader) throws(ParsingError) {
    let percent = try reader.uint8("Battery Level")
    guard let level = BatteryLevel(percent: percent) else {
      reader.rewind(to: reader.consumed - 1)
      throw reader.invalid("Battery Level", "\(percent), but it ends at 100")
    }
    self = level
  }

  /// Appends the level as it is sent.
  public func encode(into octets: inout [UInt8]) { octets.append(percent) }

  /// The level in words.
  public var fields: [ValueField] { [ValueField("Battery Level", "\(percent)", unit: "%")] }
}

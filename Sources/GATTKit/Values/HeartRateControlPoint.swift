/// What a client asks of a heart rate sensor, characteristic 2A39.
///
/// A sensor refuses values it does not know: see `notSupportedError`.
///
/// HRS 1.0, 3.3.
public struct HeartRateControlPoint: RawRepresentable, Hashable, Sendable {
  /// The request as sent.
  public var rawValue: UInt8

  /// A request as sent, known or reserved.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Starts Energy Expended again from 0.
  public static let resetEnergyExpended = Self(rawValue: 1)

  /// Control Point Not Supported, the application error with which a sensor refuses values it does not know, as the error
  /// code of an ATT Error Response.
  public static let notSupportedError: UInt8 = 0x80

  /// Whether the value is reserved for future use.
  public var isReserved: Bool { self != .resetEnergyExpended }
}

extension HeartRateControlPoint: CustomStringConvertible {
  /// "Reset Energy Expended", or "reserved (2)".
  public var description: String { isReserved ? "reserved (\(rawValue))" : "Reset Energy Expended" }
}

extension HeartRateControlPoint: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Heart Rate Control Point" }
}

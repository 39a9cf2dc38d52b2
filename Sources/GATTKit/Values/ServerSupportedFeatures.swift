/// What a server can do, characteristic 2B3A.
///
/// Core 6.0, Vol 3, Part G, 7.4.
public struct ServerSupportedFeatures: OptionSet, Hashable, Sendable {
  /// The bits as sent, reserved ones too.
  public let rawValue: UInt64

  /// Bits as sent.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// It can use bearers of Enhanced ATT.
  public static let enhancedATTBearer = Self(rawValue: 1 << 0)
}

extension ServerSupportedFeatures: CustomStringConvertible {
  /// The names with commas, or "none"; reserved bits follow as a number.
  public var description: String {
    words([(.enhancedATTBearer, "enhanced ATT bearer")], none: "none")
  }
}

extension ServerSupportedFeatures: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Server Supported Features" }
}

/// What a client can do, as it tells the server, characteristic 2B29.
///
/// Core 6.0, Vol 3, Part G, 7.2.
public struct ClientSupportedFeatures: OptionSet, Hashable, Sendable {
  /// The bits as sent, reserved ones too.
  public let rawValue: UInt64

  /// Bits as sent.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The client is told when what it remembers of the database is out of date.
  public static let robustCaching = Self(rawValue: 1 << 0)
  /// It can use bearers of Enhanced ATT.
  public static let enhancedATTBearer = Self(rawValue: 1 << 1)
  /// It understands notifications of several values at once.
  public static let multipleHandleValueNotifications = Self(rawValue: 1 << 2)
}

extension ClientSupportedFeatures: CustomStringConvertible {
  /// The names with commas, or "none"; reserved bits follow as a number.
  public var description: String {
    words(
      [
        (.robustCaching, "robust caching"), (.enhancedATTBearer, "enhanced ATT bearer"),
        (.multipleHandleValueNotifications, "multiple handle value notifications"),
      ], none: "none")
  }
}

extension ClientSupportedFeatures: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Client Supported Features" }
}

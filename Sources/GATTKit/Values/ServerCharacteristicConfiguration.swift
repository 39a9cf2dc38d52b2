/// What a server does with a characteristic on behalf of all clients, descriptor 2903.
///
/// Core 6.0, Vol 3, Part G, 3.3.3.4.
public struct ServerCharacteristicConfiguration: OptionSet, Hashable, Sendable {
  /// The bits as sent, reserved ones too.
  public let rawValue: UInt16

  /// Bits as sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The value is to be broadcast, in advertising.
  public static let broadcast = Self(rawValue: 1 << 0)
}

extension ServerCharacteristicConfiguration: CustomStringConvertible {
  /// "broadcast" or "off"; reserved bits follow as a number.
  public var description: String { words([(.broadcast, "broadcast")], none: "off") }
}

extension ServerCharacteristicConfiguration: AttributeValue {
  /// The name of the descriptor.
  public static var name: StaticString { "Server Characteristic Configuration" }
}

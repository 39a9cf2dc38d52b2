/// What a client wants to be told of a characteristic, descriptor 2902. Each client has its own.
///
/// Core 6.0, Vol 3, Part G, 3.3.3.3.
public struct ClientCharacteristicConfiguration: OptionSet, Hashable, Sendable {
  /// The bits as sent, reserved ones too.
  public let rawValue: UInt16

  /// Bits as sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The value is to be notified.
  public static let notification = Self(rawValue: 1 << 0)
  /// The value is to be indicated, and the client confirms each.
  public static let indication = Self(rawValue: 1 << 1)

  /// The bits that are reserved for future use.
  public static let reserved = Self(rawValue: 0xFFFC)

  /// Whether values are to be sent, in either way: with reserved bits alone, none are.
  public var asksForValues: Bool { !isDisjoint(with: [.notification, .indication]) }
}

extension ClientCharacteristicConfiguration: CustomStringConvertible {
  /// "notification", "indication", both with a comma, or "off"; reserved bits follow as "reserved 0x8000".
  public var description: String {
    words([(.notification, "notification"), (.indication, "indication")], none: "off")
  }
}

extension ClientCharacteristicConfiguration: AttributeValue {
  /// The name of the descriptor.
  public static var name: StaticString { "Client Characteristic Configuration" }
}

/// What else may be done with a characteristic, descriptor 2900.
///
/// Core 6.0, Vol 3, Part G, 3.3.3.1.
public struct CharacteristicExtendedProperties: OptionSet, Hashable, Sendable {
  /// The bits as sent, reserved ones too.
  public let rawValue: UInt16

  /// Bits as sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Its value may be written reliably, through the queue of prepared writes.
  public static let reliableWrite = Self(rawValue: 1 << 0)
  /// Its Characteristic User Description may be written.
  public static let writableAuxiliaries = Self(rawValue: 1 << 1)
}

extension CharacteristicExtendedProperties: CustomStringConvertible {
  /// The names with commas, or "none"; reserved bits follow as a number.
  public var description: String {
    words([(.reliableWrite, "reliable write"), (.writableAuxiliaries, "writable auxiliaries")], none: "none")
  }
}

extension CharacteristicExtendedProperties: AttributeValue {
  /// The name of the descriptor.
  public static var name: StaticString { "Characteristic Extended Properties" }
}

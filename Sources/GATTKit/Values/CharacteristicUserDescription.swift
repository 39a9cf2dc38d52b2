/// What a characteristic is, for people, descriptor 2901.
///
/// Core 6.0, Vol 3, Part G, 3.3.3.2.
public struct CharacteristicUserDescription: TextValue {
  /// The name of the descriptor.
  public static var name: StaticString { "Characteristic User Description" }

  /// The text, without NULs at its end.
  public var text: String { didSet { text = text.withoutEndMark } }

  /// A text to be sent; NULs at its end are dropped.
  public init(text: String) { self.text = text.withoutEndMark }
}

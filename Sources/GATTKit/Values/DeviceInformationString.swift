/// One of the strings by which a device describes itself: manufacturer, model, serial number, and the revisions of its
/// firmware, hardware and software, characteristics 2A24 to 2A29.
///
/// DIS 1.1, 3.1 to 3.6.
public struct DeviceInformationString: TextValue {
  /// The name of these characteristics.
  public static var name: StaticString { "Device Information String" }

  /// The string, without NULs at its end.
  public var text: String { didSet { text = text.withoutEndMark } }

  /// A string to be sent; NULs at its end are dropped.
  public init(text: String) { self.text = text.withoutEndMark }
}

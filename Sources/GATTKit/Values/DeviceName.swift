/// The name of a device, characteristic 2A00: of at most 248 octets.
///
/// Core 6.0, Vol 3, Part C, 12.1.
public struct DeviceName: TextValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Device Name" }

  /// The name of the device, without NULs at its end.
  public var text: String { didSet { text = text.withoutEndMark } }

  /// A name to be sent; NULs at its end are dropped.
  public init(text: String) { self.text = text.withoutEndMark }
}

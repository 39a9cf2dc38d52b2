/// Whether a device, as a central, resolves private addresses, characteristic 2AA6: a peripheral looks here before it directs
/// its advertising at one.
///
/// Core 6.0, Vol 3, Part C, 12.4.
public struct CentralAddressResolution: RawRepresentable, Hashable, Sendable {
  /// The number as sent.
  public var rawValue: UInt8

  /// A number as sent, known or reserved.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It does not.
  public static let notSupported = Self(rawValue: 0)
  /// It does.
  public static let supported = Self(rawValue: 1)
}

extension CentralAddressResolution: CustomStringConvertible {
  /// "supported" or "not supported"; "reserved (2)" for the values from 2.
  public var description: String {
    switch self {
    case .notSupported: "not supported"
    case .supported: "supported"
    default: "reserved (\(rawValue))"
    }
  }
}

extension CentralAddressResolution: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Central Address Resolution" }
}

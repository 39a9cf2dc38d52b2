/// That a device uses nothing but resolvable private addresses once it is bonded, characteristic 2AC9: it says so by having it.
///
/// Core 6.0, Vol 3, Part C, 12.5.
public struct ResolvablePrivateAddressOnly: RawRepresentable, Hashable, Sendable {
  /// The number as sent.
  public var rawValue: UInt8

  /// A number as sent, known or reserved.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Only resolvable private addresses are used after bonding.
  public static let afterBonding = Self(rawValue: 0)
}

extension ResolvablePrivateAddressOnly: CustomStringConvertible {
  /// "after bonding"; "reserved (1)" for the values from 1.
  public var description: String { self == .afterBonding ? "after bonding" : "reserved (\(rawValue))" }
}

extension ResolvablePrivateAddressOnly: AttributeValue {
  /// The name of the characteristic.
  public static var name: StaticString { "Resolvable Private Address Only" }
}

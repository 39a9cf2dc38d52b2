/// Which protocol a channel carries.
///
/// Core 6.0, Vol 3, Part A, 4.2 and 4.22.
public struct ProtocolServiceMultiplexer: RawRepresentable, Hashable, Sendable {
  /// The value as sent.
  public let rawValue: UInt16

  /// A value, given out or not.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The Service Discovery Protocol of BR/EDR. Assigned Numbers, 2.5.
  public static var serviceDiscovery: Self { Self(rawValue: 0x0001) }
  /// ATT over BR/EDR. Assigned Numbers, 2.5.
  public static var att: Self { Self(rawValue: 0x001F) }
  /// Enhanced ATT. Assigned Numbers, 2.5.
  public static var enhancedATT: Self { Self(rawValue: 0x0027) }

  /// Whether it stands for a protocol, or may be given to any by a device. Assigned Numbers, 2.5; Core 6.0, Vol 3, Part A,
  /// 4.2 and 4.22.
  /// - Parameter isCreditBased: Whether it is for credit-based channels: devices have other numbers to give then.
  public func isGivenOut(isCreditBased: Bool) -> Bool {
    if (0x0001...0x0027).contains(rawValue) { return rawValue & 1 == 1 }
    return isCreditBased
      ? (0x0080...0x00FF).contains(rawValue) : rawValue > 0x1000 && rawValue & 0x0101 == 0x0001
  }
}

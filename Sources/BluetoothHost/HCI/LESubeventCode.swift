/// The subevent code of an LE Meta event.
///
/// Core 6.0, Vol 4, Part E, 7.7.65.
@frozen public struct LESubeventCode: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  /// The code as sent.
  public let rawValue: UInt8

  /// A code, known or not.
  @inlinable public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A connection was made, or not.
  @inlinable public static var connectionComplete: LESubeventCode { LESubeventCode(rawValue: 0x01) }
  /// Legacy advertising was received.
  @inlinable public static var advertisingReport: LESubeventCode { LESubeventCode(rawValue: 0x02) }
  /// A connection's parameters changed, or not.
  @inlinable public static var connectionUpdateComplete: LESubeventCode { LESubeventCode(rawValue: 0x03) }
  /// The peer asks for other connection parameters over the link layer.
  @inlinable public static var remoteConnectionParameterRequest: LESubeventCode { LESubeventCode(rawValue: 0x06) }
  /// The lengths of link layer packets changed.
  @inlinable public static var dataLengthChange: LESubeventCode { LESubeventCode(rawValue: 0x07) }
  /// A connection was made, or not; with private addresses.
  @inlinable public static var enhancedConnectionComplete: LESubeventCode { LESubeventCode(rawValue: 0x0A) }
  /// The radio's modulation changed, or not.
  @inlinable public static var phyUpdateComplete: LESubeventCode { LESubeventCode(rawValue: 0x0C) }
  /// Extended or legacy advertising was received by an extended scan.
  @inlinable public static var extendedAdvertisingReport: LESubeventCode { LESubeventCode(rawValue: 0x0D) }
  /// How many of a connection's events are used changed, or not.
  @inlinable public static var subrateChange: LESubeventCode { LESubeventCode(rawValue: 0x23) }
  /// A connection was made, or not; with the advertising set it came from.
  @inlinable public static var enhancedConnectionCompleteV2: LESubeventCode { LESubeventCode(rawValue: 0x29) }
}

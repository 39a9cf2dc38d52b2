/// What a command on a signalling channel is.
///
/// Core 6.0, Vol 3, Part A, 4.
public struct SignallingCode: RawRepresentable, Hashable, Sendable {
  /// The code as sent.
  public let rawValue: UInt8

  /// A code, known or not.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A command was not understood.
  public static var commandReject: SignallingCode { SignallingCode(rawValue: 0x01) }
  /// A BR/EDR channel is asked for.
  public static var connectionRequest: SignallingCode { SignallingCode(rawValue: 0x02) }
  /// A BR/EDR channel is granted, or refused.
  public static var connectionResponse: SignallingCode { SignallingCode(rawValue: 0x03) }
  /// One end of a BR/EDR channel says what it can take.
  public static var configurationRequest: SignallingCode { SignallingCode(rawValue: 0x04) }
  /// What one end of a BR/EDR channel can take is accepted, or not.
  public static var configurationResponse: SignallingCode { SignallingCode(rawValue: 0x05) }
  /// A channel is to end.
  public static var disconnectionRequest: SignallingCode { SignallingCode(rawValue: 0x06) }
  /// A channel has ended.
  public static var disconnectionResponse: SignallingCode { SignallingCode(rawValue: 0x07) }
  /// A peripheral asks for other connection parameters.
  public static var connectionParameterUpdateRequest: SignallingCode { SignallingCode(rawValue: 0x12) }
  /// The central accepts the connection parameters that were asked for, or refuses them.
  public static var connectionParameterUpdateResponse: SignallingCode { SignallingCode(rawValue: 0x13) }
  /// A Low Energy credit-based channel is asked for.
  public static var leCreditBasedConnectionRequest: SignallingCode { SignallingCode(rawValue: 0x14) }
  /// A Low Energy credit-based channel is granted, or refused.
  public static var leCreditBasedConnectionResponse: SignallingCode { SignallingCode(rawValue: 0x15) }
  /// Enhanced credit-based channels are asked for.
  public static var creditBasedConnectionRequest: SignallingCode { SignallingCode(rawValue: 0x17) }
  /// Enhanced credit-based channels are granted, or refused.
  public static var creditBasedConnectionResponse: SignallingCode { SignallingCode(rawValue: 0x18) }
  /// Enhanced channels are to have other MTUs.
  public static var creditBasedReconfigureRequest: SignallingCode { SignallingCode(rawValue: 0x19) }
  /// Other MTUs of enhanced channels are accepted, or refused.
  public static var creditBasedReconfigureResponse: SignallingCode { SignallingCode(rawValue: 0x1A) }

  /// Whether a command has an identifier of its own: it asks, or gives credit. All others have that of what they answer.
  var isRequest: Bool {
    switch self {
    case .creditBasedConnectionRequest, .creditBasedReconfigureRequest: true
    // Before these, Flow Control Credit Indication among them, those that ask are even.
    default: rawValue < 0x17 && rawValue & 1 == 0
    }
  }
}

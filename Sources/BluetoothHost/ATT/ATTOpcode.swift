/// What an ATT PDU is.
///
/// Core 6.0, Vol 3, Part F, 3.4.8.
@frozen public struct ATTOpcode: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  /// The opcode as sent.
  public let rawValue: UInt8

  /// An opcode, known or not.
  @inlinable public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Error Response.
  @inlinable public static var errorResponse: ATTOpcode { ATTOpcode(rawValue: 0x01) }
  /// Exchange MTU Request.
  @inlinable public static var exchangeMTURequest: ATTOpcode { ATTOpcode(rawValue: 0x02) }
  /// Exchange MTU Response.
  @inlinable public static var exchangeMTUResponse: ATTOpcode { ATTOpcode(rawValue: 0x03) }
  /// Find Information Request.
  @inlinable public static var findInformationRequest: ATTOpcode { ATTOpcode(rawValue: 0x04) }
  /// Find Information Response.
  @inlinable public static var findInformationResponse: ATTOpcode { ATTOpcode(rawValue: 0x05) }
  /// Find By Type Value Request.
  @inlinable public static var findByTypeValueRequest: ATTOpcode { ATTOpcode(rawValue: 0x06) }
  /// Find By Type Value Response.
  @inlinable public static var findByTypeValueResponse: ATTOpcode { ATTOpcode(rawValue: 0x07) }
  /// Read By Type Request.
  @inlinable public static var readByTypeRequest: ATTOpcode { ATTOpcode(rawValue: 0x08) }
  /// Read By Type Response.
  @inlinable public static var readByTypeResponse: ATTOpcode { ATTOpcode(rawValue: 0x09) }
  /// Read Request.
  @inlinable public static var readRequest: ATTOpcode { ATTOpcode(rawValue: 0x0A) }
  /// Read Response.
  @inlinable public static var readResponse: ATTOpcode { ATTOpcode(rawValue: 0x0B) }
  /// Read Blob Request.
  @inlinable public static var readBlobRequest: ATTOpcode { ATTOpcode(rawValue: 0x0C) }
  /// Read Blob Response.
  @inlinable public static var readBlobResponse: ATTOpcode { ATTOpcode(rawValue: 0x0D) }
  /// Read Multiple Request.
  @inlinable public static var readMultipleRequest: ATTOpcode { ATTOpcode(rawValue: 0x0E) }
  /// Read Multiple Response.
  @inlinable public static var readMultipleResponse: ATTOpcode { ATTOpcode(rawValue: 0x0F) }
  /// Read By Group Type Request.
  @inlinable public static var readByGroupTypeRequest: ATTOpcode { ATTOpcode(rawValue: 0x10) }
  /// Read By Group Type Response.
  @inlinable public static var readByGroupTypeResponse: ATTOpcode { ATTOpcode(rawValue: 0x11) }
  /// Write Request.
  @inlinable public static var writeRequest: ATTOpcode { ATTOpcode(rawValue: 0x12) }
  /// Write Response.
  @inlinable public static var writeResponse: ATTOpcode { ATTOpcode(rawValue: 0x13) }
  /// Prepare Write Request.
  @inlinable public static var prepareWriteRequest: ATTOpcode { ATTOpcode(rawValue: 0x16) }
  /// Prepare Write Response.
  @inlinable public static var prepareWriteResponse: ATTOpcode { ATTOpcode(rawValue: 0x17) }
  /// Execute Write Request.
  @inlinable public static var executeWriteRequest: ATTOpcode { ATTOpcode(rawValue: 0x18) }
  /// Execute Write Response.
  @inlinable public static var executeWriteResponse: ATTOpcode { ATTOpcode(rawValue: 0x19) }
  /// Handle Value Notification.
  @inlinable public static var handleValueNotification: ATTOpcode { ATTOpcode(rawValue: 0x1B) }
  /// Handle Value Indication.
  @inlinable public static var handleValueIndication: ATTOpcode { ATTOpcode(rawValue: 0x1D) }
  /// Handle Value Confirmation.
  @inlinable public static var handleValueConfirmation: ATTOpcode { ATTOpcode(rawValue: 0x1E) }
  /// Read Multiple Variable Request.
  @inlinable public static var readMultipleVariableRequest: ATTOpcode { ATTOpcode(rawValue: 0x20) }
  /// Read Multiple Variable Response.
  @inlinable public static var readMultipleVariableResponse: ATTOpcode { ATTOpcode(rawValue: 0x21) }
  /// Multiple Handle Value Notification.
  @inlinable public static var multipleHandleValueNotification: ATTOpcode { ATTOpcode(rawValue: 0x23) }
  /// Write Command.
  @inlinable public static var writeCommand: ATTOpcode { ATTOpcode(rawValue: 0x52) }
  /// Signed Write Command.
  @inlinable public static var signedWriteCommand: ATTOpcode { ATTOpcode(rawValue: 0xD2) }

  /// The opcode of the response to this request: the next number, for every request there is.
  public var response: ATTOpcode { ATTOpcode(rawValue: rawValue &+ 1) }

  /// The opcode of the request that this response answers: the number before.
  public var request: ATTOpcode { ATTOpcode(rawValue: rawValue &- 1) }

  /// Whether a server sends it rather than a client; nil for an opcode that the specification does not define. Those of
  /// responses, notifications and indications are odd, of requests, commands and confirmations even.
  public var isSentByServer: Bool? { name == nil ? nil : rawValue & 1 == 1 }

  /// Whether it is a request: a response or an Error Response answers it. Core 6.0, Vol 3, Part F, 3.4.8.
  public var isRequest: Bool {
    switch self {
    case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readRequest,
      .readBlobRequest, .readMultipleRequest, .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest,
      .executeWriteRequest, .readMultipleVariableRequest:
      true
    default: false
    }
  }

  /// Whether it is a response other than an Error Response.
  public var isResponse: Bool { request.isRequest }

  /// What a PDU is between client and server. Core 6.0, Vol 3, Part F, 3.3.
  public enum Role: Hashable, Sendable {
    /// A client asks, and is answered.
    case request
    /// A server answers, or says with an Error Response why it does not.
    case response
    /// A client says something, and is not answered.
    case command
    /// A server tells values, and is not answered.
    case notification
    /// A server tells a value, and waits until that is confirmed.
    case indication
    /// A client confirms what was indicated.
    case confirmation
  }

  /// What it is between client and server; nil for an opcode that the specification does not define, unless the Command
  /// Flag makes it a command.
  public var role: Role? {
    switch self {
    case .errorResponse: .response
    case .handleValueNotification, .multipleHandleValueNotification: .notification
    case .handleValueIndication: .indication
    case .handleValueConfirmation: .confirmation
    default: isRequest ? .request : isResponse ? .response : isCommand ? .command : nil
    }
  }

  /// Whether it is a request that looks for attributes among some handles: discovery ends with one that finds none.
  public var isDiscovery: Bool {
    switch self {
    case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest: true
    default: false
    }
  }

  /// Whether it is a command: the Command Flag. Core 6.0, Vol 3, Part F, 3.3.1.
  public var isCommand: Bool { rawValue & 0x40 != 0 }

  /// Whether it is one of the two notifications.
  public var isNotification: Bool { self == .handleValueNotification || self == .multipleHandleValueNotification }

  /// Whether a PDU of this kind can be so long. Core 6.0, Vol 3, Part F, 3.4.
  public func mayHave(length: Int) -> Bool {
    switch self {
    case .writeResponse, .executeWriteResponse, .handleValueConfirmation: length == 1
    case .executeWriteRequest: length == 2
    case .exchangeMTURequest, .exchangeMTUResponse, .readRequest: length == 3
    case .errorResponse, .findInformationRequest, .readBlobRequest: length == 5
    // Types have 2 octets or 16.
    case .readByTypeRequest, .readByGroupTypeRequest: length == 7 || length == 21
    case .readResponse, .readBlobResponse, .readMultipleResponse, .readMultipleVariableResponse: length >= 1
    case .writeRequest, .handleValueNotification, .handleValueIndication, .writeCommand: length >= 3
    case .readByTypeResponse: length >= 4
    case .findByTypeValueResponse, .readMultipleRequest, .prepareWriteRequest, .prepareWriteResponse,
      .readMultipleVariableRequest, .multipleHandleValueNotification:
      length >= 5
    case .findInformationResponse, .readByGroupTypeResponse: length >= 6
    case .findByTypeValueRequest: length >= 7
    case .signedWriteCommand: length >= 15
    default: false
    }
  }

  /// The name in the specification; nil for an opcode that it does not define.
  public var name: String? {
    switch self {
    case .errorResponse: "Error Response"
    case .exchangeMTURequest: "Exchange MTU Request"
    case .exchangeMTUResponse: "Exchange MTU Response"
    case .findInformationRequest: "Find Information Request"
    case .findInformationResponse: "Find Information Response"
    case .findByTypeValueRequest: "Find By Type Value Request"
    case .findByTypeValueResponse: "Find By Type Value Response"
    case .readByTypeRequest: "Read By Type Request"
    case .readByTypeResponse: "Read By Type Response"
    case .readRequest: "Read Request"
    case .readResponse: "Read Response"
    case .readBlobRequest: "Read Blob Request"
    case .readBlobResponse: "Read Blob Response"
    case .readMultipleRequest: "Read Multiple Request"
    case .readMultipleResponse: "Read Multiple Response"
    case .readByGroupTypeRequest: "Read By Group Type Request"
    case .readByGroupTypeResponse: "Read By Group Type Response"
    case .writeRequest: "Write Request"
    case .writeResponse: "Write Response"
    case .prepareWriteRequest: "Prepare Write Request"
    case .prepareWriteResponse: "Prepare Write Response"
    case .executeWriteRequest: "Execute Write Request"
    case .executeWriteResponse: "Execute Write Response"
    case .handleValueNotification: "Handle Value Notification"
    case .handleValueIndication: "Handle Value Indication"
    case .handleValueConfirmation: "Handle Value Confirmation"
    case .readMultipleVariableRequest: "Read Multiple Variable Request"
    case .readMultipleVariableResponse: "Read Multiple Variable Response"
    case .multipleHandleValueNotification: "Multiple Handle Value Notification"
    case .writeCommand: "Write Command"
    case .signedWriteCommand: "Signed Write Command"
    default: nil
    }
  }
}

extension CapturedOctets {
  /// What this is as an ATT PDU; nil if nothing of it is there.
  @inlinable public var opcode: ATTOpcode? { octets.isEmpty ? nil : ATTOpcode(rawValue: octets[0]) }
}

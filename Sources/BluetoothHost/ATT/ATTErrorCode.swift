/// Why a request was refused.
///
/// Core 6.0, Vol 3, Part F, 3.4.1.1; from 0x80 the application's, from 0xE0 those of the Core Specification Supplement.
@frozen public struct ATTErrorCode: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  /// The code as sent.
  public let rawValue: UInt8

  /// A code, known or not.
  @inlinable public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// There is no attribute with the handle.
  @inlinable public static var invalidHandle: ATTErrorCode { ATTErrorCode(rawValue: 0x01) }
  /// The attribute cannot be read.
  @inlinable public static var readNotPermitted: ATTErrorCode { ATTErrorCode(rawValue: 0x02) }
  /// The attribute cannot be written.
  @inlinable public static var writeNotPermitted: ATTErrorCode { ATTErrorCode(rawValue: 0x03) }
  /// The link's key is not an authenticated one, or there is none.
  @inlinable public static var insufficientAuthentication: ATTErrorCode { ATTErrorCode(rawValue: 0x05) }
  /// The client has not been authorized.
  @inlinable public static var insufficientAuthorization: ATTErrorCode { ATTErrorCode(rawValue: 0x08) }
  /// There is no such attribute, or no more of them: how discovery ends.
  @inlinable public static var attributeNotFound: ATTErrorCode { ATTErrorCode(rawValue: 0x0A) }
  /// The link's key is too short.
  @inlinable public static var encryptionKeySizeTooShort: ATTErrorCode { ATTErrorCode(rawValue: 0x0C) }
  /// The link is not encrypted.
  @inlinable public static var insufficientEncryption: ATTErrorCode { ATTErrorCode(rawValue: 0x0F) }
  /// The client has to learn first that the server's table has changed. Core 6.0, Vol 3, Part G, 2.5.2.
  @inlinable public static var databaseOutOfSync: ATTErrorCode { ATTErrorCode(rawValue: 0x12) }

  /// Whether it asks for a safer link. Core 6.0, Vol 3, Part F, 3.4.1.1.
  public var wantsSecurity: Bool {
    switch self {
    case .insufficientAuthentication, .insufficientAuthorization, .encryptionKeySizeTooShort, .insufficientEncryption:
      true
    default: false
    }
  }

  /// The name in the specification; nil for a code that it does not define.
  public var name: String? {
    switch rawValue {
    case 0x01: "Invalid Handle"
    case 0x02: "Read Not Permitted"
    case 0x03: "Write Not Permitted"
    case 0x04: "Invalid PDU"
    case 0x05: "Insufficient Authentication"
    case 0x06: "Request Not Supported"
    case 0x07: "Invalid Offset"
    case 0x08: "Insufficient Authorization"
    case 0x09: "Prepare Queue Full"
    case 0x0A: "Attribute Not Found"
    case 0x0B: "Attribute Not Long"
    case 0x0C: "Encryption Key Size Too Short"
    case 0x0D: "Invalid Attribute Value Length"
    case 0x0E: "Unlikely Error"
    case 0x0F: "Insufficient Encryption"
    case 0x10: "Unsupported Group Type"
    case 0x11: "Insufficient Resources"
    case 0x12: "Database Out Of Sync"
    case 0x13: "Value Not Allowed"
    case 0x80...0x9F: "Application Error"
    case 0xFC: "Write Request Rejected"
    case 0xFD: "Client Characteristic Configuration Descriptor Improperly Configured"
    case 0xFE: "Procedure Already in Progress"
    case 0xFF: "Out of Range"
    default: nil
    }
  }
}

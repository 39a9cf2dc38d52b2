import Octets

/// A command of the Security Manager Protocol, by which two devices pair.
///
///     +--------+--------
///     | code   | data …
///     +--------+--------
///
/// Core 6.0, Vol 3, Part H, 3.3. Only how a pairing begins and fails, and whose key it is that is told, are told apart.
public enum SecurityManagerCommand: Sendable {
  /// The central asks for a pairing. 3.5.1.
  case pairingRequest
  /// The pairing is over; the reason is nil if it is not there. 3.5.5.
  case pairingFailed(PairingFailedReason?)
  /// The key with which its sender makes private addresses; nil if it is none. 3.6.4.
  case identityInformation(IdentityResolvingKey?)
  /// The lasting address of its sender; nil if it is not all there. 3.6.5.
  case identityAddressInformation(DeviceAddress?)
  /// The peripheral asks the central to encrypt the link, by a key that they have or by a pairing. 3.6.7.
  case securityRequest
  /// Any other.
  case other(code: UInt8)

  /// Whether it gives a key, or what belongs to one, to the other end: over a link that the pairing has encrypted. 3.6.
  public var distributesKeys: Bool {
    switch self {
    case .identityInformation, .identityAddressInformation: true
    case .other(let code): [0x06, 0x07, 0x0A].contains(code)
    case .pairingRequest, .pairingFailed, .securityRequest: false
    }
  }

  /// The command in a PDU of a security manager channel; nil if not even its code is there.
  public init?(parsing payload: CapturedOctets) {
    var reader = payload.reader("SMP")
    guard let code = try? reader.uint8("Code") else { return nil }
    switch code {
    case 0x01: self = .pairingRequest
    case 0x05: self = .pairingFailed((try? reader.uint8("Reason")).map(PairingFailedReason.init))
    case 0x08: self = .identityInformation(IdentityResolvingKey(ContiguousArray(reader.prefix(16))))
    case 0x09: self = .identityAddressInformation(try? DeviceAddress(parsing: &reader, behind: "AddrType"))
    case 0x0B: self = .securityRequest
    default: self = .other(code: code)
    }
  }
}

/// Why a pairing failed.
///
/// Core 6.0, Vol 3, Part H, 3.5.5.
public struct PairingFailedReason: RawRepresentable, Hashable, Sendable {
  /// The reason as sent.
  public let rawValue: UInt8

  /// A reason, known or not.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The name in the specification; nil for a reason that it does not define.
  public var name: String? {
    switch rawValue {
    case 0x01: "Passkey Entry Failed"
    case 0x02: "OOB Not Available"
    case 0x03: "Authentication Requirements"
    case 0x04: "Confirm Value Failed"
    case 0x05: "Pairing Not Supported"
    case 0x06: "Encryption Key Size"
    case 0x07: "Command Not Supported"
    case 0x08: "Unspecified Reason"
    case 0x09: "Repeated Attempts"
    case 0x0A: "Invalid Parameters"
    case 0x0B: "DHKey Check Failed"
    case 0x0C: "Numeric Comparison Failed"
    case 0x0D: "BR/EDR pairing in progress"
    case 0x0E: "Cross-transport Key Derivation/Generation not allowed"
    case 0x0F: "Key Rejected"
    case 0x10: "Busy"
    default: nil
    }
  }
}

import BluetoothHost
import Testing
import TestSupport

/// Core 6.0, Vol 3, Part H, 3.3 to 3.6.
@Suite struct `Security manager commands` {
  static let examples: [(String, String?)] = [
    ("01 03 00 01 10 01 01", "pairing request"), ("02 03 00 01 10 01 01", "other 2"), ("0b 01", "security request"),
    ("05 05", "failed Pairing Not Supported"), ("05", "failed for no reason"),
    ("08 9b 7d 39 0a a6 10 10 34 05 ad c8 57 a3 34 02 ec", "key"), ("08 9b 7d", "no key"),
    ("09 01 11 22 33 44 55 c6", "address C6:55:44:33:22:11 random"),
    ("09 00 11 22 33 44 55 c6", "address C6:55:44:33:22:11 public"), ("09 01 11 22", "no address"), ("", nil),
  ]

  @Test(arguments: examples) func `are read`(octets: String, expected: String?) {
    #expect(hex(octets).captured { SecurityManagerCommand(parsing: $0).map(Self.text) } == expected)
  }

  @Test func `are read as far as the capture kept them`() {
    let pdu = hex("05 03")
    #expect(pdu.captured(keeping: 1) { SecurityManagerCommand(parsing: $0).map(Self.text) } == "failed for no reason")
    #expect(pdu.captured(keeping: 0) { SecurityManagerCommand(parsing: $0).map(Self.text) } == nil)
  }

  private static func text(_ command: SecurityManagerCommand) -> String {
    switch command {
    case .pairingFailed(let reason): "failed \(reason.map { $0.name ?? "\($0.rawValue)" } ?? "for no reason")"
    case .pairingRequest: "pairing request"
    case .securityRequest: "security request"
    case .identityInformation(let key): key == nil ? "no key" : "key"
    case .identityAddressInformation(let address):
      address.map { "address \($0) \($0.kind == .random ? "random" : "public")" } ?? "no address"
    case .other(let code): "other \(code)"
    }
  }

  /// Core 6.0, Vol 3, Part H, 3.5.5.
  @Test(
    arguments: [
      (0x00, nil), (0x01, "Passkey Entry Failed"), (0x02, "OOB Not Available"), (0x03, "Authentication Requirements"),
      (0x04, "Confirm Value Failed"), (0x05, "Pairing Not Supported"), (0x06, "Encryption Key Size"),
      (0x07, "Command Not Supported"), (0x08, "Unspecified Reason"), (0x09, "Repeated Attempts"),
      (0x0A, "Invalid Parameters"), (0x0B, "DHKey Check Failed"), (0x0C, "Numeric Comparison Failed"),
      (0x0D, "BR/EDR pairing in progress"), (0x0E, "Cross-transport Key Derivation/Generation not allowed"),
      (0x0F, "Key Rejected"), (0x10, "Busy"), (0x11, nil), (0xFF, nil),
    ] as [(UInt8, String?)])
  func `tell why a pairing failed`(reason: UInt8, name: String?) {
    #expect(PairingFailedReason(rawValue: reason).name == name)
  }
}

import BluetoothHost
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 1, Part F, 1.3.
@Suite struct `HCI error codes` {
  @Test(
    arguments: [
      (0x00, "Success"), (0x02, "Unknown Connection Identifier"), (0x05, "Authentication Failure"),
      (0x06, "PIN or Key Missing"), (0x08, "Connection Timeout"), (0x09, "Connection Limit Exceeded"),
      (0x0C, "Command Disallowed"), (0x12, "Invalid HCI Command Parameters"),
      (0x13, "Remote User Terminated Connection"), (0x14, "Remote Device Terminated Connection due to Low Resources"),
      (0x15, "Remote Device Terminated Connection due to Power Off"), (0x16, "Connection Terminated By Local Host"),
      (0x1A, "Unsupported Remote Feature"), (0x1F, "Unspecified Error"),
      (0x22, "LMP Response Timeout / LL Response Timeout"), (0x28, "Instant Passed"),
      (0x29, "Pairing With Unit Key Not Supported"), (0x2A, "Different Transaction Collision"), (0x2B, nil),
      (0x2C, "QoS Unacceptable Parameter"), (0x2F, "Insufficient Security"), (0x31, nil), (0x33, nil),
      (0x34, "Reserved Slot Violation"), (0x3A, "Controller Busy"), (0x3B, "Unacceptable Connection Parameters"),
      (0x3C, "Advertising Timeout"), (0x3D, "Connection Terminated due to MIC Failure"),
      (0x3E, "Connection Failed to be Established / Synchronization Timeout"), (0x3F, nil),
      (0x42, "Unknown Advertising Identifier"), (0x44, "Operation Cancelled by Host"), (0x45, "Packet Too Long"),
      (0x48, "Insufficient Channels"), (0x49, nil), (0xFF, nil),
    ] as [(UInt8, String?)])
  func `have their names`(code: UInt8, name: String?) {
    #expect(HCIErrorCode(rawValue: code).name == name)
  }
}

/// Core 6.0, Vol 6, Part B, 1.3.
@Suite struct `Device addresses` {
  @Test func `the first octet on the air is the last one written`() throws {
    let address = try hex("11 5a 2c 1a 9e e0").withOctets { span in
      var reader = OctetReader(span, layer: "test")
      return try DeviceAddress(parsing: &reader, .random)
    }
    #expect("\(address)" == "E0:9E:1A:2C:5A:11" && address.number == 0xE09E_1A2C_5A11)
    #expect("\(DeviceAddress(0x0102_0304_0506, .public))" == "01:02:03:04:05:06")
  }

  @Test(
    arguments: [
      (0xC000_0000_0001, .random, .static), (0xFFFF_FFFF_FFFF, .random, .static),
      (0x4000_0000_0001, .random, .resolvablePrivate), (0x7FFF_FFFF_FFFF, .random, .resolvablePrivate),
      (0x0000_0000_0001, .random, .nonResolvablePrivate), (0x8000_0000_0001, .random, nil),
      (0xC000_0000_0001, .public, nil), (0x4000_0000_0001, .public, nil),
    ] as [(UInt64, DeviceAddress.Kind, DeviceAddress.RandomKind?)])
  func `the two highest bits of a random one tell what it is`(
    number: UInt64, kind: DeviceAddress.Kind, meaning: DeviceAddress.RandomKind?
  ) {
    let address = DeviceAddress(number, kind)
    #expect(address.randomKind == meaning && address.isResolvable == (meaning == .resolvablePrivate))
  }

  @Test func `addresses of two kinds are two addresses`() {
    #expect(DeviceAddress(1, .random) != DeviceAddress(1, .public))
    #expect(DeviceAddress(1 << 48 | 1, .random) == DeviceAddress(1, .random))
  }
}

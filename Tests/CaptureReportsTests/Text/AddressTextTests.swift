import BluetoothHost
import Testing

@testable import CaptureReports

@Suite struct `Addresses in words` {
  @Test(
    arguments: [
      (0xC09E_1A2C_5A11, .random, "C0:9E:1A:2C:5A:11 random static"),
      (0x409E_1A2C_5A11, .random, "40:9E:1A:2C:5A:11 random resolvable private"),
      (0xA09E_1A2C_5A11, .random, "A0:9E:1A:2C:5A:11 random"), (0xA09E_1A2C_5A11, .public, "A0:9E:1A:2C:5A:11 public"),
    ] as [(UInt64, DeviceAddress.Kind, String)])
  func `tell their kind`(number: UInt64, kind: DeviceAddress.Kind, text: String) {
    #expect(DeviceAddress(number, kind).text == text)
  }
}

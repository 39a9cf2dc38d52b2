import TestSupport
import Testing

@testable import BluetoothHost

@Suite struct `AES 128` {
  /// FIPS 197, appendices B and C.1.
  @Test(arguments: [
    ("2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"),
    ("000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"),
  ])
  func `encrypts a block`(key: String, plain: String, encrypted: String) {
    let cipher = AES128(key: AES128.block(hex(key)))
    #expect(cipher.encrypt(AES128.block(hex(plain))) == AES128.block(hex(encrypted)))
  }
}

@Suite struct `Resolvable private addresses` {
  @Test func `are resolved with the key that made them`() throws {
    let key = try #require(IdentityResolvingKey(ContiguousArray(PrivateDevice.key)))
    #expect(key.resolves(DeviceAddress(0x7081_940D_FBAA, .random)))
    #expect(!key.resolves(DeviceAddress(0x7081_940D_FBAB, .random)))
    #expect(!key.resolves(DeviceAddress(0x7081_940D_FBAA, .public)))
    // A static address with the same digits behind its two highest bits.
    #expect(!key.resolves(DeviceAddress(0xF081_940D_FBAA, .random)))
  }

  @Test func `not with a key that is none`() {
    #expect(IdentityResolvingKey([]) == nil)
    #expect(IdentityResolvingKey(ContiguousArray(repeating: 0, count: 16)) == nil)
  }
}

import CaptureFiles
import TestSupport

/// Packets of each kind, as any capture may hold them.
enum Traffic {
  /// A Reset and its completion, ACL data both ways, one of them cut; all of different lengths and times.
  static let packets: [CapturedPacket] = [
    CapturedPacket(.command, .sent, hex("03 0c 00"), time: CapturedPacket.start),
    CapturedPacket(.event, .received, hex("0e 04 01 03 0c 00"), time: CapturedPacket.start + 1),
    CapturedPacket(
      .aclData, .sent, hex("40 00 07 00 03 00 04 00 0a 10 00"), time: CapturedPacket.start + 999_999),
    CapturedPacket(
      .aclData, .received, hex("40 20 0b 00 07 00 04 00 1b 10 00 16 48 e8 03"), time: CapturedPacket.start + 1_000_000),
    CapturedPacket(
      .aclData, .received, hex("40 20 0d 00 09 00 04 00 1b 10 00 16 49 e8 03 ea 03"), kept: 14,
      time: CapturedPacket.start + 2_500_000),
    CapturedPacket(.event, .received, hex("13 05 01 40 00 01 00"), time: CapturedPacket.start + 2_500_000),
  ]

  /// So many notifications of heart rate, a second apart, each one different.
  static func notifications(_ count: Int) -> [CapturedPacket] {
    (0..<count).map { index in
      let value = [0x16, UInt8(60 + index % 100), UInt8(index & 0xFF), 3]
      return CapturedPacket(
        .aclData, .received, hex("40 20 0b 00 07 00 04 00 1b 10 00") + value,
        time: CapturedPacket.start + Int64(index) * 1_000_000)
    }
  }
}

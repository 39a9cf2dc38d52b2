import BluetoothHost
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 4, Part E, 5.4.
@Suite struct `HCI packets` {
  private func read(_ octets: [UInt8], _ kind: HCIPacketKind, keeping kept: Int? = nil) throws -> String {
    try octets.captured(keeping: kept, origin: 40) { octets in
      switch try HCIPacket(parsing: octets, as: kind) {
      case .command(let command):
        "\(command.opcode.rawValue.digits) \(command.parameters.text) @\(command.parameters.origin)"
      case .event(let event): "\(event.code.rawValue.digits) \(event.parameters.text) @\(event.parameters.origin)"
      case .aclData(let data):
        "\(data.connectionHandle.digits) \(data.isBroadcast ? "broadcast " : "")"
          + "\(data.isContinuation ? "continued" : "start") \(data.data.text) @\(data.data.origin)"
      }
    }
  }

  @Test(
    arguments: [
      ("03 0c 00", .command, nil, "0c03  @43"), ("06 04 03 40 00 13", .command, nil, "0406 400013 @43"),
      ("06 04 03 40 00 13", .command, 4, "0406 40…3 @43"), ("06 04 03 40 00 13", .command, 3, "0406 …3 @43"),
      ("0e 04 01 03 0c 00", .event, nil, "000e 01030c00 @42"), ("0e 04 01 03 0c 00", .event, 5, "000e 01030c…4 @42"),
      // The length in the packet decides: more is left over, less is cut.
      ("0e 02 01 03 0c 00", .event, nil, "000e 0103 @42"), ("0e 06 01 03 0c 00", .event, nil, "000e 01030c00…6 @42"),
      ("40 00 03 00 aa bb cc", .aclData, nil, "0040 start aabbcc @44"),
      ("40 10 03 00 aa bb cc", .aclData, nil, "0040 continued aabbcc @44"),
      ("40 20 03 00 aa bb cc", .aclData, nil, "0040 start aabbcc @44"),
      ("40 30 03 00 aa bb cc", .aclData, nil, "0040 start aabbcc @44"),
      ("40 60 03 00 aa bb cc", .aclData, nil, "0040 broadcast start aabbcc @44"),
      ("40 50 03 00 aa bb cc", .aclData, nil, "0040 broadcast continued aabbcc @44"),
      ("40 a0 03 00 aa bb cc", .aclData, nil, "0040 broadcast start aabbcc @44"),
      ("ff 2f 00 00", .aclData, nil, "0fff start  @44"),
      ("40 20 07 00 aa bb cc dd ee ff 00", .aclData, 6, "0040 start aabb…7 @44"),
      ("40 20 00 00", .aclData, nil, "0040 start  @44"),
    ] as [(String, HCIPacketKind, Int?, String)])
  func `headers`(octets: String, kind: HCIPacketKind, kept: Int?, meaning: String) throws {
    #expect(try read(hex(octets), kind, keeping: kept) == meaning)
  }

  @Test(arguments: [(HCIPacketKind.command, 3), (.event, 2), (.aclData, 4)])
  func `headers that are not all there are errors`(kind: HCIPacketKind, length: Int) throws {
    for count in 0..<length {
      #expect { try read(Array(repeating: 0, count: count), kind) } throws: { error in
        guard let error = error as? ParsingError else { return false }
        return error.layer.hasPrefix("HCI") && error.offset >= 40 && error.offset <= 40 + count
      }
    }
    _ = try read(Array(repeating: 0, count: length), kind)
  }
}

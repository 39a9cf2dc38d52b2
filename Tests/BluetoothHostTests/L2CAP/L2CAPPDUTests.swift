import BluetoothHost
import Octets
import Testing
import TestSupport

/// Core 6.0, Vol 3, Part A, 3.1.
@Suite struct `L2CAP PDUs` {
  @Test(
    arguments: [
      ("0300 0400 0a1000", nil, "0004 0a1000"), ("0000 0500", nil, "0005 "),
      ("0700 4000 1b10001648e803", nil, "0040 1b10001648e803"),
      ("0700 0400 1b10001648e803", 10, "0004 1b10001648e8…7"), ("0700 0400 1b10001648e803", 4, "0004 …7"),
      // The length decides, whatever else is there.
      ("0100 0400 0b0c", nil, "0004 0b"), ("0500 0400 0b0c", nil, "0004 0b0c…5"),
    ] as [(String, Int?, String)])
  func `channel and payload`(octets: String, kept: Int?, meaning: String) throws {
    let text = try hex(octets).captured(keeping: kept) { octets in
      let pdu = try L2CAPPDU(parsing: octets)
      return "\(pdu.channel.rawValue.digits) \(pdu.payload.text)"
    }
    #expect(text == meaning)
  }

  @Test(arguments: 0..<4) func `a header that is not all there is an error`(length: Int) {
    #expect {
      try Array(hex("0300 0400").prefix(length)).captured { _ = try L2CAPPDU(parsing: $0).channel }
    } throws: { ($0 as? ParsingError)?.layer == "L2CAP" }
  }

  @Test(arguments: [(0x0001, false), (0x0004, false), (0x003F, false), (0x0040, true), (0xFFFF, true)])
  func `channels from 0040 on are dynamic`(number: UInt16, isDynamic: Bool) {
    #expect(ChannelID(rawValue: number).isDynamic == isDynamic)
  }
}

/// Core 6.0, Vol 4, Part E, 5.4.2, and Vol 3, Part A, 3.1.
@Suite struct `L2CAP PDUs in one packet` {
  @Test(
    arguments: [
      ("4020 0700 0300 0400 0a1000", "0040 0004 0a1000"), ("ff0e 0400 0000 0500", "0eff 0005 "),
      // A continuation, a flag that is none, a broadcast.
      ("4010 0700 0300 0400 0a1000", nil), ("4030 0700 0300 0400 0a1000", nil), ("4060 0700 0300 0400 0a1000", nil),
      ("4080 0700 0300 0400 0a1000", nil),
      // A first fragment; two lengths that do not agree; more than the lengths tell, and less; no whole header.
      ("4020 0600 0300 0400 0a10", nil), ("4020 0700 0200 0400 0a1000", nil), ("4020 0600 0200 0400 0a1000", nil),
      ("4020 0700 0300 0400 0a10", nil), ("4020 0300 0000 04", nil), ("", nil),
    ] as [(String, String?)])
  func `nothing odd about it`(octets: String, meaning: String?) throws {
    let text = hex(octets).withOctets { octets -> String? in
      guard let pdu = UnfragmentedPDU(OctetWindow(octets), origin: 100) else { return nil }
      #expect(pdu.payload.origin == 108 && !pdu.payload.isCut)
      return "\(pdu.connectionHandle.digits) \(pdu.channel.rawValue.digits) \(pdu.payload.text)"
    }
    #expect(text == meaning)
  }
}

import CaptureFiles
import TestSupport
import Testing

/// How much fits into the enhanced bearers of a connection.
@Suite struct `Enhanced bearers in a report` {
  /// A connection with two, of which each end takes as much.
  private func text(_ first: String, _ second: String) throws -> String {
    var host = HostSide()
    host.connected()
    for (number, mtu) in [(0x40, first), (0x41, second)] as [(UInt16, String)] {
      host.l2cap(.sent, channel: 5, hex("17 07 0a 00 27 00 \(mtu) 40 00 0a 00") + number.little)
      host.l2cap(.received, channel: 5, hex("18 07 0a 00 \(mtu) 40 00 0a 00 00 00") + number.little)
    }
    host.discoverHeartRate()
    host.notified([0x00, 60])
    return Reporting.analysis([try Reporting.summary("enhanced", host.file())], width: 120)
  }

  @Test func `stand beside the other one`() throws {
    #expect(try text("f7 00", "f7 00").contains("ATT_MTU 23   2 enhanced bearers, ATT_MTU 247   "))
    #expect(try text("40 00", "f7 00").contains("ATT_MTU 23   2 enhanced bearers, ATT_MTU 64–247   "))
  }
}

import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// How long a PDU may be is a bearer's, not the connection's.
@Suite struct `Rules about full PDUs over several bearers` {
  private static let full = "10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02"

  /// Seconds of two beats each, and seven of which only nine beats come: on one bearer, with an ATT_MTU for each of both.
  private func rules(isEnhanced: Bool, fixed: UInt16, enhanced: UInt16) throws -> [String] {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("02") + fixed.octets)
    host.received(hex("03") + fixed.octets)
    // Channel 40 here, and 50 there.
    host.l2cap(.sent, channel: 5, hex("17 07 0a 00 27 00") + enhanced.octets + hex("f7 00 0a 00 40 00"))
    host.l2cap(.received, channel: 5, hex("18 07 0a 00") + enhanced.octets + hex("f7 00 0a 00 00 00 50 00"))
    func notify(_ value: String) {
      let pdu = hex("1b 10 00 " + value)
      if isEnhanced {
        host.l2cap(.received, channel: 0x40, UInt16(pdu.count).octets + pdu)
      } else {
        host.received(pdu)
      }
      host.wait(milliseconds: 1000)
    }
    for _ in 0..<12 { notify("10 78 00 02 04 02") }
    host.wait(milliseconds: 7000)
    notify(Self.full)
    for _ in 0..<12 { notify("10 78 00 02 04 02") }
    let names = try host.rules()
    return names.filter { ["rr-overflow", "pdu-exceeds-mtu"].contains($0) }
  }

  @Test func `the measurement fills the PDU of its own bearer`() throws {
    #expect(try rules(isEnhanced: false, fixed: 23, enhanced: 247) == ["rr-overflow"])
    #expect(try rules(isEnhanced: true, fixed: 247, enhanced: 64) == [])
    // 64 octets are the least that L2CAP gives an enhanced bearer. What a bearer has that got fewer is judged by those.
    #expect(try rules(isEnhanced: true, fixed: 247, enhanced: 23) == ["rr-overflow"])
  }

  @Test func `there is room in the PDU of its own bearer, whatever others have`() throws {
    #expect(try rules(isEnhanced: false, fixed: 247, enhanced: 64) == [])
    #expect(try rules(isEnhanced: true, fixed: 23, enhanced: 64) == [])
  }

  @Test func `a measurement is too long for its own bearer`() throws {
    #expect(try rules(isEnhanced: true, fixed: 247, enhanced: 20) == ["pdu-exceeds-mtu", "rr-overflow"])
  }
}

extension UInt16 {
  /// Little-endian.
  fileprivate var octets: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self >> 8)] }
}

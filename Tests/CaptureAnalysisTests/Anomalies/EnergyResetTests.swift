import CaptureAnalysis
import Testing
import TestSupport

/// A sensor's own log, with two phones: one of them resets the energy, which the sensor tells both.
@Suite struct `An energy that another client resets` {
  private func file(isReset: Bool) -> [UInt8] {
    var host = HostSide()
    for handle in [0x40, 0x41] as [UInt16] {
      host.connected(handle, peer: UInt8(handle), isPeripheral: true)
      host.received(on: handle, hex("08 01 00 ff ff 03 28"))
      host.sent(on: handle, hex("09 07 0f 00 10 10 00 37 2a 14 00 08 15 00 39 2a"))
    }
    for energy in [0x40, 0x41, 0x00, 0x01] as [UInt8] {
      if isReset, energy == 0 {
        host.received(on: 0x41, hex("12 15 00 01"))
        host.sent(on: 0x41, hex("13"))
      }
      for handle in [0x40, 0x41] as [UInt16] { host.sent(on: handle, hex("1b 10 00 08 48") + [energy, 0]) }
      host.wait(milliseconds: 990)
    }
    return host.file()
  }

  @Test(arguments: [false, true]) func `falls for both`(isReset: Bool) throws {
    let falls = try summary(of: file(isReset: isReset)).findings.filter { $0.rule == "energy-decreased" }
    #expect(falls.count == (isReset ? 0 : 2))
  }
}

@Suite struct `A reset of the energy` {
  /// Database Out Of Sync (0x12) is told to whoever has an old table, whatever is asked.
  @Test(arguments: [(0x12, false), (0x13, true)] as [(UInt8, Bool)])
  func `is refused for what the control point has no part in`(error: UInt8, isFound: Bool) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate(hasControlPoint: true)
    host.sent(hex("12 15 00 01"))
    host.received(hex("01 12 15 00") + [error])
    host.disconnected()
    #expect(try host.rules().contains("control-point-response") == isFound)
  }
}

import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// What is said of a connection that is lost: from the side that the log was taken on, and with the battery.
@Suite struct `Lost connections` {
  private func message(_ host: HostSide, _ rule: String = "supervision-timeout") throws -> String {
    try #require(try host.findings(of: rule).first).message
  }

  private static let parameters = "interval 30 ms, latency 3, timeout 720 ms"

  /// A phone that takes measurements sends nothing: what it sent last says nothing of when it was lost.
  @Test func `are told from the side of the sensor`() throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    host.received(hex("08 01 00 ff ff 03 28"))
    host.sent(hex("09 07 0f 00 10 10 00 37 2a"))
    host.received(hex("12 11 00 01 00"))
    host.sent(hex("13"))
    for _ in 0..<20 {
      host.wait(milliseconds: 990)
      host.sent(hex("1b 10 00 00 48"))
    }
    host.wait(milliseconds: 2990)
    host.disconnected(reason: 0x08)
    #expect(
      try message(host)
        == "the peer, which took the measurements, was not heard any more; the last one was sent 3 s before the end, "
        + Self.parameters)
  }

  /// Whoever has switched the measurements off waits for none.
  @Test(arguments: [true, false]) func `are silent before, unless that was wanted`(areOff: Bool) throws {
    var host = HostSide()
    host.subscribe()
    host.stream(seconds: 10, strap)
    if areOff { host.write(attribute: 17, [0, 0]) }
    host.wait(milliseconds: 60_000)
    host.disconnected(reason: 0x13)
    #expect(try message(host, "sensor-hung-up").contains("after its last measurement") != areOff)
  }

  /// A sensor whose battery, 0x0023, is told, and that is gone a second later.
  private static func sensor(
    battery: UInt8, notified isNotified: Bool, reason: UInt8, isLocal: Bool = false, isHeartRate: Bool = false
  ) -> HostSide {
    var host = HostSide()
    host.connected()
    if isHeartRate { host.discoverHeartRate() }
    if isLocal {
      host.received(hex("08 01 00 ff ff 03 28"))
      host.sent(hex("09 07 22 00 12 23 00 19 2a"))
      host.sent([0x1B, 0x23, 0, battery])
    } else {
      host.sent(hex("08 01 00 ff ff 03 28"))
      host.received(hex("09 07 22 00 12 23 00 19 2a"))
      if !isNotified { host.sent(hex("0a 23 00")) }
      host.received(isNotified ? [0x1B, 0x23, 0, battery] : [0x0B, battery])
    }
    host.wait(milliseconds: 980)
    host.disconnected(reason: reason)
    return host
  }

  @Test(arguments: [true, false]) func `are explained by a battery that is nearly empty`(isNotified: Bool) throws {
    let words = "; its battery was at 5 % by what it told last"
    let lost = Self.sensor(battery: 5, notified: isNotified, reason: 0x08)
    #expect(
      try message(lost)
        == "the peer was not heard any more; its last data came 1 s before the end, \(Self.parameters)\(words)")
    let off = Self.sensor(battery: 5, notified: isNotified, reason: 0x15)
    #expect(try message(off, "abnormal-disconnect").hasSuffix("the peer was switched off\(words)"))
    let hungUp = Self.sensor(battery: 5, notified: isNotified, reason: 0x13, isHeartRate: true)
    #expect(try message(hungUp, "sensor-hung-up") == "the sensor ended the connection after 1.1 s\(words)")
  }

  /// What the host has just written may be what the sensor did not like.
  @Test(arguments: [(300, true), (1500, false)] as [(Int64, Bool)])
  func `are told with what was written just before`(milliseconds: Int64, isTold: Bool) throws {
    var host = HostSide()
    host.subscribe()
    host.write(attribute: 17, [1, 0])
    let frame = host.packets.count - 1
    host.wait(milliseconds: milliseconds)
    host.disconnected(reason: 0x13)
    let message = try message(host, "sensor-hung-up")
    let words =
      "; right before, the local host had sent a Write Request for the measurement's configuration (0x0011) (#\(frame))"
    #expect(message.hasSuffix(words) == isTold && message.contains("; ") == isTold, "\(message)")
  }

  /// Neither one with some charge left, nor the local host's own, nor where something else is the reason.
  @Test(arguments: [(6, 0x08, false), (101, 0x08, false), (3, 0x08, true)] as [(UInt8, UInt8, Bool)])
  func `are not explained by any other`(battery: UInt8, reason: UInt8, isLocal: Bool) throws {
    let host = Self.sensor(battery: battery, notified: true, reason: reason, isLocal: isLocal)
    #expect(try message(host).contains("battery") == false)
    let other = Self.sensor(battery: 3, notified: true, reason: 0x28)
    #expect(try message(other, "abnormal-disconnect").contains("battery") == false)
    let hungUp = Self.sensor(battery: 6, notified: true, reason: 0x13, isHeartRate: true)
    #expect(try message(hungUp, "sensor-hung-up").contains("battery") == false)
  }
}

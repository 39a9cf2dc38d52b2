import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// What the host asks its controller to do with a connection: refused at once, or begun and never done.
@Suite struct `Commands about connections` {
  private static let asked = hex("12 01 08 00 fa 00 90 01 00 00 58 02")
  private static let accepted = hex("13 01 02 00 00 00")

  /// LE Connection Update: 312.5–500 ms, latency 0, timeout 6 s.
  private static func update(_ handle: UInt8) -> [UInt8] { [handle] + hex("00 fa 00 90 01 00 00 58 02 00 00 00 00") }
  /// LE Enable Encryption.
  private static func encryption(_ handle: UInt8) -> [UInt8] { [handle] + Array(repeating: 0, count: 27) }
  private static func status(_ status: UInt8, of opcode: UInt16) -> [UInt8] { [status, 1] + opcode.little }

  private func findings(_ host: HostSide, _ rule: String) throws -> [Finding] {
    try host.findings(of: rule, in: .btsnoopMonitor)
  }

  /// The controller's answer names the command, and not the connection.
  @Test func `are answered in their order, on each adapter`() throws {
    var host = HostSide()
    for (adapter, handle) in [(0, 0x40), (0, 0x41), (1, 0x40)] as [(UInt16, UInt16)] {
      host.adapter = adapter
      host.connected(handle, peer: UInt8(handle) + UInt8(adapter) * 2)
    }
    host.adapter = 0
    host.command(0x2019, Self.encryption(0x40))
    host.command(0x2019, Self.encryption(0x41))
    host.adapter = 1
    host.command(0x2019, Self.encryption(0x40))
    host.event(0x0F, Self.status(0, of: 0x2019))
    host.adapter = 0
    host.event(0x0F, Self.status(0, of: 0x2019))
    host.event(0x0F, Self.status(0x1F, of: 0x2019))
    let found = try findings(host, "encryption-failed")
    #expect(found.map(\.connection) == [2])
    #expect(found.first?.message == "the controller refused to encrypt the link with Unspecified Error (0x1F)")
  }

  /// What came about, or whose connection ended, waits for nothing any more.
  @Test(arguments: [true, false])
  func `of which the beginning is missing leave the next one's to the next`(ends: Bool) throws {
    var host = HostSide()
    for handle in [0x40, 0x41] as [UInt16] { host.connected(handle, peer: UInt8(handle)) }
    host.command(0x2019, Self.encryption(0x40))
    if ends { host.disconnected(0x40) } else { host.event(0x08, [0, 0x40, 0, 1]) }
    host.command(0x2019, Self.encryption(0x41))
    host.event(0x0F, Self.status(0x1F, of: 0x2019))
    #expect(try findings(host, "encryption-failed").map(\.connection) == [2])
  }

  /// Of two at once, the first is about a connection that is none.
  @Test func `about no connection are answered too`() throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0, 60])
    host.command(0x0406, [0x55, 0, 0x13])
    host.command(0x0406, [0x40, 0, 0x13])
    host.event(0x0F, Self.status(2, of: 0x0406))
    host.event(0x0F, Self.status(0, of: 0x0406))
    host.disconnected(reason: 0x13)
    #expect(try findings(host, "sensor-hung-up").isEmpty)
  }

  @Test func `whose connection is gone are no fault`() throws {
    var host = HostSide()
    host.connected()
    host.command(0x2013, Self.update(0x40))
    host.command(0x2019, Self.encryption(0x40))
    host.event(0x0F, Self.status(2, of: 0x2013))
    host.event(0x0F, Self.status(2, of: 0x2019))
    host.disconnected()
    #expect(try findings(host, "parameter-update-failed").isEmpty && findings(host, "encryption-failed").isEmpty)
  }

  @Test func `a refusal is made good by a later change`() throws {
    var host = HostSide()
    host.connected()
    host.command(0x2013, Self.update(0x40))
    host.event(0x0F, Self.status(0x3A, of: 0x2013))
    host.wait(milliseconds: 1000)
    host.leEvent(3, hex("00 40 00 90 01 00 00 58 02"))
    #expect(try findings(host, "parameter-update-failed").map(\.severity) == [.info])
  }

  @Test func `a link that is not encrypted explains why nobody subscribes`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.command(0x2019, Self.encryption(0x40))
    host.event(0x0F, Self.status(0x1F, of: 0x2019))
    host.wait(milliseconds: 15_000)
    host.disconnected(reason: 0x16)
    #expect(try summary(of: host.file()).causes(of: "never-subscribed") == ["encryption-failed"])
  }

  /// In a log of the sensor's own, the phone grants and does nothing.
  @Test func `what a phone granted its sensor never comes`() throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    host.l2cap(.sent, channel: 5, Self.asked)
    host.l2cap(.received, channel: 5, Self.accepted)
    host.wait(milliseconds: 20_000)
    host.disconnected()
    let found = try findings(host, "parameter-update-failed")
    #expect(
      found.map(\.message) == [
        "the peer granted the local host other parameters (interval 312.5–500 ms, latency 0, timeout 6 s), and "
          + "they did not come in the 20 s that follow; they stayed as they were: interval 30 ms, latency 3, timeout 720 ms"
      ])
    #expect(found.map(\.frame) == [3] && found.map(\.lastFrame) == [4])
  }

  /// Behind a loss nobody knows whether the change came.
  @Test func `a change that may be among lost records is not missed`() throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.received, channel: 5, Self.asked)
    host.l2cap(.sent, channel: 5, Self.accepted)
    let lost = host.packets.count
    host.leEvent(3, hex("00 40 00 90 01 00 00 58 02"))
    host.wait(milliseconds: 20_000)
    host.disconnected()
    #expect(try findings(host, "parameter-update-failed").isEmpty)
    var file = host.file()
    let start = Container.btsnoopH4.file(Array(host.packets.prefix(lost))).count
    for place in start..<start + 8 { file[place] = 0xFF }
    #expect(try summary(of: file).findings.map(\.rule).contains("parameter-update-failed") == false)
  }

  /// A sensor that asks again and again, and is told yes each time, is told of once, with all that it was granted: also
  /// where it asks before it is known that the last came to nothing.
  @Test(arguments: [(3, 60), (50, 5)] as [(Int, Int64)])
  func `what is granted in vain again and again`(count: Int, period: Int64) throws {
    var host = HostSide()
    host.connected()
    for _ in 0..<count {
      host.l2cap(.received, channel: 5, Self.asked)
      host.l2cap(.sent, channel: 5, Self.accepted)
      host.wait(milliseconds: period * 1000)
    }
    host.wait(milliseconds: 60_000)
    host.disconnected(reason: 0x16)
    let found = try findings(host, "parameter-update-failed")
    #expect(found.map(\.count) == [count])
    #expect(found.first?.message.hasSuffix("; \(count) times in all") == true)
  }
}

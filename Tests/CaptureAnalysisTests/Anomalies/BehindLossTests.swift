import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// What lies wholly behind a loss, or was certain before it, is judged all the same.
@Suite struct `Faults on a connection that has lost something` {
  private static func addStray(_ host: inout HostSide) {
    host.fragment(.received, isContinuation: true, hex("61 62 63"))
  }

  /// A fault, by the rule that finds it.
  enum Fault: String, CaseIterable {
    case orphanedFragment = "fragment-orphaned"
    case measurementRead = "measurement-not-notified"
    case strayConfirmation = "indication-unconfirmed"
  }

  @Test(arguments: Fault.allCases)
  func `are told long behind it`(fault: Fault) throws {
    var host = HostSide()
    host.subscribe()
    host.measured(10)
    let place = host.packets.count
    host.measured(70)
    switch fault {
    case .orphanedFragment: Self.addStray(&host)
    case .measurementRead:
      host.sent(hex("0a 10 00"))
      host.received(hex("0b 00 48"))
    case .strayConfirmation: host.sent([0x1E])
    }
    let first = host.packets.count
    host.measured(3)
    let found = try summary(of: host.file(dropping: 1, before: place)).findings.filter { $0.rule == fault.rawValue }
    #expect(found.map(\.frame) == [first])
  }

  /// The rest of a PDU whose start is among what was lost.
  @Test func `are none where what was lost explains them`() throws {
    var host = HostSide()
    host.subscribe()
    host.measured(10)
    let place = host.packets.count
    Self.addStray(&host)
    host.measured(3)
    let rules = try summary(of: host.file(dropping: 1, before: place)).findings.map(\.rule)
    #expect(!rules.contains("fragment-orphaned"))
  }

  @Test(arguments: [29, 31]) func `such as a timeout that was certain before`(seconds: Int) throws {
    var host = HostSide()
    host.subscribe()
    host.measured(10)
    host.sent(hex("0a 20 00"))
    let asked = host.packets.count
    host.measured(seconds)
    Self.addStray(&host)
    host.measured(10)
    let found = try host.findings(of: "att-timeout")
    #expect(found.map(\.frame) == (seconds > 30 ? [asked] : []))
  }

  /// A battery is heard until the link is lost.
  @Test(arguments: [true, false]) func `and a silence that others break until the link is lost`(isHeard: Bool) throws {
    var host = HostSide()
    host.subscribe()
    host.measured(30)
    let last = host.packets.count
    for _ in 0..<4 where isHeard {
      host.wait(milliseconds: 10_000)
      host.notified(attribute: 32, [0x5A])
    }
    host.wait(milliseconds: 6000)
    host.disconnected(reason: 0x08)
    let found = try host.findings(of: "notification-gap")
    #expect(found.map(\.frame) == (isHeard ? [last] : []))
  }

  /// It was taken off, and its battery is heard.
  @Test func `but not the silence of a sensor that has lost contact`() throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<30 {
      host.wait(milliseconds: 990)
      host.notified(second < 25 ? [0x06, 60] : [0x04, 0])
    }
    host.wait(milliseconds: 30_000)
    host.notified(attribute: 32, [0x5A])
    host.wait(milliseconds: 6000)
    host.disconnected(reason: 0x08)
    #expect(try host.findings(of: "notification-gap").isEmpty)
  }

  /// The host wants to end the connection, and it goes on.
  @Test func `and a silence behind an end that did not come about`() throws {
    var host = HostSide()
    host.subscribe()
    host.measured(30)
    host.command(0x0406, hex("40 00 13"))
    host.event(0x0F, hex("00 01 06 04"))
    host.measured(30)
    let last = host.packets.count
    host.wait(milliseconds: 60_000)
    host.command(0x0C14)
    let found = try host.findings(of: "notification-gap")
    #expect(found.map(\.frame) == [last])
  }

  /// What was asked behind a loss is judged by itself, and what had timed out before it as far as it was seen.
  @Test func `such as a timeout before, and another behind`() throws {
    var host = HostSide()
    host.subscribe()
    host.sent(hex("0a 20 00"))
    let asked = host.packets.count
    host.measured(40)
    let last = host.packets.count
    Self.addStray(&host)
    host.sent(hex("0a 13 00"))
    host.received(hex("0b 01"))
    host.sent(hex("0a 13 00"))
    let later = host.packets.count
    host.measured(40)
    let found = try host.findings(of: "att-timeout")
    #expect(found.map(\.frame) == [asked, later])
    #expect(found.first?.lastFrame == last)
    #expect(found.first?.message.contains("no answer in the 40 s up to #\(last)") == true, "\(found)")
  }
}

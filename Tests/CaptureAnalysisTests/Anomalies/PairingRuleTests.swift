import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// A pairing that fails: how grave that is, and what comes of it.
@Suite struct `Pairing rules` {
  private static let refused = (write: hex("12 11 00 01 00"), error: hex("01 12 11 00 05"))

  @Test func `who says so is told, and what it means`() throws {
    for (direction, who) in [(.received, "the peer"), (.sent, "the local host")] as [(Direction, String)] {
      var host = HostSide.discovered
      host.l2cap(direction, channel: 6, hex("05 10"))
      host.l2cap(direction, channel: 6, hex("0b 01"))
      host.l2cap(direction, channel: 6, hex("05 77"))
      host.disconnected(reason: 0x16)
      #expect(
        try host.findings().map(\.message) == [
          "\(who) broke off the pairing with Busy (0x10): it is busy, and may be asked again later",
          "\(who) broke off the pairing with a code that is not defined (0x77)",
        ])
    }
  }

  /// Encryption and measurements make it good only where they come behind it.
  @Test(arguments: [(true, Severity.info), (false, .warning)])
  func `is worth knowing where nothing comes of it`(isAfterwards: Bool, severity: Severity) throws {
    func measurements(_ host: inout HostSide) {
      host.write(attribute: 17, [1, 0])
      for _ in 0..<5 { host.notified([0x16, 0x48, 0xE8, 0x03]) }
    }
    for good in [measurements, { $0.event(0x08, hex("00 40 00 01")) }] as [(inout HostSide) -> Void] {
      var host = HostSide.discovered
      if !isAfterwards { good(&host) }
      host.l2cap(.received, channel: 6, hex("05 03"))
      if isAfterwards { good(&host) }
      host.disconnected(reason: 0x16)
      #expect(try host.findings(of: "pairing-failed").map(\.severity) == [severity])
    }
  }

  /// The link has its own key: only that for Low Energy is not made.
  @Test func `over BR/EDR little is lost`() throws {
    var host = HostSide()
    host.connectedClassic()
    host.l2cap(.sent, channel: 7, hex("01 03 00 01 10 03 03"))
    host.l2cap(.received, channel: 7, hex("05 0e"))
    host.disconnected(reason: 0x16)
    let found = try host.findings()
    #expect(found.map(\.severity) == [.info] && found.first?.message.contains("keys for Low Energy") == true)
  }

  /// The refusal comes first, and what it tells is that no encryption followed.
  @Test func `explains the refusal before it`() throws {
    var host = HostSide.discovered
    host.sent(Self.refused.write)
    host.received(Self.refused.error)
    host.l2cap(.sent, channel: 6, hex("01 03 00 01 10 01 01"))
    host.wait(milliseconds: 5000)
    host.l2cap(.received, channel: 6, hex("05 05"))
    host.wait(milliseconds: 2000)
    host.disconnected(reason: 0x05)
    let found = try host.findings()
    #expect(found.map(\.rule) == ["access-refused", "pairing-failed", "abnormal-disconnect"])
    let causes = found.map { $0.causes.map { found[$0].rule } }
    #expect(causes == [["pairing-failed"], [], ["access-refused", "pairing-failed"]])
  }

  @Test func `explains what comes behind it`() throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.received, channel: 6, hex("0b 05"))
    host.l2cap(.sent, channel: 6, hex("05 05"))
    host.discoverHeartRate()
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x13)
    let found = try host.findings()
    #expect(found.map(\.rule) == ["pairing-failed", "never-subscribed", "sensor-hung-up"])
    #expect(found.map { $0.causes.map { found[$0].rule } } == [[], ["pairing-failed"], ["pairing-failed"]])
  }

  /// A refusal long before has nothing to do with it.
  @Test func `explains nothing that is long past`() throws {
    var host = HostSide.discovered
    host.sent(Self.refused.write)
    host.received(Self.refused.error)
    host.wait(milliseconds: 90_000)
    host.l2cap(.received, channel: 6, hex("05 05"))
    host.disconnected(reason: 0x16)
    let refusal = try host.findings().first
    #expect(refusal?.rule == "access-refused" && refusal?.causes == [])
  }

  /// What the local host asked for has failed: what fails next need not be that.
  @Test func `encryption that fails is told once for who asked for it`() throws {
    var host = HostSide.discovered
    host.command(0x2019, hex("40 00") + Array(repeating: 0, count: 26))
    host.event(0x0F, hex("00 01 19 20"))
    host.event(0x08, hex("05 40 00 00"))
    host.event(0x08, hex("06 40 00 00"))
    host.disconnected(reason: 0x16)
    let messages = try host.findings(of: "encryption-failed").map(\.message)
    #expect(messages.count == 2 && messages.allSatisfy { !$0.contains("the local host has a key") })
  }

  /// Each of the steps in which two devices pair may take its time, be it of the same end as the one before.
  @Test(arguments: [(8000, false), (12_000, true)] as [(Int64, Bool)])
  func `goes on step by step`(pause: Int64, isFound: Bool) throws {
    var host = HostSide.discovered
    host.l2cap(.sent, channel: 6, hex("01 03 00 01 10 01 01"))
    for _ in 0..<3 {
      host.l2cap(.received, channel: 6, hex("0e 01"))
      host.wait(milliseconds: pause)
    }
    host.disconnected(reason: 0x16)
    #expect(try host.rules().contains("pairing-unfinished") == isFound)
  }

  /// Who asks for security on a link that is encrypted has it.
  @Test(arguments: [true, false]) func `security is asked for where it is`(isEncrypted: Bool) throws {
    var host = HostSide.discovered
    if isEncrypted { host.event(0x08, hex("00 40 00 01")) }
    host.l2cap(.received, channel: 6, hex("0b 01"))
    host.wait(milliseconds: 30_000)
    host.disconnected(reason: 0x16)
    #expect(try host.rules().contains("pairing-unfinished") != isEncrypted)
  }

  /// What becomes of a request for security.
  enum Answer: CaseIterable { case none, pairingRequest, pairingFailed, late, encrypted, begun, takenOff }

  /// A sensor that waits for security in vain hangs up; whatever is done about it, or long before, is another story.
  @Test(arguments: Answer.allCases)
  func `a sensor hangs up that had asked for security`(answer: Answer) throws {
    var host = HostSide.discovered
    host.write(attribute: 17, [1, 0])
    if answer == .encrypted { host.event(0x08, hex("00 40 00 01")) }
    host.l2cap(.received, channel: 6, hex("0b 01"))
    let asked = host.packets.count
    switch answer {
    case .begun: host.command(0x2019, hex("40 00") + Array(repeating: 0, count: 26))
    case .pairingRequest: host.l2cap(.sent, channel: 6, hex("01 03 00 01 10 01 01"))
    case .pairingFailed: host.l2cap(.sent, channel: 6, hex("05 05"))
    case .none, .late, .encrypted, .takenOff: break
    }
    host.stream(seconds: answer == .late ? 90 : 30, strap)
    if answer == .takenOff { host.notified([0x04, 72]) }
    host.disconnected(reason: 0x13)
    let found = try host.findings(of: "sensor-hung-up")
    #expect(found.map(\.severity) == [answer == .none ? .warning : .info])
    let isSaid = found.first?.message.hasSuffix("; it had asked for security (#\(asked)) in vain")
    #expect(isSaid == (answer == .none))
  }
}

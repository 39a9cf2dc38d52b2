import BluetoothHost
import CaptureFiles
import CaptureAnalysis
import Testing
import TestSupport

/// Where a log cannot tell, rules about the link say nothing.
@Suite struct `Link rules` {
  /// The names of the rules that find something in a capture.
  private func rules(_ octets: [UInt8]) throws -> [String] { try summary(of: octets).findings.map(\.rule) }

  /// The capture of a host, with the header of one packet's record overwritten.
  private func damaged(_ host: HostSide, packet: Int) -> [UInt8] {
    var file = host.file()
    let start = Container.btsnoopH4.file(Array(host.packets.prefix(packet))).count
    for place in start..<start + 8 { file[place] = 0xFF }
    return file
  }

  /// A connection on which a PDU comes in two pieces.
  private static var pieces: HostSide {
    var host = HostSide()
    host.connected()
    host.sent(hex("02 17 00"))
    host.received(hex("03 17 00"))
    host.notified([0x16, 0x48, 0xE8, 0x03], split: [7])
    host.notified([0x16, 0x48, 0xE8, 0x03])
    return host
  }

  @Test func `a piece behind damage has no fault`() throws {
    #expect(try rules(Self.pieces.file()) == [])
    #expect(try rules(damaged(Self.pieces, packet: 3)) == ["octets-skipped"])
  }

  @Test func `faults of pieces are counted, each kind for itself`() throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<2 { host.fragment(.received, isContinuation: true, hex("03 e9 03")) }
    host.fragment(.received, hex("0b 00 04 00 1b 10 00"))
    host.notified([0x16, 0x48])
    let found = try host.findings(of: "fragment-orphaned")
    #expect(
      found.map(\.message) == [
        "a continuation fragment without a start (twice), a PDU began before the one before it was finished"
      ])
  }

  /// The peer asks its own controller, which asks the host: what it asked for is told with the host's refusal.
  @Test func `what is refused over the link layer is told`() throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0x16, 0x48])
    host.leEvent(0x06, hex("40 00 fa 00 90 01 00 00 58 02"))
    host.command(0x2021, hex("40 00 3b"))
    host.event(0x0E, hex("01 21 20 00 40 00"))
    host.notified([0x16, 0x48])
    let found = try host.findings(of: "parameter-update-rejected")
    #expect(
      found.map(\.message) == [
        "the local host refused what the peer asked for: interval 312.5–500 ms, latency 0, timeout 6 s"
      ])
  }

  /// Each end counts its own requests: that both have one with the same number says nothing.
  @Test func `what is refused is what the other end asked for`() throws {
    var host = HostSide()
    host.subscribe()
    host.l2cap(.sent, channel: 5, hex("12 01 08 00 06 00 06 00 00 00 48 00"))
    host.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 90 01 00 00 58 02"))
    host.l2cap(.sent, channel: 5, hex("13 01 02 00 01 00"))
    host.notified([0x16, 0x48])
    let found = try host.findings(of: "parameter-update-rejected")
    #expect(
      found.map(\.message) == [
        "the local host refused what the peer asked for: interval 312.5–500 ms, latency 0, timeout 6 s"
      ])
  }

  @Test func `a peer that is not heard any more was heard so weakly before`() throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0x16, 0x48])
    host.event(0x0E, hex("01 05 14 00 40 00 a1"))
    host.wait(milliseconds: 2990)
    host.disconnected(reason: 0x08)
    let found = try host.findings(of: "supervision-timeout").first
    #expect(found?.message.contains(", RSSI -95 dBm 3 s before") == true)
  }

  /// The Linux monitor's capture of three adapters: each connects to the same peer once, or one of them three times.
  @Test(arguments: [true, false]) func `one peer on several adapters is no loop`(isOneAdapter: Bool) throws {
    var host = HostSide()
    for adapter in [0, 1, 2] as [UInt16] {
      host.adapter = isOneAdapter ? 0 : adapter
      host.connected()
      host.sent(hex("02 17 00"))
      host.received(hex("03 17 00"))
      host.disconnected(reason: 0x08)
      host.wait(milliseconds: 5000)
    }
    #expect(try rules(host.file(.btsnoopMonitor)).contains("reconnect-loop") == isOneAdapter)
  }

  @Test func `the answer may be what was damaged`() throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("02 17 00"))
    host.received(hex("03 17 00"))
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x16)
    #expect(try rules(host.file()) == [])
    #expect(try rules(damaged(host, packet: 2)) == ["octets-skipped"])
  }

  @Test func `the end of a connection may be what was damaged`() throws {
    var host = Self.pieces
    let end = host.packets.count
    host.disconnected(reason: 0x16)
    host.wait(milliseconds: 5000)
    host.connected()
    #expect(try rules(host.file()) == [])
    #expect(try rules(damaged(host, packet: end)) == ["octets-skipped"])
  }

  /// Link type 187 does not tell which way a continuation went.
  @Test func `pieces of both directions between each other`() throws {
    var host = HostSide()
    host.connected()
    host.fragment(.received, hex("07 00 04 00 1b 10 00"))
    host.sent(hex("0a 03 00"))
    host.fragment(.received, isContinuation: true, hex("16 48 e8 03"))
    #expect(try rules(host.file(.pcapH4)) == [])
  }

  /// Controllers leave the address out when an attempt fails.
  @Test func `an attempt that fails is that of whom the host asked for`() throws {
    var host = HostSide()
    host.command(
      0x200D, hex("60 00 30 00 00 01") + HostSide.address(7) + hex("00 18 00 28 00 00 00 2a 00 00 00 00 00"))
    host.leEvent(0x01, hex("3e 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"))
    let peers = try Analysis(host.file()).events.compactMap { event in
      if case .connectAttempt(let attempt) = event.content { attempt.peer?.description } else { nil }
    }
    #expect(peers == ["C5:44:33:22:11:07", "C5:44:33:22:11:07"])
  }

  @Test func `how long a sensor advertised`() throws {
    var host = HostSide()
    for _ in 0..<3 {
      host.leEvent(0x02, hex("01 00 01") + HostSide.address(1) + hex("04 03 03 0d 18 c4"))
      host.wait(milliseconds: 4990)
    }
    let times = try Analysis(host.file()).events.compactMap { event -> AdvertisedEvent? in
      if case .advertised(let times) = event.content { times } else { nil }
    }
    #expect(times.map(\.reports) == [3] && times.map(\.first.frame) == [1] && times.map(\.last.frame) == [3])
    #expect(times.first.map { $0.last.time.seconds(since: $0.first.time) } == 10)
  }

  /// Three connections, ten minutes apart, between two of which the clock is set back: nothing tells how soon they came.
  @Test func `a clock that is set back makes no loop`() throws {
    var host = HostSide()
    for number in 0..<3 {
      host.connected()
      host.wait(milliseconds: 5000)
      host.disconnected()
      host.wait(milliseconds: number == 0 ? -17_400_000 : 600_000)
    }
    #expect(try rules(host.file()).filter { $0 != "sensor-hung-up" } == ["clock-jump"])
  }

  /// A tight timeout is a reason for the end of a connection as long as it holds, and not once it has been replaced.
  @Test(arguments: [(nil, true), (hex("00 40 00 18 00 00 00 58 02"), false)] as [([UInt8]?, Bool)])
  func `parameters explain a lost connection while they are in force`(update: [UInt8]?, isCause: Bool) throws {
    var host = HostSide()
    host.connected()
    host.leEvent(3, hex("00 40 00 90 01 00 00 96 00"))
    host.wait(milliseconds: 90_000)
    if let update { host.leEvent(3, update) }
    host.wait(milliseconds: 30_000)
    host.disconnected(reason: 0x08)
    let findings = try host.findings()
    let lost = try #require(findings.first { $0.rule == "supervision-timeout" })
    #expect(lost.causes.map { findings[$0].rule } == (isCause ? ["parameters-tight"] : []))
  }

  /// What is just beyond a limit is not rounded to it.
  @Test(arguments: [
    (
      "81 0c 00 00 80 0c",
      "the connection has interval 4.00125 s, latency 0, timeout 32 s: intervals go from 7.5 ms to 4 s"
    ),
    (
      "90 01 00 00 2b 01",
      "interval 500 ms, latency 0, timeout 2.99 s: the peer may be silent for 500 ms, and is given up after 5.98 times that"
    ),
    (
      "90 01 00 00 2a 01",
      "interval 500 ms, latency 0, timeout 2.98 s: the peer may be silent for 500 ms, and is given up after 5.96 times that"
    ),
    (
      "90 01 01 00 f4 01",
      "interval 500 ms, latency 1, timeout 5 s: the peer may be silent for 1 s, and is given up after 5 times that"
    ),
  ])
  func `parameters are told as they are`(parameters: String, message: String) throws {
    var host = HostSide()
    host.connected()
    host.leEvent(3, hex("00 40 00 " + parameters))
    host.wait(milliseconds: 5000)
    let messages = try host.findings().filter { $0.rule.hasPrefix("parameters-") }.map(\.message)
    #expect(messages == [message])
  }

  @Test(arguments: [(500, 500, "500 ms"), (48.75, 60, "48.75–60 ms"), (500, 2000, "500 ms–2 s"), (1000, 4000, "1–4 s")])
  func `a range of intervals names both units where they differ`(least: Double, most: Double, words: String) {
    #expect(lengths(milliseconds: least, to: most) == words)
  }

  private static let asked = hex("12 01 08 00 fa 00 90 01 00 00 58 02")
  private static let failed = hex("3b 40 00 0c 00 00 00 48 00")

  /// The host is the sensor: its wish is refused, and then another one granted, or one of the peer's.
  @Test(arguments: [(true, Severity.info), (false, .warning)])
  func `parameters that the local host wishes for`(isOwn: Bool, severity: Severity) throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    host.l2cap(.sent, channel: 5, Self.asked)
    host.l2cap(.received, channel: 5, hex("13 01 02 00 01 00"))
    host.l2cap(isOwn ? .sent : .received, channel: 5, hex("12 02 08 00 18 00 28 00 00 00 58 02"))
    host.l2cap(isOwn ? .received : .sent, channel: 5, hex("13 02 02 00 00 00"))
    let found = try host.findings(of: "parameter-update-rejected")
    #expect(found.map(\.severity) == [severity])
    #expect(found.first?.message.hasPrefix("the peer refused what the local host asked for: ") == true)
  }

  /// What the sensor was granted and did not get is why it hangs up.
  @Test func `parameters that were granted in vain`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.l2cap(.received, channel: 5, Self.asked)
    host.l2cap(.sent, channel: 5, hex("13 01 02 00 00 00"))
    host.leEvent(3, Self.failed)
    host.wait(milliseconds: 5000)
    host.disconnected(reason: 0x13)
    let findings = try host.findings()
    #expect(findings.map(\.rule) == ["parameter-update-failed", "parameter-update-then-lost", "sensor-hung-up"])
    #expect(findings.map(\.causes) == [[], [0], [1]])
    #expect(
      findings.first?.message
        == "the local host granted the peer other parameters (interval 312.5–500 ms, latency 0, timeout 6 s), and "
        + "the change failed with Unacceptable Connection Parameters (0x3B): one end does not accept the connection "
        + "parameters; they stayed as they were: interval 30 ms, latency 3, timeout 720 ms")
  }

  /// Of a link that is lost nobody knows why it was: what comes before may be a cause, and is not told as a consequence.
  @Test(
    arguments: [
      (0x3B, "the connection ended (0x3B) 5 s after the peer was refused other parameters"),
      (0x08, "the connection ended (0x08) 5 s after the peer was refused other parameters: it may have left for that"),
      (
        0x13,
        "the peer ended the connection (0x13) 5 s after it was refused other parameters: it may have left for that"
      ),
    ] as [(UInt8, String)])
  func `parameters that were refused, before the end`(reason: UInt8, message: String) throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.received, channel: 5, Self.asked)
    host.l2cap(.sent, channel: 5, hex("13 01 02 00 01 00"))
    host.wait(milliseconds: 5000)
    host.disconnected(reason: reason)
    let findings = try host.findings()
    let found = try #require(findings.first { $0.rule == "parameter-update-then-lost" })
    #expect(found.message == message)
    #expect(found.severity == (reason == 0x3B ? .error : .warning))
  }

  /// A sensor that stays for a minute, and never comes back to it, can do without.
  @Test(
    arguments: [
      (90, 0x16, false, "info; the connection went on all the same, for 90 s"), (50, 0x16, false, "warning"),
      (90, 0x13, false, "warning"), (90, 0x3B, false, "warning"),
      (90, 0x08, false, "info; the connection went on all the same, for 90 s"),
      (90, 0x16, true, "warning"),
    ] as [(Int64, UInt8, Bool, String)])
  func `parameters that were refused without harm`(
    wait: Int64, reason: UInt8, isAskedAgain: Bool, outcome: String
  ) throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.received, channel: 5, Self.asked)
    host.l2cap(.sent, channel: 5, hex("13 01 02 00 01 00"))
    if isAskedAgain { host.l2cap(.received, channel: 5, hex("12 02 08 00 fa 00 90 01 00 00 58 02")) }
    host.wait(milliseconds: wait * 1000 - (isAskedAgain ? 20 : 10))
    host.disconnected(reason: reason)
    let found = try host.findings(of: "parameter-update-rejected")
    let message = "the local host refused what the peer asked for: \(Self.asksFor)"
    #expect(found.map { "\($0.severity)\($0.message.replacing(message, with: ""))" } == [outcome])
  }

  /// What another rule has told of is not told twice: a request without an answer from thirty seconds on, and one that
  /// was granted and never carried out from ten seconds on.
  @Test(
    arguments: [
      (false, 20, "asked for other parameters (\(asksFor)) in vain"), (false, 35, "asked for other parameters in vain"),
      (true, 7, "was granted other parameters (\(asksFor)), and they never came"),
      (true, 20, "was granted other parameters, and they never came"),
    ] as [(Bool, Int64, String)])
  func `parameters that were asked for in vain, before the end`(isGranted: Bool, wait: Int64, words: String) throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.received, channel: 5, Self.asked)
    if isGranted { host.l2cap(.sent, channel: 5, hex("13 01 02 00 00 00")) }
    host.wait(milliseconds: wait * 1000)
    host.disconnected(reason: 0x13)
    let findings = try host.findings()
    let found = try #require(findings.first { $0.rule == "parameter-update-then-lost" })
    #expect(
      found.message == "the peer ended the connection (0x13) \(wait) s after it \(words): it may have left for that")
    #expect(found.causes.isEmpty == found.message.contains(Self.asksFor))
  }

  private static let asksFor = "interval 312.5–500 ms, latency 0, timeout 6 s"

  /// What was granted long ago is done, or was not needed: this is a wish of the local host.
  @Test(arguments: [(nil, Severity.warning), (hex("00 40 00 18 00 00 00 58 02"), .info)] as [([UInt8]?, Severity)])
  func `a change that fails, and another that does not`(later: [UInt8]?, severity: Severity) throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.received, channel: 5, Self.asked)
    host.l2cap(.sent, channel: 5, hex("13 01 02 00 00 00"))
    host.wait(milliseconds: 40_000)
    host.leEvent(3, Self.failed)
    host.leEvent(3, Self.failed)
    if let later { host.leEvent(3, later) }
    host.disconnected(reason: 0x16)
    let found = try host.findings(of: "parameter-update-failed")
    #expect(found.map(\.severity) == [severity] && found.first?.count == 2)
    #expect(found.first?.message.hasPrefix("a change of the connection parameters failed") == true)
  }
}

import CaptureAnalysis
import CaptureFiles
import TestSupport
import Testing

/// Which of several requests is answered, and what an answer does not tell.
@Suite struct `What answers belong to` {
  private func contents(_ host: HostSide, _ container: Container = .btsnoopH4) throws -> [EventContent] {
    try Analysis(host.file(container)).events.map(\.content)
  }

  /// What is refused is the last write, and the one before it, of which the answer is missing, was no other.
  @Test func `a write that is refused was not granted before`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("12 11 00 01 00"))
    host.wait(milliseconds: 5000)
    host.sent(hex("12 11 00 01 00"))
    host.wait(milliseconds: 30)
    host.received(hex("01 12 11 00 05"))
    host.write(attribute: 32, [1])
    host.wait(milliseconds: 20_000)
    host.disconnected()
    let subscribed = try contents(host).contains { if case .subscribed = $0 { true } else { false } }
    #expect(!subscribed)
    let rules = try host.rules()
    #expect(rules.contains("access-refused") && !rules.contains("subscription-without-notification"))
  }

  /// An identifier is used again once its request has been answered.
  @Test func `the newer of two requests with one identifier is answered`() throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 90 01 00 00 58 02"))
    host.wait(milliseconds: 3000)
    host.l2cap(.received, channel: 5, hex("12 01 08 00 18 00 28 00 00 00 48 00"))
    host.l2cap(.sent, channel: 5, hex("13 01 02 00 00 00"))
    let steps = try contents(host).compactMap { if case .parameterRequest(let step) = $0 { step } else { nil } }
    #expect(steps.map(\.step) == [.asked, .asked, .accepted])
    #expect(steps[2].request == steps[1].request && steps[1].request != steps[0].request)
  }

  /// On an enhanced bearer L2CAP settles the MTU: whatever is asked there, the other bearer's is what it was.
  @Test(arguments: ["01 02 00 00 06", "03 17 00"])
  func `an exchange on an enhanced bearer is none of the other's`(answer: String) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("02 f7 00"))
    host.received(hex("03 f7 00"))
    host.openEnhancedBearers()
    host.write(attribute: 17, [1, 0])
    host.l2cap(.sent, channel: 0x50, hex("03 00 02 f7 00"))
    host.l2cap(.received, channel: 0x40, [UInt8(hex(answer).count), 0] + hex(answer))
    // As long as 23 octets allow.
    for _ in 0..<10 {
      host.wait(milliseconds: 1000)
      host.notified([0x10, 60] + Array(repeating: [0, 4], count: 9).joined())
    }
    let summary = try summary(of: host.file())
    #expect(summary.connections.first?.mtu == 247)
    #expect(!summary.findings.map(\.rule).contains("rr-overflow"))
  }

  /// The beginning of the value is not written.
  @Test func `a later part of a value is not the value`() throws {
    var host = HostSide()
    host.subscribe()
    host.sent(hex("16 11 00 02 00 00 00"))
    host.received(hex("17 11 00 02 00 00 00"))
    host.sent(hex("18 01"))
    host.received([0x19])
    host.notified([0, 60])
    let unsubscribed = try contents(host).contains { if case .unsubscribed = $0 { true } else { false } }
    #expect(try !unsubscribed && !host.rules().contains("notification-without-subscription"))
  }

  /// A controller that is gone, or off, has nothing more to do.
  @Test(arguments: [RecordContent.closeIndex, .deleteIndex])
  func `an adapter that comes back makes no connection that was asked for before`(end: RecordContent) throws {
    var host = HostSide()
    host.create()
    host.add(end, .sent, [])
    host.wait(milliseconds: 30_000)
    host.notified([0x16, 60, 0, 4])
    let peers = try contents(host, .btsnoopMonitor).compactMap {
      if case .connected(let connected) = $0 { connected.peer } else { nil }
    }
    #expect(peers.count == 1 && peers.first?.address == nil)
  }

  @Test func `what is off is switched off once`() throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0, 60])
    for _ in 0..<3 { host.write(attribute: 17, [0, 0]) }
    let session = try summary(of: host.file()).connections.first?.heartRate
    #expect(session?.switchedOff?.count == 1)
    host.write(attribute: 17, [1, 0])
    host.write(attribute: 17, [0, 0])
    let later = try summary(of: host.file()).connections.first?.heartRate
    #expect(later?.switchedOff?.count == 2)
  }

  /// Whatever asks for something has an identifier of its own: what had it before has been answered.
  @Test func `a command that is rejected is the last with its identifier`() throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 90 01 00 00 58 02"))
    host.wait(milliseconds: 31_000)
    host.l2cap(.received, channel: 5, hex("0a 01 02 00 02 00"))
    host.l2cap(.sent, channel: 5, hex("01 01 02 00 00 00"))
    let steps = try contents(host).compactMap { if case .parameterRequest(let step) = $0 { step.step } else { nil } }
    #expect(steps == [.asked])
  }

  /// The controller asks, and the host answers; what answers a request that is not in the capture is about none before.
  @Test func `the link layer's request is answered once`() throws {
    var host = HostSide()
    host.connected()
    host.leEvent(6, hex("40 00 06 00 0c 00 00 00 64 00"))
    host.command(0x2021, hex("40 00 0c"))
    host.command(0x2021, hex("40 00 0c"))
    let steps = try contents(host).compactMap { if case .parameterRequest(let step) = $0 { step } else { nil } }
    #expect(steps.map(\.step) == [.asked, .refused, .refused])
    #expect(steps[1].request == steps[0].request && steps[0].request != nil && steps[2].request == nil)
  }

  /// What cancels it, or its answer, is not in the capture.
  @Test(arguments: [["19"], ["> 18 00"]])
  func `what was prepared and cancelled is not written later`(left: [String]) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("16 11 00 00 00 01 00"))
    host.received(hex("17 11 00 00 00 01 00"))
    for pdu in left {
      if pdu.hasPrefix("> ") { host.sent(hex(String(pdu.dropFirst(2)))) } else { host.received(hex(pdu)) }
    }
    host.sent(hex("16 20 00 00 00 07"))
    host.received(hex("17 20 00 00 00 07"))
    host.sent(hex("18 01"))
    host.received(hex("19"))
    let written = try contents(host).compactMap { if case .write(let value) = $0 { value.handle } else { nil } }
    #expect(written == [32])
  }

  /// Parts of two values in turns, and one that leaves a gap.
  @Test func `values that are prepared in turns are whole`() throws {
    var host = HostSide()
    host.connected()
    let begun = ["30 00 00 00 41 41", "31 00 00 00 42 42", "32 00 00 00 45"]
    for part in begun + ["30 00 02 00 43", "31 00 02 00 44", "32 00 02 00 46"] {
      host.sent(hex("16 " + part))
      host.received(hex("17 " + part))
    }
    host.sent(hex("18 01"))
    host.received(hex("19"))
    let written = try contents(host).compactMap { if case .write(let value) = $0 { value } else { nil } }
    #expect(written.map(\.handle) == [0x30, 0x31])
    #expect(written.map { Array($0.octets) } == [hex("41 41 43"), hex("42 42 44")])
  }

  /// Core 6.0, Vol 3, Part A, 4.26: with these results none of the channels is given, whatever their numbers are.
  @Test(arguments: ["02", "05", "06", "07", "08", "0b", "0c"])
  func `channels that are refused are none`(result: String) throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.sent, channel: 5, hex("17 07 0c 00 27 00 b9 00 40 00 0a 00 40 00 41 00"))
    host.l2cap(.received, channel: 5, hex("18 07 0c 00 64 00 40 00 0a 00 \(result) 00 40 00 41 00"))
    let agreed = try contents(host).contains { if case .mtu = $0 { true } else { false } }
    #expect(!agreed)
  }
}

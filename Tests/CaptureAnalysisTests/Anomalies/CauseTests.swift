import CaptureFiles
import TestSupport
import Testing

@testable import CaptureAnalysis

/// What explains what.
@Suite struct `Causes of findings` {
  private func causes(of rule: String, _ host: HostSide) throws -> [String]? {
    try summary(of: host.file()).causes(of: rule)
  }

  /// The server says that its table has changed; the client asks for an old handle all the same, and hangs up in the end.
  private static func changeTable(of host: inout HostSide, asking request: String, answer: String) {
    host.received(hex("1d 03 00 01 00 ff ff"))
    host.sent(hex("1e"))
    host.wait(milliseconds: 3000)
    host.sent(hex(request))
    host.received(hex(answer))
    host.wait(milliseconds: 27_000)
    host.disconnected(reason: 0x16)
  }

  /// Two things may be wrong with one record: only what was said is not said again.
  @Test func `a story tells of two findings of a rule the one`() {
    let findings = ["a rate of 0 bpm", "a rate of 300 bpm"].map { message in
      Finding(
        rule: "heart-rate-out-of-range", severity: .warning, from: Moment(frame: 7, time: .unknown), message: message)
    }
    let story = Story(of: [0, 1], in: findings)
    #expect(findings.map(story.tells) == [true, false])
  }

  /// What a chapter explains is no news.
  @Test func `a story counts what it does not tell, but not what it explains`() {
    var findings = ["att-timeout", "energy-decreased", "contact-support-changed"].map { rule in
      Finding(
        rule: rule, severity: rule == "att-timeout" ? .error : .warning, from: Moment(frame: 7, time: .unknown),
        message: rule)
    }
    findings[1].causes = [0]
    let story = Story(of: [0, 1, 2], in: findings)
    #expect(story.chapters.map(\.rule) == ["att-timeout"] && story.others == 1)
  }

  /// A rate that stood still for 36 s makes no other rate than the intervals for minutes behind it.
  @Test(arguments: [(41, true), (182, false)]) func `last as long as what they explain`(end: Int, isCause: Bool) {
    func finding(_ rule: String, from start: Int, to end: Int) -> Finding {
      func moment(_ second: Int) -> Moment {
        Moment(frame: second, time: Timestamp(microseconds: Int64(second) * 1_000_000))
      }
      return Finding(rule: rule, severity: .warning, connection: 1, from: moment(start), to: moment(end), message: "")
    }
    let findings = [
      finding("heart-rate-frozen", from: 1, to: 37), finding("rr-contradicts-heart-rate", from: 32, to: end),
    ]
    #expect(Causes.linked(findings)[1].causes == (isCause ? [0] : []))
  }

  /// Silences of 8, 12 and 95 seconds: not the first is what a user noticed. One of 12 would be no reason to tell it.
  @Test(arguments: [([8, 12, 95], 2), ([8, 12, 9], 0), ([8, 95, 96], 2)])
  func `a story tells of several findings of a rule the one that lasted by far the longest`(
    seconds: [Int64], told: Int
  ) throws {
    var host = HostSide.discovered
    host.write(attribute: 17, [1, 0])
    for silence in [1] + seconds {
      host.wait(milliseconds: 1000 * (silence - 1))
      for rate in 0..<20 {
        host.wait(milliseconds: 1000)
        host.notified([0, UInt8(72 + rate % 3)])
      }
    }
    let summary = try summary(of: host.file())
    let gaps = summary.findings.filter { $0.rule == "notification-gap" }
    try #require(gaps.count == 3)
    let story = try #require(summary.gravestStory)
    #expect(story.gravest?.message == gaps[told].message)
    #expect(story.repetitions == ["notification-gap": 2])
  }

  @Test func `a link that could not be encrypted, and nothing is notified`() throws {
    var host = HostSide.discovered
    host.write(attribute: 17, [1, 0])
    host.event(0x08, hex("06 40 00 00"))
    host.wait(milliseconds: 15_000)
    host.disconnected(reason: 0x16)
    #expect(try causes(of: "subscription-without-notification", host) == ["encryption-failed"])
  }

  @Test func `a client that waits for an answer, and does not subscribe`() throws {
    var host = HostSide.discovered
    host.sent(hex("0a 13 00"))
    host.wait(milliseconds: 40_000)
    host.disconnected(reason: 0x16)
    #expect(try causes(of: "never-subscribed", host) == ["att-timeout"])
  }

  /// The sensor's table changes, and with it goes the subscription, which the client does not know: a second behind a
  /// measurement, and right behind it.
  @Test(arguments: [990, 1] as [Int64]) func `handles that hold no more, and silence`(milliseconds: Int64) throws {
    var host = HostSide.discovered
    host.sent(hex("08 01 00 05 00 03 28"))
    host.received(hex("09 07 02 00 20 03 00 05 2a"))
    host.write(attribute: 17, [1, 0])
    for _ in 0..<30 {
      host.wait(milliseconds: 990)
      host.notified([0, 72])
    }
    host.wait(milliseconds: milliseconds)
    let change = host.packets.count + 1
    Self.changeTable(of: &host, asking: "0a 13 00", answer: "0b 01")
    #expect(try causes(of: "notification-gap", host) == ["stale-handles"])
    let gap = try host.findings(of: "notification-gap").first
    #expect(gap?.message.contains("meanwhile the services changed (#\(change))") == true)
  }

  /// Why no encryption followed turns out behind the refusal: it is told in that order, and what is behind it all is
  /// where to begin to read.
  @Test func `a refusal, and the pairing that fails for it`() throws {
    var host = HostSide.discovered
    host.sent(hex("12 11 00 01 00"))
    host.received(hex("01 12 11 00 05"))
    host.l2cap(.sent, channel: 6, hex("01 04 00 2d 10 03 03"))
    host.l2cap(.received, channel: 6, hex("05 03"))
    host.disconnected(reason: 0x13)
    let summary = try summary(of: host.file())
    let story = try #require(summary.gravestStory)
    #expect(story.before.isEmpty)
    #expect(story.gravest?.rule == "access-refused")
    #expect(story.behind.map(\.rule) == ["pairing-failed"])
    #expect(story.root?.rule == "pairing-failed")
  }

  /// A request without an answer is graver than a silence, but that is what is felt.
  @Test func `a request without an answer, and the silence behind it`() throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<30 {
      host.notified([0, 70 + UInt8(second % 5)])
      host.wait(milliseconds: 1000)
    }
    host.sent(hex("0a 13 00"))
    host.wait(milliseconds: 40_000)
    host.disconnected(reason: 0x16)
    let story = try #require(summary(of: host.file()).gravestStory)
    #expect(story.gravest?.rule == "att-timeout" && story.consequence?.rule == "notification-gap")
    #expect(story.chapters.map(\.rule) == ["att-timeout", "notification-gap"] && story.others == 0)
  }

  @Test func `handles that hold no more, and one of them is written`() throws {
    var host = HostSide.discovered
    host.sent(hex("08 01 00 05 00 03 28"))
    host.received(hex("09 07 02 00 20 03 00 05 2a"))
    Self.changeTable(of: &host, asking: "12 11 00 01 00", answer: "01 12 11 00 01")
    #expect(try causes(of: "never-subscribed", host) == ["stale-handles"])
    #expect(try host.findings(of: "stale-handles").count == 1)
  }
}

import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// What comes again and again is told one by one only so often; no more is lost of the rest than its words.
@Suite struct `Many findings` {
  /// A sensor that connects again and again; on each connection its energy falls 131 times.
  private func findings(connections: Int) throws -> [Finding] {
    var host = HostSide()
    for _ in 0..<connections {
      host.subscribe()
      for _ in 0..<131 {
        host.notified([0x08, 72, 0x40, 0x00])
        host.wait(milliseconds: 990)
        host.notified([0x08, 72, 0x20, 0x00])
        host.wait(milliseconds: 990)
      }
      host.disconnected(reason: 0x13)
    }
    var rules = RuleSettings()
    try rules.ask(only: ["energy-decreased"])
    return try summary(of: host.file(), rules: rules).findings
  }

  @Test func `are counted beyond the hundredth of a rule and a connection`() throws {
    let found = try findings(connections: 1)
    #expect(found.count == 101)
    #expect(found.filter { $0.count == 1 }.count == 100)
    let last = try #require(found.last)
    #expect(last.count == 31 && last.message == "31 more like the 100 before")
    let (start, end) = (try #require(last.time), try #require(last.endTime))
    #expect(try start > #require(found[99].endTime))
    // Of 31, each 2 s and a little behind the one before.
    #expect((60..<61).contains(end.seconds(since: start)))
  }

  @Test func `are counted beyond the fifth, once there are a thousand`() throws {
    let found = Dictionary(grouping: try findings(connections: 12)) { $0.connection }
    #expect(found.count == 12)
    for connection in 1...12 {
      let own = try #require(found[connection])
      #expect(own.count == (connection <= 10 ? 101 : 6))
      #expect(own.reduce(0) { $0 + $1.count } == 131)
      if connection > 10 { #expect(own.contains { $0.message == "126 more like the 5 before" }) }
    }
  }

  /// Before the usual period is known, gaps are judged only at the end: they are the first all the same.
  @Test func `begin behind those that are told, though the first of them are judged last`() throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<106 {
      for second in 0..<5 {
        host.notified([0, 70 + UInt8(second % 3)])
        host.wait(milliseconds: 990)
      }
      host.wait(milliseconds: 7000)
    }
    host.disconnected(reason: 0x13)
    let summary = try summary(of: host.file())
    let gaps = summary.findings.filter { $0.rule == "notification-gap" }
    #expect(gaps.map(\.amount) == Array(repeating: 1, count: 100) + [5])
    #expect(gaps.last?.message == "5 more like the 100 before")
    #expect(try #require(gaps.last?.frame) > #require(gaps[99].frame))
    let story = summary.story(of: try #require(summary.connections.first))
    #expect(story.chapters.last?.message == "8 s without a measurement, usually 1 s")
    #expect(story.chapters.last?.frame == gaps[0].frame && story.repetitions["notification-gap"] == 104)
  }
}

/// A threshold that is set holds for values that no default would look at.
@Suite struct `Settings of rules` {
  private func jumps(step: String?) throws -> Int {
    var host = HostSide()
    host.subscribe()
    for rate: UInt8 in [60, 60, 60, 71, 71, 71, 71] {
      host.notified([0x00, rate])
      host.wait(milliseconds: 990)
    }
    var rules = RuleSettings()
    try rules.ask(only: ["heart-rate-jump"])
    if let step { try rules.set("heart-rate-jump.step=\(step)") }
    return try summary(of: host.file(), rules: rules).findings.count
  }

  @Test func `reach a step of the heart rate that is far below the usual one`() throws {
    #expect(try jumps(step: nil) == 0)
    #expect(try jumps(step: "11") == 0)
    #expect(try jumps(step: "10") == 1)
  }

  @Test(arguments: [
    ("rr-sum-mismatch.tolerance", "0.004", "0.01"), ("rr-contradicts-heart-rate.tolerance", "0.01", "0.02"),
  ])
  func `tell from where on they may be`(name: String, less: String, least: String) throws {
    var rules = RuleSettings()
    try rules.set("\(name)=\(least)")
    let problem = #expect(throws: RuleSettings.Problem.self) { try rules.set("\(name)=\(less)") }
    #expect(problem?.description == "\(name) goes from \(least) to 1.")
  }

  @Test func `that count are whole`() throws {
    var rules = RuleSettings()
    try rules.set("reconnect-loop.connections=4")
    for value in ["2.5", "1", "1001", "nan", "inf"] {
      let problem = #expect(throws: RuleSettings.Problem.self) { try rules.set("reconnect-loop.connections=\(value)") }
      #expect(problem?.description == "reconnect-loop.connections is a whole number from 2 to 1000.")
    }
  }
}

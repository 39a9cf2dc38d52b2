import CaptureFiles
import CaptureReports
import Testing
import TestSupport

@testable import CaptureAnalysis

/// What is found again and again, and says the same, is read once.
@Suite struct `Repeated findings` {
  /// A strap that loses contact for so many measurements, one after another.
  private func strap(losing lengths: [Int]) throws -> AnalyzedText {
    var host = HostSide()
    host.subscribe()
    func measure(_ flags: UInt8, _ count: Int) {
      for _ in 0..<count {
        host.notified([flags, 72])
        host.wait(milliseconds: 990)
      }
    }
    measure(6, 3)
    for length in lengths {
      measure(4, length)
      measure(6, 3)
    }
    host.disconnected(reason: 0x16)
    let capture = try Reporting.summary("strap", host.file())
    return AnalyzedText(
      text: Reporting.analysis([capture], width: 120), json: Reporting.analysis([capture], as: .json))
  }

  private struct AnalyzedText {
    let text: String
    let json: String

    /// The heads of the entries of a rule.
    func entries(of rule: String) -> [Substring] {
      text.split(separator: "\n").filter { $0.contains(" \(rule)   #") }
    }
  }

  @Test func `are one entry with how often, from where, and to where`() throws {
    let report = try strap(losing: [1, 1, 1, 2, 1, 2, 2])
    let entries = report.entries(of: "contact-lost").map { $0.drop { $0 == " " } }
    #expect(
      entries == [
        "warning   contact-lost   #13 → #21   09:26:56 – 09:27:04   3 times",
        "warning   contact-lost   #25 → #26   09:27:08",
        "warning   contact-lost   #30   09:27:13",
        "warning   contact-lost   #34 → #40   09:27:17 – 09:27:23   2 times",
      ])
    // That it was lost for 1 s stands in the head, the first of three times.
    #expect(report.text.ranges(of: "contact lost for 2 s (2 measurements)\n").count == 2)
    #expect(report.text.hasSuffix("all of them: --format json\n\nWhy, and what to do: hrsnoop explain contact-lost\n"))
    #expect(report.json.ranges(of: "\"rule\": \"contact-lost\"").count == 7)
  }

  /// Two dozen and more that say the same leave room for others.
  @Test func `take the room of one`() throws {
    let report = try strap(losing: Array(repeating: 1, count: 60) + [2, 3, 4])
    #expect(report.entries(of: "contact-lost").map { $0.hasSuffix("60 times") } == [true, false, false, false])
    #expect(!report.text.contains("more like these"))
  }

  /// What would stand for one takes the room of that one.
  @Test func `are told where no more than one would be left`() throws {
    var host = HostSide()
    host.subscribe()
    func measure(_ flags: UInt8, _ rate: UInt8, _ count: Int) {
      for place in 0..<count {
        host.notified([flags, rate == 0 ? 0 : rate + UInt8(place % 3)])
        host.wait(milliseconds: 990)
      }
    }
    for (flags, rate, most) in [(6, 0, 9), (4, 72, 3)] as [(UInt8, UInt8, Int)] {
      for length in 1...most {
        measure(6, 72, 3)
        measure(flags, rate, length)
      }
    }
    measure(6, 72, 3)
    host.disconnected(reason: 0x16)
    let told = try summary(of: host.file()).findings(of: 1, most: 6).map(\.finding)
    #expect(
      told.map(\.rule) == Array(repeating: "heart-rate-zero", count: 3) + Array(repeating: "contact-lost", count: 3))
    #expect(told.map { $0.message.hasSuffix("more like these") } == [false, false, true, false, false, false])
  }

  /// What is told in the head is not the only one of its kind, be it the gravest or what explains that.
  @Test func `are counted in the head, each behind the first`() throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<3 {
      for rate in 0..<20 as Range<UInt8> {
        host.notified([0, 72 + rate % 3])
        host.wait(milliseconds: 990)
      }
      host.wait(milliseconds: 4000)
      for _ in 0..<5 { host.notified([0, 73]) }
      host.wait(milliseconds: 990)
    }
    host.disconnected(reason: 0x16)
    let text = Reporting.analysis([try Reporting.summary("held", host.file())], width: 400)
    let head = #/! 5 s without .+ \(#\d+ → #\d+\), and 2 more of notification-gap; so, 5 measurements at once .+/#
    #expect(text.contains(head), "\(text)")
    #expect(text.contains(#/; so, .+ \(#\d+ →\s+#\d+\), and 2 more of notification-burst\.\n/#), "\(text)")
  }

  /// A host that tries again and again to encrypt a link with a key that the peer has lost; at last the peer goes away.
  @Test func `are told of connections that end alike with the first`() throws {
    var host = HostSide()
    for status in [0x06, 0x06, 0x06, 0x3D] as [UInt8] {
      host.connected()
      host.event(0x08, [status] + hex("40 00 00"))
      host.disconnected(reason: 0x16)
      host.wait(milliseconds: 90_000)
    }
    let text = Reporting.analysis([try Reporting.summary("key", host.file())], width: 200)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ! ") }.map { $0.dropFirst(6) }
    try #require(lines.count == 4, "\(text)")
    #expect(lines[0].hasPrefix("The encryption of the link failed with PIN or Key Missing (0x06): "))
    #expect(lines[1] == "The same as on connection 1 (#5)." && lines[2] == "The same as on connection 1 (#8).")
    #expect(
      lines[3].hasPrefix("The encryption of the link failed with Connection Terminated due to MIC Failure (0x3D): "))
  }

  @Test(arguments: [
    ("at -90 dBm (#229)", "at -90 dBm (#244)", true), ("at -90 dBm (#229)", "at -91 dBm (#229)", false),
    ("3 s without (#1:7 → #1:8)", "3 s without (#2:7 → #2:9)", true), ("3 s without", "4 s without", false),
    ("#12: refused", "#345: refused", true), ("", "", true),
  ])
  func `may name other records`(first: String, second: String, isSame: Bool) {
    func finding(_ message: String) -> Finding { Finding(rule: "rule", severity: .warning, message: message) }
    #expect(ListedFinding(finding(first)).says(finding(second)) == isSame)
  }
}

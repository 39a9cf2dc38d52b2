import GATTKit
import TestSupport
import Testing

@testable import CaptureReports

/// Where columns are few, a report is told in as many lines as it takes, and in fewer words.
@Suite struct `On a narrow terminal` {
  private func expectFit(_ text: some StringProtocol, _ width: Int) {
    for line in text.split(separator: "\n") { #expect(DisplayWidth.columns(line) <= width, "\(line)") }
  }

  /// A name from the air may have no spaces, and characters of two columns; what colours it takes none.
  @Test(arguments: [40, 80, 127]) func `a wide name is broken, in colour as without`(width: Int) {
    let name = String(repeating: "中文名字", count: 16)
    let lines = [false, true].map { isColored in
      let context = Reporting.context(width, isColored: isColored)
      return context.flow([Style.heading(name, context), "E0:9E:00:00:00:09"], hanging: 2)
    }
    expectFit(lines[0], width)
    #expect(lines[1].contains(Style.heading.opening) && lines[1].contains(Style.closing))
    #expect(lines[1].replacing(/\u{1B}\[\d+m/, with: "") == lines[0])
  }

  /// The last time has its date there.
  @Test(arguments: [40, 41, 80]) func `the times below a course over midnight fit`(width: Int) throws {
    let day: Int64 = 86_400_000_000
    var host = HostSide()
    host.time += day - host.time % day - 10_000_000
    host.subscribe()
    for beat in 0..<20 {
      host.wait(milliseconds: 1000)
      host.notified([0x00, 70 + UInt8(beat % 5)])
    }
    let text = Reporting.analysis([try Reporting.summary("a", host.file())], width: width)
    let scale = try #require(text.split(separator: "\n").first { $0.contains("2026-03-15 ") && $0.hasPrefix("     ") })
    #expect(scale.contains("23:59:5"))
    expectFit(scale, width)
  }

  /// A line for each of several captures: what is left of it is how it is with each.
  @Test(arguments: [40, 42, 53, 71, 72, 100]) func `a table of captures fits`(width: Int) throws {
    let captures = try ["polar-h7.btsnoop", "wahoo-tickr.two-sections.pcapng"].map {
      try Reporting.summary("captures/of/a/day/\($0)", try Sample.named($0).octets)
    }
    let text = Reporting.analysis(captures + [.failure(path: "none", message: "there is no such file")], width: width)
    let table = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    #expect(table.count == 3)
    expectFit(table.joined(separator: "\n"), width)
    #expect(table.prefix(2).allSatisfy { $0.contains(/[✗!✓]/) })
    #expect(table[0].contains(" 52–96 bpm ") && table[0].contains(" 120 ") == (width > 40))
  }

  /// Where not even the first word has room beside what happened, it stands below, and nothing behind that.
  @Test(arguments: [64, 67, 70, 75, 80, 109, 110]) func `a timeline ends where its words do`(width: Int) throws {
    for name in ["polar-h7.btsnoop", "eatt.btsnoop", "malformed.btsnoop"] {
      let text = try Reporting.timeline(name, Sample.named(name).octets, width: width, isTerminal: true)
      for line in text.split(separator: "\n") { #expect(line.last != " ", "\(line)") }
    }
  }

  /// No heading is said to be shorter than it is.
  @Test(arguments: [40, 50, 57, 80]) func `headings fit`(width: Int) throws {
    let capture = try #require(BuiltCapture.all.first { $0.name == "no-heart-rate" })
    let text = Reporting.analysis([try Reporting.summary("a", capture.octets())], width: width)
    expectFit(text, width)
    let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains("Heart rate sensors that advertised and were not connected"))
  }

  @Test(arguments: [40, 48, 49, 80]) func `a decoded value fits`(width: Int) {
    let value = DecodedValue(.heartRateMeasurement, [0x16, 0x48, 0xE8, 0x03])
    let text = written { value.write(into: $0, Reporting.context(width)) }
    expectFit(text, width)
    let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.hasSuffix("Sensor Contact detected RR-Interval 1000 (976.563 ms)"))
    #expect(text.contains("RR-Interval                   1000") == (width >= 49))
  }
}

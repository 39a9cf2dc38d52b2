import CaptureReports
import Testing
import TestSupport

/// No line is wider than the terminal, unless there is nothing in it to break at.
@Suite struct `Lines` {
  private func expectFit(_ text: String, _ width: Int, _ name: String) {
    for line in text.split(separator: "\n") where line.count > width {
      // A label may stand before the one piece.
      let piece = line.trimmingPrefix(/\s*(bpm   |RR    )?/)
      let isOnePiece = !piece.contains("   ")
      #expect(isOnePiece, "\(name) at \(width): \(line)")
    }
    #expect(!text.split(separator: "\n").contains { $0.last == " " }, "\(name): spaces at the end of a line")
    #expect(!text.contains("\n\n\n") && !text.hasPrefix("\n") && !text.hasSuffix("\n\n"), "\(name): empty lines")
  }

  @Test(arguments: Sample.all, [60, 80, 100, 200])
  func `of analyze fit`(sample: Sample, width: Int) throws {
    let capture = try Reporting.summary(sample.name, sample.octets)
    expectFit(Reporting.analysis([capture], width: width), width, sample.name)
    expectFit(Reporting.analysis([capture, capture], width: width), width, sample.name)
  }

  @Test(arguments: Sample.all, [60, 80, 100, 200])
  func `of gatt fit`(sample: Sample, width: Int) throws {
    let capture = try Reporting.summary(sample.name, sample.octets)
    expectFit(Reporting.databases([capture], width: width), width, sample.name)
  }

  @Test(arguments: BuiltCapture.all, [60, 80, 200])
  func `of odd captures fit`(capture: BuiltCapture, width: Int) throws {
    let summary = try Reporting.summary(capture.name, capture.octets())
    expectFit(Reporting.analysis([summary], width: width), width, capture.name)
    expectFit(Reporting.databases([summary], width: width), width, capture.name)
  }

  /// On a terminal, an event takes as many lines as it needs, broken between words; elsewhere, one.
  @Test(arguments: Sample.all, [40, 63, 64, 80, 109, 110, 200])
  func `of a timeline fit on a terminal`(sample: Sample, width: Int) throws {
    func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
    let whole = try Reporting.timeline(sample.name, sample.octets, width: width)
    let broken = try Reporting.timeline(sample.name, sample.octets, width: width, isTerminal: true)
    #expect(words(broken) == words(whole))
    for line in broken.split(separator: "\n") where line.count > width {
      #expect(words(String(line)).count == 1, "\(sample.name) at \(width): \(line)")
    }
    let events = broken.split(separator: "\n").count { $0.first?.isNumber == true }
    #expect(events == whole.split(separator: "\n").count { $0.first?.isNumber == true })
  }

  /// A number without its unit says nothing.
  @Test(arguments: [
    ("interval 312.5 ms to 500 ms, latency 0", "interval 312.5 ms to|500 ms, latency 0"),
    ("the end came after some 25.3 s.", "the end came after|some 25.3 s."),
    ("covering the whole of 99 %; fine", "covering the whole of|99 %; fine"),
    // What only begins as a unit does is none.
    ("a list of the 12 sensors there", "a list of the 12|sensors there"),
    ("a row of 12345678901234567890 ms", "a row of|12345678901234567890 ms"),
  ])
  func `do not part a number from its unit`(text: String, lines: String) {
    let broken = TextLayout.sentence(text, indent: 0, width: 22)
    #expect(broken == lines.replacing("|", with: "\n") + "\n")
  }

  /// Colours take no room: without them it is the same text.
  @Test(arguments: Sample.all)
  func `are the same in colour`(sample: Sample) throws {
    let capture = try Reporting.summary(sample.name, sample.octets)
    let colored = written { AnalysisFormat.text.write([capture], Reporting.context(80, isColored: true), into: $0) }
    #expect(colored != Reporting.analysis([capture]))
    #expect(colored.replacing(/\u{1B}\[\d+m/, with: "") == Reporting.analysis([capture]))
  }
}

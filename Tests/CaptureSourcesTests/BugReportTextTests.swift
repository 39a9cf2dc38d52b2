import CaptureFiles
import CaptureSources
import Octets
import Testing
import TestSupport

/// What may become of the text of a bug report before it is read.
@Suite struct `The text of a bug report` {
  private let packets = (0..<300).map { index in
    CapturedPacket(
      .event, .received, [0x0F, 4, 0, 1, UInt8(index & 0xFF), 0x20],
      time: CapturedPacket.start + Int64(index * index) * 1000)
  }

  private func lines(isEnded: Bool = true) -> [String] {
    let text = BTSnoozBuilder.bugReport(BTSnoozBuilder.packed(packets), isEnded: isEnded)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// What is read of the first log in lines, why no more is, and how many logs there are.
  private func read(
    _ lines: [String], lineEnd: String = "\n"
  ) throws -> (packets: [[UInt8]], failure: SourceError?, logs: Int) {
    try temporaryFile(Array(lines.map { $0 + lineEnd }.joined().utf8)) { path in
      let members = try CaptureSurvey(path: FilePath(path)).members
      var opened = try #require(members.first).open()
      var failure: SourceError?
      do { while try opened.fill() {} } catch { failure = error as? SourceError }
      return (try ReadCapture(Array(ContiguousArray(opened.octets))).packets, failure, members.count)
    }
  }

  /// The first begins with letters that are base64.
  @Test(arguments: ["logcat!", "!!!! 12:00 ***", "-", "11-29 12:00:01.123 I bt: --- END:BTSNOOP_LOG_SUMMARY"])
  func `with lines of others in it`(line: String) throws {
    var lines = lines()
    lines.insert(line, at: lines.count - 5)
    lines.insert(contentsOf: [line, line], at: 502)
    let read = try read(lines)
    #expect(read.packets == packets.map(\.octets) && read.failure == nil)
  }

  /// What stands behind a log that has no end is none of it, whatever it is made of, and hides no other log.
  @Test func `with a log that has no end before another text`() throws {
    let text = ["(end)"] + Array(repeating: "all words of base64", count: 1000)
    let cut = Array(lines(isEnded: false).dropLast(3))
    let alone = try read(cut)
    #expect(alone.packets.count > 50 && alone.failure?.description.contains("ends too early") == true)
    for (others, count) in [(text, 1), (text + lines(), 2)] {
      let read = try read(cut + others)
      #expect(read.packets == alone.packets && read.failure == alone.failure && read.logs == count)
    }
  }

  @Test func `with nothing but carriage returns at its lines' ends`() throws {
    let read = try read(lines(), lineEnd: "\r")
    #expect(read.packets == packets.map(\.octets) && read.failure == nil)
  }

  private static let head = ["====", "== dumpstate: 2026-03-14 09:00:00", "===="]
  private static let begin = "--- BEGIN:BTSNOOP_LOG_SUMMARY (0 bytes in) ---"
  private static let end = "--- END:BTSNOOP_LOG_SUMMARY ---"

  /// Why there is no log in it can be said.
  @Test(
    arguments: [
      ([begin, end], .empty), (head + [begin, end, "more"], .empty), (head + [begin, "", end], .empty),
      (head + ["more"], .without), ([begin], .cutOff), (head + [begin], .cutOff), (head + [begin, "AgAA"], .cutOff),
      (head + [begin, "dumpsys finished"], .empty), (head + [begin, "-- done"], .empty),
      (head + [begin, "done!", "", ""], .empty), (["text"], nil), (["x == dumpstate: "], nil),
    ] as [([String], BarrenReport?)])
  func `without a log`(lines: [String], kind: BarrenReport?) throws {
    let text = Array(lines.map { $0 + "\n" }.joined().utf8)
    for (file, name) in [(text, nil), (ArchiveBuilder.zip(["a/b.txt": text]), "a/b.txt")] as [([UInt8], String?)] {
      try temporaryFile(file) { path in
        let survey = try CaptureSurvey(path: FilePath(path))
        #expect(survey.members.isEmpty && !survey.hidesFiles)
        #expect(survey.barrenReport?.kind == kind && survey.barrenReport?.name == kind.flatMap { _ in name })
      }
    }
  }

  @Test func `with an empty log beside one that is not`() throws {
    let read = try read([Self.begin, Self.end] + lines())
    #expect(read.packets == packets.map(\.octets) && read.failure == nil && read.logs == 1)
  }
}

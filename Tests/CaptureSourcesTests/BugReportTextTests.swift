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

  /// Of a whole number of fours, and but one of its characters is none of base64: a log's first line is longer.
  @Test func `with a short line of others before its first`() throws {
    var lines = lines()
    lines.insert("logca!ts", at: 501)
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

  /// The lines of the log, from the one that begins it to the one that ends it.
  private func log() -> Range<Int> { 500..<lines().count - 1 }

  /// As they are quoted, moved in, and copied out of a window.
  @Test(arguments: ["> ", ">>", " ", "\t", "| ", "\u{FEFF}", "> \u{FEFF}"])
  func `with something before its lines`(mark: String) throws {
    let read = try read(lines().enumerated().map { log().contains($0) ? mark + $1 : $1 })
    #expect(read.packets == packets.map(\.octets) && read.failure == nil && read.logs == 1)
  }

  /// Quoted-printable: what is no letter or digit may be written as its number, and every line has 76 characters at most.
  @Test(arguments: ["=20", "=0D", "=09=20", "= "])
  func `as mailers write it`(end: String) throws {
    let written = lines().enumerated().flatMap { place, line -> [String] in
      guard log().contains(place) else { return [line] }
      let line = line.replacing("=", with: "=3D").replacing("+", with: "=2B").replacing("/", with: "=2F")
      guard line.count > 70, !line.hasPrefix("---") else { return [line + end] }
      // What is written as a number is not cut.
      let count = line.prefix(50).suffix(2).contains("=") ? 48 : 50
      return ["> " + line.prefix(count) + "=", line.dropFirst(count) + end]
    }
    let read = try read(written)
    #expect(read.packets == packets.map(\.octets) && read.failure == nil)
  }

  /// A log in which characters are others, and what is read of it.
  private func read(
    _ change: (inout [Character]) -> Void, isEnded: Bool = true
  ) throws -> (capture: ReadCapture, failure: SourceError?, doubt: String?) {
    let all = lines(isEnded: isEnded)
    let body = 501..<all.count - (isEnded ? 2 : 0)
    var characters = Array(all[body].joined(separator: "\n"))
    change(&characters)
    let text = all[..<501] + [String(characters)] + all[body.upperBound...]
    return try temporaryFile(Array(text.map { $0 + "\n" }.joined().utf8)) { path in
      let member = try #require(try CaptureSurvey(path: FilePath(path)).members.first)
      var opened = try member.open()
      var failure: SourceError?
      do { while try opened.fill() {} } catch { failure = error as? SourceError }
      return (try ReadCapture(Array(ContiguousArray(opened.octets))), failure, member.doubt)
    }
  }

  /// The stream's checksum tells what it was, wherever it stands: in the first line, at an end of one, in the last.
  @Test(arguments: ["!", "\u{FFFD}"] as [Character])
  func `with a character that is none of base64`(character: Character) throws {
    var count = 0
    _ = try read { count = $0.count }
    for place in [0, 12, 75, 77 + 1, 77 * 3 + 38, count - 5] {
      let read = try read { $0[place] = character }
      #expect(read.capture.packets == packets.map(\.octets), "\(place)")
      #expect(read.capture.records.map(\.time) == packets.map(\.time), "\(place)")
      #expect(read.failure == nil && read.doubt == nil, "\(place)")
    }
  }

  /// Nothing tells what the time of its last record was; the rest is not touched by it.
  @Test(arguments: 1..<12) func `with such a character in its header`(place: Int) throws {
    let read = try read { $0[place] = "!" }
    #expect(read.capture.packets == packets.map(\.octets) && read.failure == nil)
    #expect(read.doubt?.contains("times of day are not known") == true)
    let times = read.capture.records.map(\.time)
    #expect(times.map { $0 - times[0] } == packets.map { $0.time - packets[0].time } && times[0] < HostSide.neverSet)
  }

  /// "A" was the first, of version 2.
  @Test func `with a version that there is not`() throws {
    let read = try read { $0[0] = "g" }
    #expect(read.capture.packets == packets.map(\.octets) && read.doubt != nil)
  }

  /// More than one cannot be found, nor one in a log without its checksum: what comes before is read, and the rest said.
  @Test(arguments: [true, false]) func `with characters that are none of base64`(isEnded: Bool) throws {
    let read = try read(
      { characters in
        characters[77 * 6 + 5] = "!"
        if isEnded { characters[77 * 8 + 5] = "!" } else { characters.removeLast(100) }
      }, isEnded: isEnded)
    #expect(read.failure?.isDamage == true || read.failure?.isDoubt == true)
    #expect(read.capture.packets.starts(with: packets.prefix(50).map(\.octets)))
  }

  @Test func `without its beginning`() throws {
    let all = lines()
    let error = #expect(throws: SourceError.self) { try read(Array(all[..<501] + all[502...])) }
    #expect(error?.description.contains("missing or damaged") == true)
  }
}

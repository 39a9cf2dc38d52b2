import Foundation
import Testing
import TestSupport

/// What the program can be given, and what it answers.
@Suite struct `Inputs` {
  private let sample = Sample.named("polar-h7.btsnoop")

  @Test func `a file, with the command and without it`() async throws {
    let short = try await Program.run([sample.path])
    let long = try await Program.run(["analyze", sample.path])
    #expect(short.status == 0 && long.status == 0)
    #expect(short.errors.isEmpty && long.errors.isEmpty)
    #expect(short.octets == long.octets)
    #expect(short.output.contains("Polar H7 2C5A1D17") && short.output.contains("120 measurements"))
  }

  /// Without a command, a word is a path: what was meant is told beside what is wrong with that.
  @Test(arguments: [
    ("timline", "timeline"), ("anaylze", "analyze"), ("gat", "gatt"), ("dif", "diff"), ("Live", "live"),
  ])
  func `a command that is none`(word: String, meant: String) async throws {
    let outcome = try await Program.run([word, sample.path])
    #expect(outcome.status == 2 && outcome.output.contains("120 measurements"))
    #expect(
      outcome.errors == """
        hrsnoop: there is no command '\(word)': '\(meant)' may be meant
        hrsnoop: \(word): there is no such file

        """)
  }

  /// Behind options a command would be taken for a path, and its own options for those of another.
  @Test(arguments: [
    ["--quiet", "timeline"], ["--format", "json", "gatt"], ["--color", "always", "timeline"],
    ["-q", "--summary", "diff"],
  ])
  func `a command behind its options`(arguments: [String]) async throws {
    let outcome = try await Program.run(arguments + [sample.path])
    #expect(outcome.status == 64 && outcome.octets.isEmpty)
    #expect(outcome.errors.contains("The command comes first: hrsnoop \(arguments.last ?? "")"))
  }

  /// What an option takes is none.
  @Test func `a value that is a command's name`() async throws {
    let outcome = try await Program.run(["--device", "live", sample.path])
    #expect(outcome.status == 0 && outcome.output.contains("1 connection left out"))
  }

  @Test(arguments: ["missing", "log", "timeline.log", "./timline", "lift"])
  func `a path that is no command`(path: String) async throws {
    let outcome = try await Program.run([path])
    #expect(outcome.status == 2 && outcome.errors == "hrsnoop: \(path): there is no such file\n")
  }

  /// What is there is what was meant.
  @Test(arguments: [["timline"], ["--quiet", "timeline"]])
  func `a file that is called as a command is`(arguments: [String]) async throws {
    try await TemporaryFolder.with { folder in
      for name in ["timline", "timeline"] { try folder.file(name, try sample.octets) }
      let outcome = try await Program.run(arguments, in: folder)
      #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output.contains("120 measurements"))
    }
  }

  /// Only the path differs.
  @Test func `standard input and a pipe`() async throws {
    let file = try await Program.run(["--format", "json", sample.path]).json()
    let redirected = try await Program.run(["--format", "json", "-"], input: sample.path)
    let piped = try await Program.shell(#"cat "$1" | "$0" --format json -"#, [sample.path])
    for outcome in [redirected, piped] {
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let json = try outcome.json()
      #expect(json["captures"]?.array?.first?["path"] == .string("-"))
      #expect(json.without(["path"]) == file.without(["path"]))
    }
  }

  /// All that differs is that it is told.
  @Test(arguments: [1, 2])
  func `a copy that went through a terminal`(returns: Int) async throws {
    let whole = try await Reports.json(of: sample)
    try await TemporaryFolder.with { folder in
      let path = try folder.file("copied.log", sample.octets.copiedThroughTerminal(returns: returns))
      let piped = try await Program.shell(#"cat "$1" | "$0" --format json -"#, [path])
      for outcome in [try await Program.run(["--format", "json", path]), piped] {
        let told = try outcome.json()
        #expect(outcome.status == 0 && told.without(["path", "findings"]) == whole.without(["path", "findings"]))
        let findings = try #require(told["captures"]?.array?.first?["findings"]?.array)
        #expect(findings.map { $0["rule"] } == [.string("line-ends-changed")])
        let word = returns == 1 ? "a carriage return" : "2 carriage returns"
        #expect(findings.first?["message"]?.string?.contains(word) == true)
      }
    }
  }

  /// A shell says something first, and all of it goes through a terminal: still all that differs is that it is told.
  @Test(arguments: [0, 1])
  func `a copy behind a warning`(returns: Int) async throws {
    let whole = try await Reports.json(of: sample)
    let warning = Array("WARNING: linker: libdvm.so has text relocations.\n".utf8)
    try await TemporaryFolder.with { folder in
      let copied = try warning + sample.octets
      let path = try folder.file("copied.log", returns == 0 ? copied : copied.copiedThroughTerminal(returns: returns))
      let piped = try await Program.shell(#"cat "$1" | "$0" --format json -"#, [path])
      for outcome in [try await Program.run(["--format", "json", path]), piped] {
        let told = try outcome.json()
        let differing: Set = ["path", "findings", "complete", "skipped_octets"]
        #expect(outcome.status == 0 && told.without(differing) == whole.without(differing))
        let capture = try #require(told["captures"]?.array?.first)
        #expect(capture["skipped_octets"]?.int == warning.count && capture["complete"] == .bool(false))
        let rules = capture["findings"]?.array?.compactMap { $0["rule"]?.string } ?? []
        #expect(Set(rules) == (returns == 0 ? ["octets-skipped"] : ["octets-skipped", "line-ends-changed"]))
      }
    }
  }

  /// The end of a log that goes on and on: what is in it is told, and that its beginning is missing.
  @Test func `a log without its beginning`() async throws {
    let whole = try await Program.run(["--format", "json", sample.path]).json()
    let tail = try await Program.shell(#"tail -c 6000 "$1" | "$0" --format json -"#, [sample.path]).json()
    func measured(_ json: JSON) -> [JSON?] {
      let session = json["captures"]?.array?.first?["connections"]?.array?.first?["heart_rate"]
      return session?["measurements"]?.array?.map { $0.without(["frame"]) } ?? []
    }
    let last = measured(tail)
    #expect(last.count > 100 && last == measured(whole).suffix(last.count))
    let finding = tail["captures"]?.array?.first?["findings"]?.array?.first { $0["rule"] == .string("octets-skipped") }
    #expect(finding?["message"]?.string?.contains("the file's header is missing") == true)
  }

  /// What was rotated by size or time: each file has a header of its own, and the connection goes on in the next.
  @Test func `files behind one another are one capture`() async throws {
    let whole = try await Program.run(["--format", "json", rotated.path]).json()
    try await TemporaryFolder.with { folder in
      let paths = try pieces(of: rotated, in: folder)
      let joined = try await Program.shell(#"cat "$1" "$2" "$3" | "$0" --format json -"#, paths).json()
      for key in ["records", "first_time", "last_time", "complete", "connections", "findings"] {
        let told = try #require(joined["captures"]?.array?.first?[key])
        #expect(told == whole["captures"]?.array?.first?[key], "\(key)")
      }
    }
  }

  /// The same files, given as captures of their own, in any order: who was there when one ended is there in the next.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func `files that go on with one another`(order: [Int]) async throws {
    func measurements(_ captures: JSON?) -> [JSON?] {
      let connections = captures?.array?.flatMap { $0["connections"]?.array ?? [] } ?? []
      return connections.flatMap { connection in
        (connection["heart_rate"]?["measurements"]?.array ?? []).flatMap {
          [connection["peer"]?["address"], $0["time"], $0["bpm"]]
        }
      }
    }
    let whole = try await Program.run(["--format", "json", rotated.path]).json()
    try await TemporaryFolder.with { folder in
      let paths = try pieces(of: rotated, in: folder)
      let told = try await Program.run(["--format", "json"] + order.map { paths[$0] }).json()
      let captures = try #require(told["captures"]?.array)
      let inOrder = (0..<3).compactMap { number in order.firstIndex(of: number).map { captures[$0] } }
      #expect(measurements(.array(inOrder)) == measurements(whole["captures"]))
      #expect(measurements(whole["captures"]).count == 3 * 26)
    }
  }

  private let rotated = Sample.named("scosche-rhythm-plus.btsnoop")

  /// A sample in three files, the first of which ends behind the connection's making, the second amid measurements.
  private func pieces(of sample: Sample, in folder: URL) throws -> [String] {
    let octets = try sample.octets
    let places = BTSnoopBuilder.recordPlaces(of: octets)
    let borders = [places[0], places[35], places[80], octets.count]
    return try zip(borders, borders.dropFirst()).enumerated().map { number, border in
      try folder.file("run-\(number).btsnoop", Array(octets[..<16] + octets[border.0..<border.1]))
    }
  }

  /// A sensor that is discovered only on its second connection.
  private static let late = lateSensor()

  /// The same, and more behind it than memory holds of a pipe.
  private static let longLate = lateSensor(andEvents: 80_000)

  private static func lateSensor(andEvents count: Int = 0) -> [UInt8] {
    var host = HostSide()
    for isDiscovered in [false, true] {
      host.connected()
      if isDiscovered { host.discoverHeartRate() }
      host.notified([0x00, 70])
      host.disconnected()
      host.wait(milliseconds: 3000)
    }
    for _ in 0..<count { host.event(0xFF, [0]) }
    return host.file()
  }

  /// Only the path differs here too: a pipe is kept while it is read, whatever part of it is wanted.
  @Test(arguments: ["", "--device C5:44:33:22:11:01"], [false, true])
  func `a pipe is read twice where a file is`(part: String, isLong: Bool) async throws {
    try await Self.with(isLong ? Self.longLate : Self.late) { path in
      let whole = try await Program.shell(#""$0" --format json \#(part) "$1""#, [path]).json()
      #expect(try counts(whole) == [1, 1])
      for command in [#"cat "$1" | "$0" --format json \#(part) -"#, #""$0" --format json \#(part) - < "$1""#] {
        let outcome = try await Program.shell(command, [path])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(try outcome.json().without(["path"]) == whole.without(["path"]))
      }
    }
  }

  private static func with(_ octets: [UInt8], _ body: (String) async throws -> Void) async throws {
    try await TemporaryFolder.with { folder in try await body(try folder.file("late.btsnoop", octets)) }
  }

  private func counts(_ report: JSON) throws -> [Int?] {
    let connections = try #require(report["captures"]?.array?.first?["connections"]?.array)
    return connections.map { $0["heart_rate"]?["summary"]?["measurements"]?.int }
  }

  /// Who has read something of standard input before has read it.
  @Test func `standard input is read from where it stands`() async throws {
    try await Self.with(Array("four".utf8) + Self.late) { path in
      let outcome = try await Program.shell(
        #"(dd bs=4 count=1 status=none > /dev/null; "$0" --format json -) < "$1""#, [path])
      #expect(try counts(outcome.json()) == [1, 1])
    }
  }

  /// What memory holds needs no file.
  @Test(arguments: ["", "--device C5:44:33:22:11:01"])
  func `a short pipe is kept where nothing can be written`(part: String) async throws {
    try await Self.with(Self.late) { path in
      let kept = try await Program.shell(#"cat "$1" | TMPDIR=/none "$0" --format json \#(part) -"#, [path])
      #expect(kept.status == 0 && kept.errors.isEmpty)
      #expect(try counts(kept.json()) == [1, 1])
    }
  }

  /// Where nothing can be written, a long pipe is read once, and what gets lost so is said; where that does not do, it is an
  /// error.
  @Test func `a pipe that cannot be kept is read as it comes`() async throws {
    try await Self.with(Self.longLate) { path in
      for part in ["", "--device C5:44:33:22:11:01"] {
        let nowhere = try await Program.shell(#"cat "$1" | TMPDIR=/none "$0" --format json \#(part) -"#, [path])
        #expect(
          nowhere.status == 0 && nowhere.errorLines.count == 1 && nowhere.errors.contains("read only once, as it came"))
        #expect(try counts(nowhere.json()) == [nil, 1])
      }
      let limited = #"ulimit -f 4; cat "$1" | "$0" --device nobody - > /dev/null"#
      let full = try await Program.shell(limited, [path])
      #expect(full.status == 2 && full.errorLines.count == 1 && full.errors.contains("could not be kept"))
    }
  }

  /// A timeline is told as it comes; only a file can tell what is known in the end.
  @Test func `what a pipe cannot tell in a timeline is said`() async throws {
    try await Self.with(Self.late) { path in
      let piped = try await Program.shell(#"cat "$1" | "$0" timeline -"#, [path])
      #expect(piped.status == 0 && piped.errorLines.count == 1 && piped.errors.contains("read only once, as it came"))
      let quiet = try await Program.shell(#"cat "$1" | "$0" timeline --quiet -"#, [path])
      let redirected = try await Program.run(["timeline", "-"], input: path)
      let whole = try await Program.run(["timeline", path])
      #expect(quiet.errors.isEmpty && redirected.errors.isEmpty && whole.errors.isEmpty)
      #expect(redirected.lines.dropFirst() == whole.lines.dropFirst() && quiet.lines.count < whole.lines.count)
    }
  }

  /// What is to be said of the capture as a whole is in a timeline too.
  @Test(arguments: ["text", "ndjson"])
  func `a timeline tells of leaps of the clock`(format: String) async throws {
    var host = HostSide()
    host.connected()
    host.time -= 7_200_000_000
    host.disconnected()
    try await TemporaryFolder.with { folder in
      let path = folder.appending(path: "leap.btsnoop").path
      try Data(host.file()).write(to: URL(filePath: path))
      let told = try await Program.run(["timeline", "--format", format, path])
      #expect(told.output.contains("clock-jump"))
      let none = try await Program.run(["timeline", "--format", format, "--except", "clock-jump", path])
      #expect(!none.output.contains("clock-jump"))
    }
  }

  @Test(arguments: ["analyze", "timeline", "gatt"])
  func `nothing on standard input`(command: String) async throws {
    let outcome = try await Program.run([command, "-"])
    #expect(outcome.status == 2 && outcome.errorLines.count == 1)
    #expect(outcome.errors.hasPrefix("hrsnoop: standard input: "))
  }

  @Test(arguments: ["analyze", "timeline", "gatt"])
  func `several, one of them missing`(command: String) async throws {
    let other = Sample.named("wahoo-tickr.btsnoop")
    let outcome = try await Program.run([command, sample.path, "/no/such/capture", other.path])
    #expect(outcome.status == 2)
    #expect(outcome.errorLines == ["hrsnoop: /no/such/capture: there is no such file"])
    #expect(outcome.output.contains("Polar H7 2C5A1D17") && outcome.output.contains("TICKR 5F3A"))
    // A report that is saved tells it, too.
    #expect(outcome.output.contains("/no/such/capture") == (command == "analyze"))
  }

  /// What is saved or sent on is not without a word of what is missing in it.
  @Test func `what cannot be read stands in the table`() async throws {
    let outcome = try await Program.run([Sample.named("polar-h7.btsnoop").path, "/nowhere"])
    #expect(outcome.status == 2 && outcome.errors == "hrsnoop: /nowhere: there is no such file\n")
    #expect(outcome.lines.prefix(2).last?.hasSuffix("✗ not read: there is no such file") == true)
    #expect(try await Program.run(["/nowhere", "/neither"]).output.isEmpty)
  }

  @Test func `several begin with a table`() async throws {
    let other = Sample.named("wahoo-tickr.btsnoop")
    let folder = URL(filePath: sample.path).deletingLastPathComponent()
    let outcome = try await Program.run([sample.name, other.name], in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.lines.prefix(3).map { $0.isEmpty } == [false, false, true])
    #expect(outcome.lines.first?.hasPrefix("polar-h7.btsnoop ") == true)
    #expect(outcome.lines.first?.contains("120 measurements") == true)
    #expect(outcome.lines.dropFirst().first?.contains("40 measurements") == true)
    #expect(outcome.lines[0].contains("52–96 bpm") && outcome.lines[0].contains("✓ nothing unusual"))
  }

  @Test func `the captures in a directory, in the order of their names`() async throws {
    try await TemporaryFolder.with { folder in
      try folder.file("b/second", try Sample.named("wahoo-tickr.btsnoop").octets)
      try folder.file("a-first.txt", try sample.octets)
      try folder.file("notes.pcap", Array("not a capture".utf8))
      try folder.file("empty.btsnoop", [])
      let outcome = try await Program.run(["--format", "json", "--summary", folder.path])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let paths = try outcome.json()["captures"]?.array?.map { $0["path"]?.string }
      #expect(paths == ["\(folder.path)/a-first.txt", "\(folder.path)/b/second"])
    }
  }

  /// What is no capture need not be one; a capture that cannot be read is told, also where others can.
  @Test func `captures in a directory that cannot be read`() async throws {
    try await TemporaryFolder.with { folder in
      try folder.file("d/good.btsnoop", try sample.octets)
      try folder.file("d/air.pcap", PCAPBuilder(linkType: 256).header)
      try folder.file("d/trace.etl", InputOctets.eventTraceLog)
      try folder.file("d/trace.etl.gz", ArchiveBuilder.compressed(InputOctets.eventTraceLog))
      try folder.file("d/text.log", InputOctets.savedAsText(try sample.octets))
      try folder.file("d/notes.txt", Array("no capture".utf8))
      let outcome = try await Program.run(["--format", "json", "--summary", "d"], in: folder)
      #expect(outcome.status == 2)
      let told = outcome.errorLines.map { $0.dropFirst("hrsnoop: d/".count).prefix { $0 != ":" } }
      #expect(told == ["air.pcap", "text.log", "trace.etl", "trace.etl.gz"], "\(outcome.errors)")
      #expect(outcome.errorLines.filter { $0.contains("btetlparse") }.count == 2)
      #expect(try outcome.json()["captures"]?.array?.count == 5)
    }
  }

  /// A capture without records is read, and says so.
  @Test func `a header and nothing more`() async throws {
    try await TemporaryFolder.with { folder in
      let path = try folder.file("header.btsnoop", BTSnoopBuilder.header())
      let outcome = try await Program.run([path])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.output.contains("The capture holds no records."))
      let json = try await Program.run(["--format", "json", path]).json()
      let capture = try #require(json["captures"]?.array?.first)
      #expect(capture["records"] == .number(0) && capture["first_time"] == .null)
      #expect(capture["link_type"] == .string("hci-h4") && capture["connections"] == .array([]))
    }
  }
}

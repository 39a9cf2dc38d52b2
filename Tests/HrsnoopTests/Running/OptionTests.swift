import Foundation
import Testing
import TestSupport

@Suite struct `Options` {
  private let sample = Sample.named("polar-h7.btsnoop")

  /// Lists go, figures and findings stay.
  @Test(arguments: ["polar-h7.btsnoop", "malformed.btsnoop", "three-sensors-crossed-handles.btsnoop"])
  func `summary`(name: String) async throws {
    let path = Sample.named(name).path
    let full = try await Program.run(["--format", "json", path]).json()
    let outcome = try await Program.run(["--format", "json", "--summary", path])
    #expect(outcome.status == 0)
    let summary = try outcome.json()
    #expect(summary.without(["measurements"]) == full.without(["measurements"]))
    for connection in summary["captures"]?.array?.first?["connections"]?.array ?? [] {
      #expect(connection["heart_rate"]?["measurements"] == .array([]))
      #expect(connection["heart_rate"]?["summary"]?["measurements"]?.int.map { $0 > 0 } == true)
    }
    let text = try await Program.run(["--summary", path])
    #expect(text.octets == (try await Program.run([path])).octets)
  }

  @Test(arguments: [
    ["analyze"], ["analyze", "--format", "json"], ["timeline"], ["timeline", "--format", "ndjson"], ["gatt"],
    ["gatt", "--format", "json"],
  ])
  func `output into a file`(command: [String]) async throws {
    try await TemporaryFolder.with { folder in
      let target = try folder.file("result", Array(repeating: 0x58, count: 100_000))
      let direct = try await Program.run(command + [sample.path])
      let outcome = try await Program.run(command + [sample.path, "--output", target])
      #expect(outcome.status == 0 && outcome.octets.isEmpty && outcome.errors.isEmpty)
      #expect(try Data(contentsOf: URL(filePath: target)) == direct.octets)
    }
  }

  @Test func `output of decode into a file`() async throws {
    try await TemporaryFolder.with { folder in
      let target = folder.appending(path: "value").path
      let outcome = try await Program.run(["decode", "2A37", "0648", "-o", target])
      #expect(outcome.status == 0 && outcome.octets.isEmpty)
      #expect(try String(contentsOfFile: target, encoding: .utf8).contains("72 bpm"))
    }
  }

  @Test(arguments: ["analyze", "timeline", "gatt"])
  func `output of nothing that could be read`(command: String) async throws {
    try await TemporaryFolder.with { folder in
      let target = try folder.file("result", Array("the report of yesterday".utf8))
      let outcome = try await Program.run([command, "/no/such/capture", "--output", target])
      #expect(outcome.status == 2)
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "the report of yesterday")
    }
  }

  @Test func `output of nothing there is to tell`() async throws {
    try await TemporaryFolder.with { folder in
      let target = try folder.file("result", Array("the report of yesterday".utf8))
      let command = ["timeline", "--format", "ndjson", "--events", "malformed"]
      let outcome = try await Program.run(command + [sample.path, "-o", target])
      #expect(outcome.status == 0)
      #expect(try Data(contentsOf: URL(filePath: target)).isEmpty)
    }
  }

  /// As an input's "-" is standard input: a file of that name could hardly be read again.
  @Test func `output into standard output`() async throws {
    try await TemporaryFolder.with { folder in
      let outcome = try await Program.run(["gatt", sample.path, "--output", "-"], in: folder)
      #expect(outcome.octets == (try await Program.run(["gatt", sample.path])).octets && outcome.status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  /// People are told what "-" stands for; programs are told what was given.
  @Test(arguments: ["analyze", "timeline", "gatt"]) func `standard input has a name`(command: String) async throws {
    let text = try await Program.run([command, "-"], input: sample.path)
    #expect(text.lines.first?.hasPrefix("standard input") == true)
    let format = command == "timeline" ? "ndjson" : "json"
    let outcome = try await Program.run([command, "--format", format, "-"], input: sample.path)
    #expect(outcome.output.contains(#""path": "-""#))
  }

  @Test func `a path that is empty`() async throws {
    let outcome = try await Program.run([""])
    #expect(outcome.status == 2 && outcome.errors == "hrsnoop: '': there is no such file\n")
  }

  @Test func `output where nothing can be written`() async throws {
    let outcome = try await Program.run([sample.path, "--output", "/no/such/folder/result"])
    #expect(outcome.status == 2 && outcome.octets.isEmpty && outcome.errorLines.count == 1)
    #expect(outcome.errors.hasPrefix("hrsnoop: /no/such/folder/result: cannot be written"))
  }

  /// A capture may be the only one there is.
  @Test(arguments: ["analyze", "timeline", "gatt"])
  func `output into the capture itself`(command: String) async throws {
    try await TemporaryFolder.with { folder in
      let octets = try sample.octets
      let path = try folder.file("capture", octets)
      let outcome = try await Program.run([command, path, "--output", path])
      #expect([2, 64].contains(outcome.status))
      #expect(outcome.errors.contains(path))
      #expect([UInt8](try Data(contentsOf: URL(filePath: path))) == octets)
    }
  }

  @Test(arguments: ["analyze", "timeline", "gatt"])
  func `color`(command: String) async throws {
    let plain = try await Program.run([command, sample.path])
    let never = try await Program.run([command, "--color", "never", sample.path])
    let always = try await Program.run([command, "--color", "always", sample.path], environment: ["NO_COLOR": "1"])
    #expect(!plain.output.contains("\u{1B}") && never.octets == plain.octets)
    #expect(always.output.contains("\u{1B}["))
    #expect(always.output.replacing(/\u{1B}\[\d+m/, with: "") == plain.output)
    #expect(plain.status == 0 && never.status == 0 && always.status == 0)
  }

  @Test func `JSON is never coloured`() async throws {
    let plain = try await Program.run(["--format", "json", sample.path])
    let always = try await Program.run(["--format", "json", "--color", "always", sample.path])
    #expect(always.octets == plain.octets)
  }

  @Test func `quiet keeps the report`() async throws {
    let outcome = try await Program.run(["--quiet", sample.path])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.octets == (try await Program.run([sample.path])).octets)
    let missing = try await Program.run(["-q", "/no/such/capture"])
    #expect(missing.status == 2 && missing.errorLines.count == 1)
  }
}

@Suite struct `Help and usage` {
  @Test(arguments: ["analyze", "timeline", "gatt", "decode", "explain"])
  func `each command's help has examples`(command: String) async throws {
    for arguments in [[command, "--help"], ["help", command]] {
      let outcome = try await Program.run(arguments)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let examples = outcome.output.split(separator: "Examples:").dropFirst().first ?? ""
      #expect(examples.contains("\n  hrsnoop "), "\(arguments)")
    }
  }

  @Test func `the program's help names every command`() async throws {
    let outcome = try await Program.run(["--help"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output.contains("Examples:\n  hrsnoop "))
    for command in ["analyze", "timeline", "gatt", "decode", "explain", "Exit codes"] {
      #expect(outcome.output.contains(command))
    }
  }

  /// Every example in the help is one that the program takes.
  @Test(arguments: ["", "decode"])
  func `examples of decode work`(command: String) async throws {
    let help = try await Program.run([command, "--help"].filter { !$0.isEmpty }).output
    let examples = help.matches(of: /hrsnoop decode (\S+) "?([0-9a-f ]+[0-9a-f])"?/)
    #expect(!examples.isEmpty)
    for example in examples {
      let outcome = try await Program.run(["decode", String(example.1), String(example.2)])
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(example.0)")
    }
  }

  @Test func `version`() async throws {
    let outcome = try await Program.run(["--version"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    let json = try await Program.run(["--format", "json", Sample.named("polar-h7.btsnoop").path]).json()
    #expect(json["tool"]?["version"]?.string == outcome.lines.first)
  }

  #if os(Linux)
    /// What was asked for and did not come is told, help no less than a report.
    @Test(arguments: [
      ["--help"], ["help", "analyze"], ["--version"], ["explain"], ["decode", "2A37", "0648"],
      [Sample.named("polar-h7.btsnoop").path],
    ])
    func `nothing can be written`(arguments: [String]) async throws {
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let outcome = try await Program.run(arguments, output: full)
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasPrefix("hrsnoop: standard output: cannot be written: "), "\(outcome.errors)")
    }
  #endif

  /// A limit on how long files may be is told as a full disk is, and does not end the program without a word.
  @Test(arguments: [#"timeline "$1" > "$2""#, #"timeline -o "$2" "$1""#])
  func `a file may not become too long`(command: String) async throws {
    try await TemporaryFolder.with { folder in
      let result = folder.appending(path: "result").path
      let outcome = try await Program.shell(
        #"ulimit -f 4; "$0" "# + command, [Sample.named("polar-h7.btsnoop").path, result])
      #expect(outcome.status == 2 && outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("cannot be written: File too large"), "\(outcome.errors)")
    }
  }

  /// Each wrong call with a word that the answer must have.
  @Test(arguments: [
    (["--frob", "x"], "--frob"), (["--format", "xml", "x"], "'text' and 'json'"),
    (["timeline", "--format", "json", "x"], "ndjson"), (["gatt", "--format", "ndjson", "x"], "'text' and 'json'"),
    (["timeline", "--events", "heart-rate,heartrate", "x"], "'heartrate'"),
    (["timeline", "--events", "peer", "x"], "peer"),
    (["timeline", "--events", "", "x"], "events"), (["--color", "blue", "x"], "'never'"), (["--output"], "--output"),
    ([], "path"), (["analyze"], "path"), (["timeline"], "path"), (["gatt"], "path"), (["decode"], "uuid"),
    (["explain", "notification"], "notification-gap"),
    (["explain", "everything"], "lists them"),
    (["--rules", "no-such-rule", "x"], "no-such-rule"),
    (["--rules", "contact-lost", "--except", "contact-lost", "x"], "leaves no rule"),
    (["--rules", "", "x"], "no rule"), (["live", "-", "--rules", ","], "no rule"),
    (["--set", "notification-gap.factor", "x"], "rule.parameter"),
    (["--set", "notification-gap.speed=1", "x"], "factor"),
    (["--set", "notification-gap.factor=0", "x"], "1000"),
    (["--fail-on", "nothing", "x"], "warning"),
    (["timeline", "--format", "csv", "--events", "read", "x"], "heart-rate"),
    (["decode", "xyz", "00"], "'xyz'"), (["decode", "2A3", "00"], "'2A3'"), (["decode", "2A37", "164"], "even"),
    (["decode", "2A37", "1g"], "'g' in '1g'"), (["decode", "2A37", "--format", "json"], "'j' in 'json'"),
    (["-", "-"], "only once"), (["timeline", "-", "x", "-"], "only once"), (["gatt", "-", "-"], "only once"),
    (["diff", "--", "-:1", "-:2"], "only once"), (["diff", "--group", "a=-,x", "-"], "only once"),
    (["-", "--gatt-map", "-"], "only once"), (["-", "--profiles", "-"], "only once"),
    (["live", "-", "--gatt-map", "-"], "only once"), (["live", "--connect", "nohost"], "such as localhost:8872"),
    (["live", "--write", "a", "--rotate", "much"], "such as 4G"),
    (["live", "-", "--write", "-"], "takes a file"), (["--max-unpacked", "4Q", "x"], "such as 4G"),
    (["--except", "notification-gpa", "x"], "is it notification-burst, notification-gap"),
    (["explain", "capture", "--format", "markdown"], "text only"),
    (["diff", "--group", "a=x", "--group", "a=y"], "'a'"),
    (["help", "bogus"], "'bogus'"), (["explain", "--max-depth=1"], "--max-depth"),
  ])
  func `wrong usage`(arguments: [String], word: String) async throws {
    let outcome = try await Program.run(arguments)
    #expect(outcome.status == 64 && outcome.octets.isEmpty)
    #expect(outcome.errors.contains(word))
    #expect(outcome.errors.lowercased().contains("usage: hrsnoop"))
  }

  /// What is told of an argument does not reach the terminal as it is.
  @Test(arguments: [["--frob\u{1B}[2J", "x"], ["--format", "\u{1B}[2J", "x"], ["decode", "\u{9B}2J", "00"]])
  func `wrong usage is shown, not obeyed`(arguments: [String]) async throws {
    let outcome = try await Program.run(arguments)
    #expect(outcome.status == 64 && outcome.errors.contains("2J"))
    #expect(!outcome.errorLines.contains { $0.unicodeScalars.contains(where: Hostile.isForbidden) })
  }

  /// Where no terminal says how wide it is, help has eighty columns; an example that goes on in the next line is one no
  /// more.
  @Test(arguments: ["", "analyze", "timeline", "gatt", "diff", "live", "decode", "explain"])
  func `examples fit into a line`(command: String) async throws {
    let help = try await Program.run(["help", command].filter { !$0.isEmpty })
    let examples = help.lines.drop { $0 != "Examples:" }.dropFirst().prefix { !$0.isEmpty }
    #expect(!examples.isEmpty)
    for example in examples { #expect(example.hasPrefix("  ")) }
  }

  /// Advice for a command is about that command.
  @Test(arguments: [
    ["timeline", "--events", "x", "y"], ["decode", "xyz", "00"], ["decode", "2A37", "164"], ["decode", "2A37", "zz"],
  ])
  func `the usage is the command's own`(arguments: [String]) async throws {
    let outcome = try await Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("Usage: hrsnoop \(arguments[0]) "))
    #expect(outcome.errors.contains("'hrsnoop \(arguments[0]) --help'"))
  }
}

/// The program may be started without one of its streams.
@Suite struct `Closed streams` {
  private let path = Sample.named("polar-h7.btsnoop").path

  /// What is said of the other input has no place to go, and stays out of the result.
  @Test func `standard error`() async throws {
    try await TemporaryFolder.with { folder in
      let result = folder.appending(path: "result").path
      let line = #""$0" timeline --format ndjson -o "$2" "$1" /no/such/capture 2>&-"#
      let outcome = try await Program.shell(line, [path, result])
      #expect(outcome.status == 2 && outcome.octets.isEmpty)
      let whole = try await Program.run(["timeline", "--format", "ndjson", path, "/no/such/capture"])
      #expect(try Data(contentsOf: URL(filePath: result)) == whole.octets)
    }
  }

  @Test(arguments: [["timeline"], ["gatt", "--format", "json"], ["--help"]])
  func `standard output`(command: [String]) async throws {
    let options = command.joined(separator: " ")
    let outcome = try await Program.shell(#""$0" \#(options) "$1" >&-"#, [path])
    #expect(outcome.status == 2 && outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("standard output: cannot be written"))
  }

  @Test(arguments: ["analyze", "timeline", "gatt", "live"]) func `standard input`(command: String) async throws {
    let outcome = try await Program.shell(#""$0" \#(command) - <&-"#, [])
    #expect(outcome.status == 2 && outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("standard input: cannot be read"), "\(outcome.errors)")
  }
}

@Suite struct `Readers that leave` {
  private static let path = Sample.named("polar-h7.btsnoop").path

  /// Far more than a pipe holds, so that the program writes after the reader has gone.
  @Test(arguments: [
    "timeline", "timeline --format ndjson", "analyze --format json", "timeline --events heart-rate",
  ])
  func `head`(command: String) async throws {
    try await TemporaryFolder.with { folder in
      let path = try folder.file("long.btsnoop", InputOctets.measurements(3000))
      let line = #"{ "$0" \#(command) "$1"; echo $? > "$2"; } | head -1"#
      let status = folder.appending(path: "status").path
      let outcome = try await Program.shell(line, [path, status])
      #expect(outcome.lines.count == 1 && outcome.errors.isEmpty)
      #expect(try String(contentsOfFile: status, encoding: .utf8) == "0\n")
    }
  }

  /// That nobody reads on changes nothing of what was found, or could not be read.
  @Test(arguments: [
    ("--format json --fail-on error \"$1\"", "1"), ("--format json no-such-file \"$1\"", "2"),
    ("timeline no-such-file \"$1\"", "2"), ("live - --format ndjson <\"$1\"", "0"),
    ("diff --format json --fail-on-difference \"$1\" \(path)", "1"),
  ])
  func `but the exit code stays`(command: String, status: String) async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.subscribe()
      for index in 0..<3000 { host.notified(index == 1 ? [0x01, 70] : [0x06, 70]) }
      let path = try folder.file("long.btsnoop", host.file())
      let told = folder.appending(path: "status").path
      _ = try await Program.shell(#"{ "$0" \#(command) 2>"$2.errors"; echo $? > "$2"; } | head -1"#, [path, told])
      #expect(try String(contentsOfFile: told, encoding: .utf8) == status + "\n")
    }
  }

  @Test(arguments: [
    ["analyze", path], ["gatt", path], ["decode", "2A37", "0648"], ["timeline", path], ["--help"], ["--version"],
    ["--generate-completion-script", "bash"],
  ])
  func `before the first octet`(arguments: [String]) async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let outcome = try await Program.run(arguments, output: pipe.fileHandleForWriting)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
  }
}

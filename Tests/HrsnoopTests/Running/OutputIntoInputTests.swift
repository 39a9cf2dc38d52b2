import Foundation
import TestSupport
import Testing

/// A capture may be the only one there is: no result is written over it, nor over anything else that is read.
@Suite struct `Output into what is read` {
  /// Where the result would go, and how all of that is read.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let output: String
    let arguments: [String]
    var input: String?
  }

  private static let cases = [
    Case(testDescription: "a file of a directory", output: "d/sub/log", arguments: ["d"]),
    Case(testDescription: "one with a link to it there", output: "elsewhere", arguments: ["d"]),
    Case(testDescription: "half of a pair", output: "d/pair.last", arguments: ["d"]),
    Case(testDescription: "half of a pair that is given", output: "d/pair.last", arguments: ["d/pair", "d/pair.last"]),
    Case(testDescription: "an archive of a directory", output: "d/a.zip", arguments: ["d"]),
    Case(testDescription: "standard input", output: "d/sub/log", arguments: ["-"], input: "d/sub/log"),
    Case(testDescription: "a map", output: "map.json", arguments: ["d/pair", "--gatt-map", "map.json"]),
    Case(testDescription: "a linked map", output: "d/map", arguments: ["d/pair", "--gatt-map", "map.json"]),
  ]

  private func fill(_ folder: URL) async throws {
    let capture = InputOctets.measurements(3)
    for name in ["d/sub/log", "d/pair", "d/pair.last", "elsewhere"] { try folder.file(name, capture) }
    try folder.file("d/a.zip", ArchiveBuilder.zip(["log": capture]))
    let map = try await Program.run(["gatt", "--format", "json", "d/pair"], in: folder).octets
    try folder.file("map.json", [UInt8](map))
    for (link, file) in [("d/link", "../elsewhere"), ("d/map", "../map.json")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: link).path, withDestinationPath: file)
    }
  }

  private func expectRefusal(_ outcome: Outcome, _ output: String) {
    #expect(outcome.status == 2 && outcome.octets.isEmpty)
    #expect(
      outcome.errorLines == ["hrsnoop: \(output): is an input too; write the result to another file"])
  }

  @Test(arguments: ["analyze", "timeline", "gatt"], cases)
  func `is refused`(command: String, example: Case) async throws {
    try await TemporaryFolder.with { folder in
      try await fill(folder)
      let file = folder.appending(path: example.output)
      let before = try Data(contentsOf: file)
      let outcome = try await Program.run(
        [command, "--output", example.output] + example.arguments,
        input: example.input.map { folder.appending(path: $0).path }, in: folder)
      expectRefusal(outcome, example.output)
      #expect(try Data(contentsOf: file) == before)
    }
  }

  @Test func `is refused by diff`() async throws {
    try await TemporaryFolder.with { folder in
      let sensor = InputOctets.sensor(named: Array("Polar".utf8))
      for name in ["d/log", "other"] { try folder.file(name, sensor) }
      let outcome = try await Program.run(["diff", "d", "other", "-o", "d/log"], in: folder)
      expectRefusal(outcome, "d/log")
      #expect(try Data(contentsOf: folder.appending(path: "d/log")) == Data(sensor))
    }
  }

  /// Of a directory of profiles, only what is read is spared.
  @Test func `is refused for profiles`() async throws {
    try await TemporaryFolder.with { folder in
      let capture = try folder.file("capture", InputOctets.sensor(named: Array("Polar".utf8)))
      let profile = try await Program.run(["gatt", "--profile", capture]).octets
      try folder.file("profiles/mine.json", [UInt8](profile))
      try folder.file("profiles/report.txt", [])
      let command = [capture, "--profiles", "profiles", "--output"]
      expectRefusal(try await Program.run(command + ["profiles/mine.json"], in: folder), "profiles/mine.json")
      #expect(try Data(contentsOf: folder.appending(path: "profiles/mine.json")) == profile)
      let outcome = try await Program.run(command + ["profiles/report.txt"], in: folder)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
    }
  }

  /// A report among captures may be written anew.
  @Test(arguments: ["analyze", "timeline", "gatt"])
  func `is not what replaces the last report`(command: String) async throws {
    try await TemporaryFolder.with { folder in
      try folder.file("log", InputOctets.measurements(3))
      for _ in 0..<2 {
        let outcome = try await Program.run([command, ".", "--output", "report"], in: folder)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
      }
      #expect(try Data(contentsOf: folder.appending(path: "report")).count > 0)
    }
  }

  /// Files after the first have names that nobody gave.
  @Test func `is not what follows a recording's first file`() async throws {
    try await TemporaryFolder.with { folder in
      let capture = InputOctets.measurements(3000)
      try folder.file("run-2.btsnoop", capture)
      let recording = ["--write", "run.btsnoop", "--rotate", "64K", "--force"]
      let outcome = try await Program.run(
        ["live", "--follow", "run-2.btsnoop", "--quiet", "--duration", "2"] + recording, in: folder)
      #expect(outcome.status == 0)
      #expect(try Data(contentsOf: folder.appending(path: "run-2.btsnoop")) == Data(capture))
      #expect(try Data(contentsOf: folder.appending(path: "run-3.btsnoop")).count > 1000)
    }
  }

  @Test func `is refused by live`() async throws {
    try await TemporaryFolder.with { folder in
      try await fill(folder)
      for (output, arguments) in [("elsewhere", ["-"]), ("map.json", ["-", "--gatt-map", "map.json"])] {
        let file = folder.appending(path: output)
        let before = try Data(contentsOf: file)
        let outcome = try await Program.run(
          ["live", "--write", output, "--force"] + arguments, input: folder.appending(path: "elsewhere").path,
          in: folder)
        expectRefusal(outcome, output)
        #expect(try Data(contentsOf: file) == before)
      }
    }
  }
}

import Foundation
import Testing
import TestSupport

/// Captures that come through a pipe while somebody looks.
@Suite struct `Pipes` {
  private let sample = Sample.named("polar-h7.btsnoop")
  /// So much comes before a pause: the last record is not all there.
  private let first = 4000

  /// What a timeline tells of the first octets, but for the capture's end in the middle of a record.
  private func told(_ format: String) async throws -> [String] {
    try await TemporaryFolder.with { folder in
      let path = try folder.file("start", Array(try sample.octets.prefix(first)))
      let events = ["timeline", "--format", format, "--except", "capture-cut-off", "-"]
      return try await Program.run(events, input: path).lines.dropLast()
    }
  }

  @Test(arguments: ["text", "ndjson"])
  func `are told as they come`(format: String) async throws {
    let (octets, told) = (try sample.octets, try await told(format))
    #expect(told.count > 20)
    let program = try await RunningProgram(["timeline", "--format", format, "-"])
    try program.feed(Array(octets.prefix(first)))
    try await program.wait(for: "what has come") { $0.lines == told }
    try program.feed(Array(octets.dropFirst(first)))
    try program.endInput()
    #expect(try await program.end() == 0)
    let whole = try await Program.run(["timeline", "--format", format, "-"], input: sample.path)
    #expect(program.lines == whole.lines && program.errors.isEmpty)
  }

  @Test func `are told as they come where they have a name`() async throws {
    let (octets, told) = (try sample.octets, try await told("text"))
    try await TemporaryFolder.with { folder in
      let path = folder.appending(path: "pipe").path
      let made = unsafe mkfifo(path, 0o600)
      try #require(made == 0)
      // Who opens it for both does not wait for the other.
      let pipe = try FileHandle(forUpdating: URL(filePath: path))
      let program = try await RunningProgram(["timeline", path])
      try pipe.write(contentsOf: Data(octets.prefix(first)))
      try await program.wait(for: "what has come") { $0.lines.dropFirst() == told.dropFirst() }
      try pipe.write(contentsOf: Data(octets.dropFirst(first)))
      try pipe.close()
      #expect(try await program.end() == 0 && program.errors.isEmpty)
      let whole = try await Program.run(["timeline", sample.path])
      #expect(program.lines.dropFirst() == whole.lines.dropFirst())
    }
  }

  /// Each record is told when it is whole, before anything of the next one comes.
  @Test func `are told record by record`() async throws {
    var sensor = Sensor()
    let program = try await RunningProgram(["timeline", "--format", "ndjson", "-"])
    try program.feed(Sensor.header + sensor.news())
    for count in 1...5 {
      sensor.measure(1)
      try program.feed(sensor.news())
      try await program.wait(for: "a measurement") { $0.output.count(of: #""event": "heart-rate""#) == count }
    }
    try program.endInput()
    #expect(try await program.end() == 0)
    #expect(program.errors.isEmpty && program.output.contains(#""complete": true"#))
  }

  /// Whoever shares a pipe or a terminal with others gets it as they have set it.
  @Test(arguments: [["timeline", "-"], ["-"]])
  func `whose readers do not wait`(arguments: [String]) async throws {
    let program = try await RunningProgram(arguments, inputWaits: false)
    for part in [try sample.octets.prefix(first), try sample.octets.dropFirst(first)] {
      try await Task.sleep(for: .milliseconds(100))
      try program.feed(Array(part))
    }
    try program.endInput()
    #expect(try await program.end() == 0)
    let whole = try await Program.run(arguments, input: sample.path)
    #expect(program.lines == whole.lines && program.errors.isEmpty)
  }

  /// Octets one by one are told as a file is.
  @Test(arguments: [
    "scosche-rhythm-plus.be.pklg", "scosche-rhythm-plus.monitor.btsnoop", "polar-h7.pcap",
    "wahoo-tickr.two-sections.pcapng",
  ])
  func `may give octet by octet`(name: String) async throws {
    let sample = Sample.named(name)
    let program = try await RunningProgram(["timeline", "--format", "ndjson", "-"])
    for octet in try sample.octets { try program.feed([octet]) }
    try program.endInput()
    #expect(try await program.end() == 0)
    let whole = try await Program.run(["timeline", "--format", "ndjson", "-"], input: sample.path)
    #expect(program.lines == whole.lines && program.errors.isEmpty)
  }

  /// What was read before is told before a pipe is waited for.
  @Test func `keep nothing waiting that stands before them`() async throws {
    let whole = try await Program.run(["timeline", sample.path])
    let program = try await RunningProgram(["timeline", sample.path, "-"])
    try await program.wait(for: "the file") { $0.lines == whole.lines }
    try program.feed(try sample.octets)
    try program.endInput()
    #expect(try await program.end() == 0)
    #expect(program.lines.count == 2 * whole.lines.count + 1)
  }
}

extension RunningProgram {
  /// The whole lines of standard output so far.
  fileprivate var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}

import Foundation
import Testing
import TestSupport

@Suite struct `Live ports` {
  /// Whoever sends anew begins with a header; records are counted on, and a connection goes on. What may be missing is told
  /// in the recording.
  @Test func `are connected to again`() async throws {
    let recording = FileManager.default.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: recording) }
    let listener = try LoopbackListener()
    var sensor = Sensor()
    sensor.measure(2)
    let program = try await RunningProgram([
      "live", "--connect", "localhost:\(listener.port)", "--rules", "setup-missing", "--write", recording.path,
    ])
    try #require(listener.accept())
    listener.send(Sensor.header + sensor.news())
    let before = sensor.host.packets.count
    try await program.wait(for: "measurements") { $0.output.count(of: " bpm") == 2 }
    listener.hangUp()
    try await program.wait(for: "the end") { $0.errors.contains("the connection has ended: trying again") }
    try #require(listener.accept())
    sensor.measure(3)
    listener.send(Sensor.header + sensor.news())
    try await program.wait(for: "more measurements") { $0.output.count(of: " bpm") == 5 }
    program.send(SIGTERM)
    #expect(try await program.end() == 0)
    #expect(program.errors.contains("connected again") && program.output.count(of: "  connected") == 1)
    #expect(program.output.hasSuffix("\(sensor.host.packets.count) records\n"))
    let records = try ReadCapture(Array(try Data(contentsOf: recording))).records
    #expect(records.count == sensor.host.packets.count)
    #expect(records.indices.filter { records[$0].droppedRecords > 0 } == [before])
  }

  /// Whoever answers with something else is told so while it goes on, and once.
  @Test func `may be somebody else's`() async throws {
    let listener = try LoopbackListener()
    let program = try await RunningProgram(["live", "--connect", "localhost:\(listener.port)"])
    for _ in 1...2 {
      try #require(listener.accept())
      listener.send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
      listener.hangUp()
    }
    try await program.wait(for: "another attempt") { $0.errors.count(of: "connected again") > 0 }
    #expect(program.errors.count(of: "so far not a Bluetooth capture") == 1)
    program.send(SIGTERM)
    #expect(try await program.end() == 2)
  }
}

@Suite struct `Live files` {
  private func append(_ octets: [UInt8], to path: String) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(octets))
    try handle.close()
  }

  @Test func `are followed from their end, through a rotation and a truncation`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(3)
      let file = URL(filePath: try folder.file("log", Sensor.header + sensor.news()))
      let program = try await RunningProgram(["live", "--follow", file.path])
      // What was there is known, and not told.
      try await program.wait(for: "the end") { $0.errors.contains("12 records so far; what comes now is shown") }
      for count in 1...3 {
        sensor.measure(1, from: 80)
        try append(sensor.news(), to: file.path)
        try await program.wait(for: "a measurement") { $0.output.count(of: " bpm") == count }
      }
      try FileManager.default.moveItem(at: file, to: folder.appending(path: "log.last"))
      sensor.measure(1, from: 90)
      try Data(Sensor.header + sensor.news()).write(to: file)
      try await program.wait(for: "the new file's") { $0.output.count(of: " bpm") == 4 }
      #expect(program.errors.contains("another file"))
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 0)
      try await program.wait(for: "the truncation") { $0.errors.contains("shorter") }
      sensor.measure(1, from: 95)
      try append(Sensor.header + sensor.news(), to: file.path)
      try await program.wait(for: "what comes behind it") { $0.output.count(of: " bpm") == 5 }
      program.send(SIGINT)
      #expect(try await program.end() == 0)
      // One connection all the time, whose handles are known from before.
      #expect(!program.output.contains("  connected") && !program.output.contains("  notification"))
      // Records are counted on.
      #expect(program.output.contains("  \(sensor.host.packets.count)     1  heart-rate"))
    }
  }

  /// A phone whose Bluetooth is switched off and on begins a log anew: what was in the old one has been seen.
  @Test(arguments: [[], Sensor.header]) func `may begin anew and hold nothing yet`(beginning: [UInt8]) async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(3)
      let file = URL(filePath: try folder.file("log", Sensor.header + sensor.news()))
      let program = try await RunningProgram(
        ["live", "--format", "ndjson", "--follow", file.path, "--from-start", "--fail-on", "warning"])
      try await program.wait(for: "what was there") { $0.output.count(of: "\"heart-rate\"") == 3 }
      try FileManager.default.moveItem(at: file, to: folder.appending(path: "log.last"))
      try Data(beginning).write(to: file)
      try await program.wait(for: "the new file") { $0.errors.contains("another file") }
      program.send(SIGINT)
      #expect(try await program.end() == 0)
      #expect(program.output.contains("\"event\": \"end\"") && !program.errors.contains("empty"))
    }
  }

  /// Whoever has named another file should not wait in vain; whoever has not need do nothing.
  @Test func `that are no captures so far are told as that`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      let file = URL(filePath: try folder.file("log", Array("starting the log\n".utf8)))
      let program = try await RunningProgram(["live", "--follow", file.path])
      try await program.wait(for: "doubt") {
        $0.errors.contains("log: so far not a Bluetooth capture (starts with 73 74")
      }
      sensor.measure(2)
      try append(Sensor.header + sensor.news(), to: file.path)
      try await program.wait(for: "measurements") { $0.output.count(of: " bpm") == 2 }
      program.send(SIGINT)
      #expect(try await program.end() == 0)
      #expect(program.errors.count(of: "so far not") == 1)
    }
  }

  @Test func `are shown from their start`() async throws {
    let sample = Sample.named("polar-h7.btsnoop")
    let program = try await RunningProgram(["live", "--follow", sample.path, "--from-start"])
    try await program.wait(for: "all of it") { $0.output.count(of: " bpm") == 120 }
    program.send(SIGINT)
    #expect(try await program.end() == 0)
  }

  /// What was wrong before somebody looked is not what is judged.
  @Test func `are judged by what comes now`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(20)
      sensor.host.wait(milliseconds: 20_000)
      let before = sensor.news()
      sensor.measure(20)
      let damaged = Sensor.header + before + Array(repeating: 0xFF, count: 400) + sensor.news()
      for (start, status, count) in [([], Int32(0), 0), (["--from-start"], 1, 1)] as [([String], Int32, Int)] {
        let path = try folder.file("log", damaged)
        let program = try await RunningProgram(
          ["live", "--follow", path, "--fail-on", "info", "--rules", "octets-skipped,notification-gap"] + start)
        try await program.wait(for: "all of it") {
          start.isEmpty ? $0.errors.contains("records so far") : $0.output.count(of: " bpm") == 40
        }
        sensor.measure(1)
        try append(sensor.news(), to: path)
        try await program.wait(for: "what comes now") { $0.output.count(of: " bpm") == (start.isEmpty ? 1 : 41) }
        program.send(SIGINT)
        #expect(try await program.end() == status)
        #expect(program.output.count(of: "octets-skipped") == count, "\(program.output)")
      }
    }
  }

  /// Where nothing comes now, or nothing of what was asked for, nothing is judged: whatever came before.
  @Test(arguments: [(false, "nothing came"), (true, "nothing that came fits")])
  func `are judged by nothing that came before`(grows: Bool, words: String) async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(3)
      let path = try folder.file("log", Sensor.header + sensor.news())
      let part = grows ? ["--device", "C5:44:33:22:11:01"] : []
      let program = try await RunningProgram(["live", "--follow", path, "--fail-on", "warning"] + part)
      try await program.wait(for: "what was there") { $0.errors.contains("records so far") }
      if grows {
        sensor.host.connected(0x41, peer: 2)
        try append(sensor.news(), to: path)
        // It is not shown, and so nothing tells when it has come.
        try await Task.sleep(for: .seconds(1))
      }
      program.send(SIGINT)
      #expect(try await program.end() == 2)
      #expect(program.errors.contains("\(words)"), "\(program.errors)")
    }
  }

  /// Heart rates may have come before; that another connection ended then is nothing that is waited for.
  @Test func `end with a connection that was there before`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(3)
      sensor.host.connected(0x41, peer: 2)
      sensor.host.notified(on: 0x41, [0, 60])
      sensor.host.disconnected(0x41)
      let path = try folder.file("log", Sensor.header + sensor.news())
      let program = try await RunningProgram(["live", "--follow", path, "--until-disconnect"])
      try await program.wait(for: "what was there") { $0.errors.contains("records so far") }
      sensor.host.disconnected()
      try append(sensor.news(), to: path)
      try await program.wait(for: "the end") { $0.output.hasSuffix("records\n") }
      #expect(try await program.end() == 0)
    }
  }

  @Test func `are not recorded into themselves`() async throws {
    try await TemporaryFolder.with { folder in
      let octets = try Sample.named("polar-h7.btsnoop").octets
      let path = try folder.file("log", octets)
      let outcome = try await Program.run(["live", "--follow", path, "--write", path, "--force"])
      #expect(outcome.status == 2 && outcome.errors.contains("is what is followed"))
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(octets))
    }
  }
}

@Suite struct `Live pipes` {
  /// What a terminal has changed cannot be put right once it has been shown: it is refused, whether it comes at once or a
  /// record at a time.
  @Test(arguments: [true, false]) func `do not lead through a terminal`(isAtOnce: Bool) async throws {
    var sensor = Sensor()
    sensor.measure(10, from: 0x0A)
    let octets = Sensor.header + sensor.news()
    let copy = octets.copiedThroughTerminal()
    try #require(copy != octets)
    let program = try await RunningProgram(["live", "--no-view", "-"])
    let pieces = isAtOnce ? [copy] : stride(from: 0, to: copy.count, by: 40).map { Array(copy[$0...].prefix(40)) }
    for piece in pieces {
      // It may have ended.
      try? program.feed(piece)
      if !isAtOnce { try await Task.sleep(for: .milliseconds(2)) }
    }
    try? program.endInput()
    #expect(try await program.end() == 2)
    #expect(program.errors.contains("standard input: a terminal on its way has put a carriage return"))
    #expect(!isAtOnce || program.output.isEmpty)
  }
}

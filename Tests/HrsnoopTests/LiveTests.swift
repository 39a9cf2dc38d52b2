import CaptureFiles
import Foundation
import Testing
import TestSupport

/// A sensor that is discovered, subscribed to, and notifies; on the Linux HCI monitor.
private struct Sensor {
  var host = HostSide()
  private var told = 0

  init() {
    host.connected()
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
  }

  /// Some seconds of measurements.
  mutating func measure(_ count: Int, from bpm: UInt8 = 70) {
    for beat in 0..<count {
      host.wait(milliseconds: 990)
      host.notified([0x16, bpm + UInt8(beat % 5), UInt8(0x40 + beat % 7), 0x03])
    }
  }

  /// The octets of what has happened since the last call, without a header.
  mutating func news() -> [UInt8] {
    defer { told = host.packets.count }
    return host.packets[told...].flatMap { Container.btsnoopMonitor.record($0) }
  }

  static let header = Container.btsnoopMonitor.header
}

extension String {
  fileprivate func count(of word: String) -> Int { components(separatedBy: word).count - 1 }
}

@Suite struct `Live` {
  private let sample = Sample.named("polar-h7.btsnoop")

  /// Lends a program that passes on a file, in the place of the one that captures.
  private func captureProgram(_ line: String, _ body: ([String: String]) async throws -> Void) async throws {
    try await TemporaryFolder.with { folder in
      let path = try folder.file("capture", Array("#!/bin/sh\n\(line)\n".utf8))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      try await body(["HRSNOOP_CAPTURE": path])
    }
  }

  @Test(arguments: ["text", "ndjson"])
  func `tells what timeline tells`(format: String) async throws {
    try await captureProgram("exec /bin/cat '\(sample.path)'") { environment in
      let live = try await Program.run(["live", "--format", format], environment: environment)
      let piped = try await Program.shell(#"cat "$1" | "$0" timeline --format \#(format) -"#, [sample.path])
      #expect(live.status == 0 && live.errors.isEmpty)
      #expect(live.lines.dropFirst() == piped.lines.dropFirst() && live.lines.count > 150)
      #expect(live.lines.first?.contains("bluetooth-monitor") == true)
    }
  }

  /// Each event is told before the next octet comes.
  @Test func `tells events as they happen`() async throws {
    var sensor = Sensor()
    let program = try RunningProgram(["live", "-", "--format", "ndjson"])
    try program.feed(Sensor.header + sensor.news())
    try await program.wait(for: "the subscription") { $0.output.contains(#""event": "subscribed""#) }
    for count in 1...5 {
      sensor.measure(1)
      try program.feed(sensor.news())
      try await program.wait(for: "a measurement") { $0.output.count(of: #""event": "heart-rate""#) == count }
    }
    sensor.host.disconnected()
    try program.feed(sensor.news())
    try await program.wait(for: "the end of the connection") { $0.output.contains(#""event": "disconnected""#) }
    try program.endInput()
    #expect(try await program.end() == 0)
    #expect(program.errors.isEmpty && program.output.contains(#""complete": true"#))
  }

  /// The end of the capture, in whatever form it comes: nothing is damaged by it, and all has been told.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `ends well at a signal`(signal: Int32) async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(3)
      let file = folder.appending(path: "run.pcapng").path
      let program = try RunningProgram(["live", "-", "--write", file])
      // A record that has come in part is not there yet.
      let octets = Sensor.header + sensor.news()
      sensor.measure(1)
      try program.feed(octets + sensor.news().dropLast(3))
      try await program.wait(for: "measurements") { $0.output.count(of: " bpm") == 3 }
      program.send(signal)
      #expect(try await program.end() == 0)
      #expect(program.errors.isEmpty && program.output.hasSuffix("records\n"))
      let written = try ReadCapture(Array(try Data(contentsOf: URL(filePath: file))))
      #expect(written.records.count == sensor.host.packets.count - 1 && written.progress.isComplete)
    }
  }

  /// Nothing can be done at SIGKILL, and so everything has been done before.
  @Test(arguments: ["btsnoop", "pcap", "pcapng"])
  func `leaves a whole file when it is killed`(format: String) async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(20)
      let file = folder.appending(path: "run.\(format)").path
      let program = try RunningProgram(["live", "-", "--write", file])
      try program.feed(Sensor.header + sensor.news())
      try await program.wait(for: "measurements") { $0.output.count(of: " bpm") == 20 }
      program.send(SIGKILL)
      #expect(try await program.end() == nil)
      let written = try ReadCapture(Array(try Data(contentsOf: URL(filePath: file))))
      #expect(written.records.count == sensor.host.packets.count && written.progress.isComplete)
      #expect(written.formatName == format)
    }
  }

  @Test func `ends after the time that was given`() async throws {
    let program = try RunningProgram(["live", "-", "--duration", "0.2"])
    try program.feed(Sensor.header)
    #expect(try await program.end() == 0)
  }

  /// The capture program is left to itself, and ends with its pipe.
  @Test func `ends with a connection`() async throws {
    var sensor = Sensor()
    sensor.measure(2)
    sensor.host.connected(0x41, peer: 2)
    sensor.host.disconnected(0x41)
    let program = try RunningProgram(["live", "-", "--until-disconnect"])
    try program.feed(Sensor.header + sensor.news())
    try await program.wait(for: "the end of another connection") { $0.output.contains("disconnected") }
    sensor.host.disconnected()
    try program.feed(sensor.news())
    #expect(try await program.end() == 0)
    #expect(program.output.count(of: "  disconnected") == 2)
  }

  @Test(arguments: [("error", 0), ("warning", 1), ("info", 1)])
  func `fails on findings`(severity: String, status: Int32) async throws {
    var sensor = Sensor()
    sensor.measure(20)
    sensor.host.wait(milliseconds: 20_000)
    sensor.measure(20)
    sensor.host.disconnected(reason: 0x16)
    let arguments = ["live", "-", "--fail-on", severity, "--rules", "notification-gap"]
    let program = try RunningProgram(arguments)
    try program.feed(Sensor.header + sensor.news())
    try program.endInput()
    #expect(try await program.end() == status)
    #expect(program.output.contains("notification-gap: 21 s without a measurement"))
  }

  /// What does not come is told while it does not come; here the capture program holds its pipe open.
  @Test func `tells a gap before it is over`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(20)
      let file = try folder.file("capture.btsnoop", Sensor.header + sensor.news())
      try await captureProgram("/bin/cat '\(file)'; exec /bin/sleep 60") { environment in
        let program = try RunningProgram(["live"], environment: environment)
        try await program.wait(for: "the gap") { $0.output.contains("without a measurement so far, usually 1") }
        #expect(program.output.count(of: " bpm") == 20)
        program.send(SIGINT)
        #expect(try await program.end() == 0)
        #expect(program.output.count(of: "notification-gap") == 1)
      }
    }
  }

  /// Only what is chosen is shown, and only that counts.
  @Test func `looks at one device`() async throws {
    var sensor = Sensor()
    sensor.measure(20)
    sensor.host.wait(milliseconds: 20_000)
    sensor.measure(20)
    let octets = Sensor.header + sensor.news()
    for (device, status, count) in [("C5:44:33:22:11:01", Int32(1), 40), ("C5:44:33:22:11:02", 0, 0)] {
      let program = try RunningProgram(["live", "-", "--fail-on", "warning", "--device", device])
      try program.feed(octets)
      try program.endInput()
      #expect(try await program.end() == status)
      #expect(program.output.count(of: " bpm") == count)
    }
  }
}

@Suite struct `Live files` {
  @Test func `are followed from their end, through a rotation and a truncation`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(3)
      let file = URL(filePath: try folder.file("log", Sensor.header + sensor.news()))
      func append(_ octets: [UInt8]) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(octets))
        try handle.close()
      }
      let program = try RunningProgram(["live", "--follow", file.path])
      // What was there is known, and not told.
      try await program.wait(for: "the end") { $0.errors.contains("12 records so far; what comes now is shown") }
      for count in 1...3 {
        sensor.measure(1, from: 80)
        try append(sensor.news())
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
      try append(Sensor.header + sensor.news())
      try await program.wait(for: "what comes behind it") { $0.output.count(of: " bpm") == 5 }
      program.send(SIGINT)
      #expect(try await program.end() == 0)
      // One connection all the time, whose handles are known from before.
      #expect(!program.output.contains("  connected") && !program.output.contains("  notification"))
      // Records are counted on.
      #expect(program.output.contains("  \(sensor.host.packets.count)     1  heart-rate"))
    }
  }

  @Test func `are shown from their start`() async throws {
    let sample = Sample.named("polar-h7.btsnoop")
    let program = try RunningProgram(["live", "--follow", sample.path, "--from-start"])
    try await program.wait(for: "all of it") { $0.output.count(of: " bpm") == 120 }
    program.send(SIGINT)
    #expect(try await program.end() == 0)
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

@Suite struct `Recordings` {
  private let sample = Sample.named("polar-h7.btsnoop")

  private func record(_ arguments: [String], in folder: URL) async throws -> Outcome {
    try await Program.run(["live", "-"] + arguments, input: sample.path, in: folder)
  }

  @Test func `are never written over`() async throws {
    try await TemporaryFolder.with { folder in
      try folder.file("run.btsnoop", Array("precious".utf8))
      let refused = try await record(["--write", "run.btsnoop"], in: folder)
      #expect(refused.status == 2 && refused.output.isEmpty)
      #expect(refused.errorLines == ["hrsnoop: run.btsnoop: exists already; --force writes over it"])
      #expect(try String(contentsOf: folder.appending(path: "run.btsnoop"), encoding: .utf8) == "precious")
      let forced = try await record(["--write", "run.btsnoop", "--force"], in: folder)
      #expect(forced.status == 0 && forced.errors.isEmpty)
      #expect(try ReadCapture(Array(try Data(contentsOf: folder.appending(path: "run.btsnoop")))).records.count == 273)
    }
  }

  /// What is shown of the file is what was shown when it was recorded.
  @Test(arguments: ["run.btsnoop", "run.pcap", "run.pcapng"])
  func `tell the same`(name: String) async throws {
    try await TemporaryFolder.with { folder in
      let live = try await record(["--write", name], in: folder)
      let again = try await Program.run(["timeline", "-"], input: folder.appending(path: name).path)
      #expect(live.status == 0)
      #expect(live.lines == again.lines && live.lines.count > 150)
    }
  }

  /// One file after another, none too long, with every record in one of them.
  @Test func `are rotated`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(4000)
      let input = try folder.file("input", Sensor.header + sensor.news())
      try folder.file("run-3.pcap", [1])
      let arguments = ["live", "-", "--write", "run.pcap", "--rotate", "64K"]
      #expect(try await Program.run(arguments, input: input, in: folder).status == 0)
      var records: [KeptRecord] = []
      for name in ["run.pcap", "run-2.pcap", "run-4.pcap"] {
        let octets = Array(try Data(contentsOf: folder.appending(path: name)))
        #expect(octets.count <= 65_536)
        records += try ReadCapture(octets).records
      }
      #expect(records.map(\.octets) == sensor.host.packets.map(\.octets))
      #expect(try Data(contentsOf: folder.appending(path: "run-3.pcap")) == Data([1]))
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "run-5.pcap").path))
    }
  }

  /// A full disk is told once, and does not end what is shown.
  @Test func `may find no room`() async throws {
    try await TemporaryFolder.with { folder in
      let outcome = try await record(["--write", "/dev/full"], in: folder)
      #expect(outcome.status == 2 && outcome.output.count(of: " bpm") == 120)
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains("/dev/full: cannot be written any more"))
    }
  }

  @Test(arguments: ["no/such/folder/run.pcap", "."]) func `need a place`(path: String) async throws {
    try await TemporaryFolder.with { folder in
      let outcome = try await record(["--write", path], in: folder)
      #expect(outcome.status == 2 && outcome.errorLines.count == 1 && outcome.output.isEmpty)
    }
  }

  /// Where nothing was captured, nothing is left.
  @Test func `of nothing are none`() async throws {
    try await TemporaryFolder.with { folder in
      let arguments = ["live", "--write", folder.appending(path: "run.pcap").path]
      let outcome = try await Program.run(arguments, environment: ["HRSNOOP_CAPTURE": "/no/such/program"])
      #expect(outcome.status == 2 && outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("there is no capture program at /no/such/program"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
}

@Suite struct `Live arguments` {
  @Test(arguments: [
    ["capture.pcap"], ["-", "--interface", "bluetooth0"], ["--follow", "a", "--connect", "b:1"], ["--from-start"],
    ["--rotate", "1M"], ["--force"], ["--write", "a", "--rotate", "1"], ["--duration", "0"], ["--duration", "soon"],
    ["--format", "csv"], ["--fail-on", "fatal"], ["--rules", "no-such-rule"],
  ])
  func `that are wrong`(arguments: [String]) async throws {
    let outcome = try await Program.run(["live"] + arguments)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
  }

  @Test func `that lead nowhere`() async throws {
    let connected = try await Program.run(["live", "--connect", "127.0.0.1:1"])
    #expect(connected.status == 2 && connected.errors.contains("adb forward tcp:8872"))
    let followed = try await Program.run(["live", "--follow", "/no/such/file"])
    #expect(followed.status == 2 && followed.errorLines == ["hrsnoop: /no/such/file: there is no such file"])
    let empty = try await Program.run(["live", "-"])
    #expect(empty.status == 2 && empty.errors.contains("standard input: it is empty") && empty.output.isEmpty)
  }
}

import CaptureFiles
import Foundation
import Testing
import TestSupport

@testable import hrsnoop

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
    let program = try await RunningProgram(["live", "-", "--format", "ndjson"])
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
      let program = try await RunningProgram(["live", "-", "--write", file])
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

  /// Nor has who stops before the first record is there damaged it.
  @Test func `ends well within the first record`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      let file = try folder.file("capture.btsnoop", Sensor.header + sensor.news().prefix(30))
      let arguments = ["live", "--format", "ndjson", "--follow", file, "--from-start", "--duration", "0.3"]
      let outcome = try await Program.run(arguments)
      #expect(outcome.status == 0 && outcome.errors.isEmpty && !outcome.output.contains("\"finding\""))
    }
  }

  /// Nothing can be done at SIGKILL, and so everything has been done before.
  @Test(arguments: ["btsnoop", "pcap", "pcapng"])
  func `leaves a whole file when it is killed`(format: String) async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(20)
      let file = folder.appending(path: "run.\(format)").path
      let program = try await RunningProgram(["live", "-", "--write", file])
      try program.feed(Sensor.header + sensor.news())
      try await program.wait(for: "measurements") { $0.output.count(of: " bpm") == 20 }
      program.send(SIGKILL)
      #expect(try await program.end() == nil)
      let written = try ReadCapture(Array(try Data(contentsOf: URL(filePath: file))))
      #expect(written.records.count == sensor.host.packets.count && written.progress.isComplete)
      #expect(written.formatName == format)
    }
  }

  /// Before anything has come, too.
  @Test func `begins a whole file`() async throws {
    try await TemporaryFolder.with { folder in
      let file = folder.appending(path: "run.btsnoop")
      let program = try await RunningProgram(["live", "-", "--write", file.path])
      try await program.wait(for: "the file") { _ in (try? Data(contentsOf: file))?.isEmpty == false }
      program.send(SIGKILL)
      #expect(try await program.end() == nil)
      let written = try ReadCapture(Array(try Data(contentsOf: file)))
      #expect(written.records.isEmpty && written.progress.isComplete && written.formatName == "btsnoop")
    }
  }

  @Test func `ends after the time that was given`() async throws {
    let program = try await RunningProgram(["live", "-", "--duration", "0.2"])
    // On a busy computer it may be over already.
    try? program.feed(Sensor.header)
    #expect(try await program.end() == 0)
  }

  /// The capture program is left to itself, and ends with its pipe.
  @Test func `ends with a connection`() async throws {
    var sensor = Sensor()
    sensor.measure(2)
    sensor.host.connected(0x41, peer: 2)
    sensor.host.disconnected(0x41)
    let program = try await RunningProgram(["live", "-", "--until-disconnect"])
    try program.feed(Sensor.header + sensor.news())
    try await program.wait(for: "the end of another connection") { $0.output.contains("disconnected") }
    sensor.host.disconnected()
    try program.feed(sensor.news())
    #expect(try await program.end() == 0)
    #expect(program.output.count(of: "  disconnected") == 2)
  }

  /// One that is chosen need not have shown heart rates.
  @Test func `ends with a connection that is chosen`() async throws {
    let sensor = Sensor()
    var host = sensor.host
    host.disconnected()
    let program = try await RunningProgram(["live", "-", "--until-disconnect", "--connection", "1"])
    try program.feed(Container.btsnoopMonitor.file(host.packets))
    #expect(try await program.end() == 0)
    #expect(program.output.count(of: "  disconnected") == 1)
  }

  /// What stands behind the end is neither shown nor counted nor recorded, though it came with it.
  @Test(arguments: ["btsnoop", "pcap", "pcapng"])
  func `ends right with a connection`(format: String) async throws {
    var sensor = Sensor()
    sensor.measure(2)
    sensor.host.connected(0x41, peer: 2)
    sensor.host.disconnected(0x41)
    sensor.measure(1)
    sensor.host.disconnected()
    let whole = sensor.host.packets.count
    sensor.host.connected()
    sensor.host.discoverHeartRate()
    sensor.measure(3)
    let containers = [
      "btsnoop": Container.btsnoopMonitor, "pcap": .pcapMonitor, "pcapng": .pcapngLittle,
    ]
    let octets = try #require(containers[format]).file(sensor.host.packets)
    try await TemporaryFolder.with { folder in
      let file = folder.appending(path: "run.\(format)").path
      let program = try await RunningProgram(["live", "-", "--until-disconnect", "--write", file])
      try program.feed(octets)
      #expect(try await program.end() == 0)
      #expect(program.output.count(of: "  disconnected") == 2 && program.output.count(of: " bpm") == 3)
      #expect(program.output.hasSuffix("\(whole) records\n"))
      let written = try ReadCapture(Array(try Data(contentsOf: URL(filePath: file))))
      #expect(written.records.count == whole && written.progress.isComplete)
    }
  }

  @Test(arguments: [("error", 0), ("warning", 1), ("info", 1)])
  func `fails on findings`(severity: String, status: Int32) async throws {
    var sensor = Sensor()
    sensor.measure(20)
    sensor.host.wait(milliseconds: 20_000)
    sensor.measure(20)
    sensor.host.disconnected(reason: 0x16)
    let arguments = ["live", "-", "--fail-on", severity, "--rules", "notification-gap"]
    let program = try await RunningProgram(arguments)
    try program.feed(Sensor.header + sensor.news())
    try program.endInput()
    #expect(try await program.end() == status)
    #expect(program.output.contains("notification-gap: 21 s without a measurement"))
  }

  /// Rules look at what is wrong with the capture, too: in the end, when it is known.
  @Test func `fails on findings about the capture`() async throws {
    var sensor = Sensor()
    sensor.measure(20)
    let before = sensor.news()
    sensor.measure(20)
    let program = try await RunningProgram(["live", "-", "--format", "ndjson", "--fail-on", "warning"])
    try program.feed(Sensor.header + before + Array(repeating: 0xFF, count: 400) + sensor.news())
    try program.endInput()
    #expect(try await program.end() == 1)
    #expect(program.output.count(of: "\"heart-rate\"") == 40 && program.output.count(of: "\"octets-skipped\"") == 1)
  }

  /// What does not come is told while it does not come; here the capture program holds its pipe open.
  @Test func `tells a gap before it is over`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(20)
      let file = try folder.file("capture.btsnoop", Sensor.header + sensor.news())
      try await captureProgram("/bin/cat '\(file)'; exec /bin/sleep 60") { environment in
        let program = try await RunningProgram(["live"], environment: environment)
        try await program.wait(for: "the gap") { $0.output.contains("without a measurement so far, usually 1") }
        #expect(program.output.count(of: " bpm") == 20)
        program.send(SIGINT)
        #expect(try await program.end() == 0)
        #expect(program.output.count(of: "notification-gap") == 1)
      }
    }
  }

  /// So it is where whoever writes to a pipe has shown that each record comes at once; of others nobody knows.
  @Test(arguments: [(each: 1, isPrompt: true), (each: 4, isPrompt: false)])
  func `tells a gap of a pipe before it is over`(each: Int, isPrompt: Bool) async throws {
    let program = try await RunningProgram(["live", "-"])
    var sensor = Sensor()
    sensor.measure(20)
    try program.feed(Sensor.header + sensor.news())
    for delivery in 1...12 {
      sensor.measure(each)
      try program.feed(sensor.news())
      try await program.wait(for: "delivery \(delivery)") { $0.output.count(of: " bpm") == 20 + each * delivery }
    }
    if isPrompt {
      try await program.wait(for: "the gap") { $0.output.contains("without a measurement so far, usually 1") }
    } else {
      try await Task.sleep(for: .seconds(3.5))
      #expect(!program.output.contains("without a measurement"))
    }
    try program.endInput()
    #expect(try await program.end() == 0)
  }

  /// What a busy computer could not take in time is told, but not for each record.
  @Test func `tells what was lost`() async throws {
    var octets = Sensor.header
    for drops in 1...100 as ClosedRange<UInt32> {
      octets += BTSnoopBuilder.record(hex("0e 04 01 03 0c 00"), flags: 3, drops: drops)
    }
    let program = try await RunningProgram(["live", "-"])
    try program.feed(octets)
    try await program.wait(for: "the losses") { $0.errors.contains("lost so far") }
    try program.endInput()
    #expect(try await program.end() == 0)
    let lines = program.errors.split(separator: "\n")
    #expect(
      (1...2).contains(lines.count) && lines.last?.contains("standard input: 100 records were lost so far") == true)
  }

  /// Whoever wants no notes gets none; what was lost stays in the lines.
  @Test(arguments: [[], ["--quiet"]]) func `tells what was lost, unless it is to be quiet`(options: [String])
    async throws
  {
    try await TemporaryFolder.with { folder in
      let record = BTSnoopBuilder.record(hex("0e 04 01 03 0c 00"), flags: 3, drops: 1)
      let input = try folder.file("input", Sensor.header + record)
      let outcome = try await Program.run(["live", "-"] + options, input: input)
      #expect(outcome.status == 0 && outcome.output.contains("packets-dropped: "))
      #expect(outcome.errors.contains("standard input: 1 record was lost so far") == options.isEmpty)
      #expect(outcome.errorLines.count == (options.isEmpty ? 1 : 0))
    }
  }

  /// That nothing happens is no reason to stay: all that there is to write is in the pipe when its reader goes away.
  @Test(.timeLimit(.minutes(2))) func `ends when its reader goes away`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(3)
      let file = try folder.file("growing", Sensor.header + sensor.news())
      let pipeline = #""$0" live --follow "$1" --from-start --format ndjson | { sleep 1; head -n 1; }"#
      let outcome = try await Program.shell(pipeline, [file])
      #expect(outcome.output.count(of: #""event": "capture""#) == 1 && outcome.errors.isEmpty)
    }
  }

  /// What is no capture, or nothing at all, was not tested.
  @Test func `ends with an error where there is no capture`() async throws {
    try await TemporaryFolder.with { folder in
      let photo = try folder.file("photo", Array("photo".utf8))
      let ending = ["--duration", "0.3", "--fail-on", "warning"]
      let other = try await Program.run(["live", "--follow", photo, "--from-start"] + ending)
      #expect(other.status == 2 && other.octets.isEmpty && other.errors.contains("not a Bluetooth capture"))
      #expect(other.errors.contains("live reads btsnoop, pcap, pcapng and Apple PacketLogger, and no archives."))
      let silent = try await RunningProgram(["live", "-"] + ending)
      #expect(try await silent.end() == 2)
      #expect(silent.errors.contains("nothing came") && silent.output.isEmpty)
    }
  }

  /// A capture of something else is refused with an error alone, as elsewhere, and leaves no recording.
  @Test(arguments: ["text", "ndjson"]) func `tells nothing of a capture that it refuses`(format: String) async throws {
    try await TemporaryFolder.with { folder in
      let radio = PCAPBuilder(linkType: 272)
      let octets = radio.header + radio.record([1, 2, 3, 4])
      let (input, copy) = (try folder.file("radio", octets), folder.appending(path: "copy.pcap").path)
      let live = try await Program.run(["live", "-", "--format", format, "--write", copy], input: input)
      #expect(live.status == 2 && live.octets.isEmpty && live.errorLines.count == 1)
      #expect(live.errors.contains("272, a sniffer's radio packets"))
      #expect(!FileManager.default.fileExists(atPath: copy))
    }
  }

  /// Only what is chosen is shown, and only that counts.
  @Test func `looks at one device`() async throws {
    var sensor = Sensor()
    sensor.measure(20)
    sensor.host.wait(milliseconds: 20_000)
    sensor.measure(20)
    let octets = Sensor.header + sensor.news()
    for (device, status, count) in [("C5:44:33:22:11:01", Int32(1), 40), ("C5:44:33:22:11:02", 2, 0)] {
      let program = try await RunningProgram(["live", "-", "--fail-on", "warning", "--device", device])
      try program.feed(octets)
      try program.endInput()
      #expect(try await program.end() == status)
      #expect(program.output.count(of: " bpm") == count)
    }
  }

  /// A gap lasts through a part in which nothing else happens.
  @Test func `judges what is found of a part without events`() async throws {
    var sensor = Sensor()
    sensor.measure(20)
    sensor.host.wait(milliseconds: 20_000)
    sensor.measure(20)
    let octets = Sensor.header + sensor.news()
    for (part, status) in [(["--from", "25", "--to", "30"], Int32(1)), (["--from", "100"], 2)] {
      let program = try await RunningProgram(["live", "-", "--fail-on", "warning"] + part)
      try program.feed(octets)
      try program.endInput()
      #expect(try await program.end() == status)
      #expect(program.output.count(of: "notification-gap") == (status == 1 ? 1 : 0))
      #expect(program.output.count(of: " bpm") == 0)
    }
  }
}

@Suite struct `The program that captures` {
  /// With its right it opens nothing but Bluetooth.
  @Test(arguments: ["eth0", "lo", "any", "bluetooth", "bluetooth-monitor2", "bluetoothx", "bluetooth123456", ""])
  func `captures nothing else`(interface: String) async throws {
    let outcome = try await Program.capture(["--interface", interface])
    #expect(outcome.status == 66 && outcome.octets.isEmpty && outcome.errorLines.count == 1)
  }

  @Test(arguments: [["--help"], ["--interface"], ["bluetooth0"], ["--interface", "bluetooth0", "-v"]])
  func `says how it is used`(arguments: [String]) async throws {
    let outcome = try await Program.capture(arguments)
    #expect(outcome.status == 64 && outcome.errors.hasPrefix("usage: hrsnoop-capture"))
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

  @Test(arguments: [
    ("90", Duration.seconds(90)), ("90s", .seconds(90)), ("0.5", .milliseconds(500)), ("5m", .seconds(300)),
    ("2h", .seconds(7200)),
  ])
  func `that are lengths of time`(text: String, duration: Duration) throws {
    #expect(try Duration(read: text) == duration)
  }

  /// Nothing is shown that a map would have made clear; one without an address may be another device's.
  @Test func `that are maps`() async throws {
    let path = Sample.named("polar-h7.btsnoop").path
    let missing = try await Program.run(["live", "-", "--gatt-map", "/no/such/map"], input: path)
    #expect(missing.status == 2 && missing.octets.isEmpty)
    #expect(missing.errorLines == ["hrsnoop: /no/such/map: there is no such file"])
    try await TemporaryFolder.with { folder in
      let map = try await Program.run(["gatt", "--format", "json", path]).output
        .replacing("\"E0:9E:1A:2C:5A:1D\"", with: "null")
      let arguments = ["live", "-", "--gatt-map", try folder.file("map", Array(map.utf8))]
      let told = try await Program.run(arguments, input: path)
      #expect(told.status == 0 && told.errorLines.count == 1)
      #expect(
        told.errors.hasPrefix(
          "hrsnoop: standard input: a GATT map names no device: taken for each that nothing else tells of"))
      let quiet = try await Program.run(arguments + ["--quiet"], input: path)
      #expect(quiet.errors.isEmpty && quiet.octets == told.octets)
    }
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

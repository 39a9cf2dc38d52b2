import CaptureFiles
import Foundation
import Testing
import TestSupport

@Suite struct `Recordings` {
  private let sample = Sample.named("polar-h7.btsnoop")

  private func record(_ arguments: [String], in folder: URL) async throws -> Outcome {
    try await Program.run(["live", "-"] + arguments, input: sample.path, in: folder)
  }

  @Test func `are never written over`() async throws {
    try await TemporaryFolder.with { folder in
      let precious = String(repeating: "precious", count: 10_000)
      try folder.file("run.btsnoop", Array(precious.utf8))
      let refused = try await record(["--write", "run.btsnoop"], in: folder)
      #expect(refused.status == 2 && refused.output.isEmpty)
      #expect(refused.errorLines == ["hrsnoop: run.btsnoop: exists already; --force writes over it"])
      #expect(try String(contentsOf: folder.appending(path: "run.btsnoop"), encoding: .utf8) == precious)
      let forced = try await record(["--write", "run.btsnoop", "--force"], in: folder)
      #expect(forced.status == 0 && forced.errors.isEmpty)
      let recorded = try ReadCapture(Array(try Data(contentsOf: folder.appending(path: "run.btsnoop"))))
      #expect(recorded.records.count == 273 && recorded.progress.isComplete)
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

  /// Recordings tell UTC: what a device's clock showed is read in the zone that is given, or as it stands; then that is said.
  @Test(arguments: [nil, "+02:00", "-03:30"])
  func `tell UTC`(zone: String?) async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.subscribe()
      host.notified([0x06, 72])
      let input = try folder.file("input", host.file(.packetLoggerLittle))
      let arguments = ["live", "-", "--write", "run.btsnoop"] + (zone.map { ["--time-zone", $0] } ?? [])
      let outcome = try await Program.run(arguments, input: input, in: folder)
      #expect(outcome.status == 0 && outcome.errorLines.count == (zone == nil ? 1 : 0))
      #expect(zone != nil || outcome.errors.contains("run.btsnoop: times are recorded as if they were UTC"))
      let ahead: Int64 = zone == "+02:00" ? 7_200_000_000 : zone == nil ? 0 : -12_600_000_000
      let records = try ReadCapture(Array(try Data(contentsOf: folder.appending(path: "run.btsnoop")))).records
      #expect(records.map(\.time) == host.packets.map { $0.time - ahead })
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

  /// Who may write over the first file may write over those that follow it.
  @Test(arguments: [[], ["--force"]]) func `are rotated over others where that is wanted`(force: [String]) async throws
  {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(2000)
      let input = try folder.file("input", Sensor.header + sensor.news())
      let next = try folder.file("run-2", [1])
      let arguments = ["live", "-", "--quiet", "--write", "run", "--rotate", "64K"] + force
      #expect(try await Program.run(arguments, input: input, in: folder).status == 0)
      #expect(try (Data(contentsOf: URL(filePath: next)) == Data([1])) == force.isEmpty)
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: "run-3").path) == force.isEmpty)
    }
  }

  /// A full disk is told once, however quiet it is to be, and does not end what is shown.
  @Test(arguments: [[], ["--quiet"]]) func `may find no room`(quiet: [String]) async throws {
    try await TemporaryFolder.with { folder in
      let outcome = try await record(["--write", "/dev/full"] + quiet, in: folder)
      #expect(outcome.status == 2 && outcome.output.count(of: " bpm") == 120)
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains("/dev/full: cannot be written any more"))
    }
  }

  /// So is a limit on how long files may be: up to there all of it is recorded.
  @Test func `may not become too long`() async throws {
    try await TemporaryFolder.with { folder in
      var sensor = Sensor()
      sensor.measure(600)
      let input = try folder.file("input", Sensor.header + sensor.news())
      let limited = #"(ulimit -f 16; "$0" live --no-view --write "$1.pcap" - < "$1") | cat"#
      let outcome = try await Program.shell(limited, [input])
      #expect(outcome.output.count(of: " bpm") == 600)
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains("cannot be written any more: File too large"))
      let recorded = try ReadCapture(Array(try Data(contentsOf: URL(filePath: input + ".pcap"))))
      #expect(recorded.progress.isComplete && recorded.records.count > 10)
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

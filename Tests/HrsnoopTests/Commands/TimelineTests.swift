import Foundation
import Testing
import TestSupport

@Suite struct `timeline` {
  private func events(_ sample: Sample, _ kinds: String) async throws -> [JSON] {
    let outcome = try await Program.run(["timeline", "--format", "ndjson", "--events", kinds, sample.path])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    return try outcome.jsonLines()
  }

  /// One object a line, in the order of the frames, with the keys that all events have.
  @Test(arguments: Sample.all)
  func `is in order`(sample: Sample) async throws {
    let events = try await Reports.events(of: sample)
    #expect(events.first?["event"] == .string("capture") && events.last?["event"] == .string("end"))
    let shape = Shape.object([
      "event": .text, "capture": .integer, "frame": .integer, "time": .time, "connection": .optional(.integer),
    ])
    let inner = events.dropFirst()
    for event in inner { #expect(shape.faults(in: event) == []) }
    // A finding is told when it is sure, with the record where it began.
    let frames = inner.filter { $0["event"] != .string("finding") }.compactMap { $0["frame"]?.int }
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(frames.allSatisfy { $0 >= 1 })
    #expect(events.allSatisfy { $0["capture"] == .number(0) })
  }

  /// Connection by connection, what the sensor sent, with the keys of a measurement.
  @Test(arguments: Sample.all)
  func `shows the heart rates that were sent`(sample: Sample) async throws {
    let events = try await Reports.events(of: sample).filter { $0["event"] == .string("heart-rate") }
    #expect(events.count == sample.truth.connections.reduce(0) { $0 + $1.measurements.count })
    for (index, truth) in sample.truth.connections.enumerated() {
      let own = events.filter { $0["connection"] == .number(Double(index + 1)) }
      #expect(own.count == truth.measurements.count)
      for (event, measurement) in zip(own, truth.measurements) {
        #expect(Contract.measurement.faults(in: event) == [])
        #expect(Truth.Measurement(json: event) == measurement)
      }
    }
  }

  /// The measurements of a timeline and of a report are the same, key for key.
  @Test(arguments: ["polar-h7.btsnoop", "malformed.btsnoop", "eatt.btsnoop"])
  func `agrees with the report`(name: String) async throws {
    let sample = Sample.named(name)
    let report = try await Reports.json(of: sample)
    let connections = try #require(report["captures"]?.array?.first?["connections"]?.array)
    let listed = connections.flatMap { $0["heart_rate"]?["measurements"]?.array ?? [] }
    let events = try await events(sample, "heart-rate")
    #expect(listed == events.map { $0.without(["event", "capture", "connection", "handle"]) })
  }

  /// The day stands above the times, and above those of the next one.
  @Test(arguments: [("+00:00", ["2026-03-14"]), ("+14:32", ["2026-03-14", "2026-03-15"]), ("+15:00", ["2026-03-15"])])
  func `tells the day`(zone: String, days: [String]) async throws {
    let sample = Sample.named("polar-h7.btsnoop")
    let outcome = try await Program.run(
      ["timeline", "--events", "heart-rate,connected", "--time-zone", zone, sample.path])
    let told = outcome.output.split(separator: "\n").filter { $0.hasPrefix("2026-") }
    #expect(told.map { String($0.prefix(10)) } == days)
    #expect(told.dropFirst().allSatisfy { $0.count == 10 })
  }

  /// What is found does not depend on what is told of the rest: a request that seems to have lost its answer, and a write
  /// behind it that nobody asks for unless it is shown.
  @Test func `finds the same whatever is shown`() async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.connected()
      host.sent(hex("08 0a 00 0f 00 03 28"))
      host.sent(hex("08 0a 00 0f 00 03 28"))
      host.received(hex("09 07 0b 00 0a 0c 00 f0 ff"))
      host.write(attribute: 12, Array("Hello".utf8))
      let path = try folder.file("twice", host.file())
      let kinds = ["", "write", "finding"].map { $0.isEmpty ? [] : ["--events", $0 + ",finding"] }
      var found: [[String]] = []
      for arguments in kinds {
        let outcome = try await Program.run(["timeline", "--format", "ndjson", path] + arguments)
        found.append(outcome.lines.filter { $0.contains(#""event": "finding""#) })
      }
      #expect(!found[0].isEmpty && found.allSatisfy { $0 == found[0] }, "\(found)")
    }
  }

  /// Whose they are was told before the part that is shown.
  @Test(arguments: [["--frames", "145-147"], ["--from", "10", "--to", "12"]])
  func `lists a part of them with their peer`(part: [String]) async throws {
    let sample = Sample.named("polar-h7.btsnoop")
    let all = try await Program.run(["timeline", "--format", "csv", sample.path])
    let some = try await Program.run(["timeline", "--format", "csv", sample.path] + part)
    #expect(some.status == 0 && some.lines.count > 2 && some.lines.count < 10)
    #expect(Set(some.lines).isSubset(of: all.lines))
  }

  /// Each line says which of several captures it is of.
  @Test func `lists measurements of several captures`() async throws {
    let names = ["polar-h7.btsnoop", "scosche-rhythm-plus.btsnoop"]
    let outcome = try await Program.run(["timeline", "--format", "csv"] + names.map { Sample.named($0).path })
    #expect(outcome.lines.first == "time,elapsed_s,capture,frame,member,connection,peer,bpm,contact,energy_kj,rr_ms")
    let captures = outcome.lines.dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)[2]
    }
    let counts = names.map { Sample.named($0).truth.connections.reduce(0) { $0 + $1.measurements.count } }
    #expect(captures == Array(repeating: "0", count: counts[0]) + Array(repeating: "1", count: counts[1]))
  }

  /// The controller hands on what it has received when the connection is over already.
  @Test func `names the peer of a measurement that comes late`() async throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0, 60])
    host.disconnected()
    host.wait(milliseconds: 20)
    host.notified([0, 61])
    let outcome = try await TemporaryFolder.with { folder in
      let file = folder.appending(path: "late.btsnoop")
      try Data(host.file()).write(to: file)
      return try await Program.run(["timeline", "--format", "csv", file.path])
    }
    #expect(outcome.lines.dropFirst().map { $0.contains("C5:44:33:22:11:01") } == [true, true])
  }

  /// A measurement a line, with what was sent; what was not is empty.
  @Test(arguments: Sample.all)
  func `lists measurements for spreadsheets`(sample: Sample) async throws {
    let outcome = try await Program.run(["timeline", "--format", "csv", sample.path])
    #expect(outcome.status == 0)
    #expect(outcome.lines.first == "time,elapsed_s,frame,connection,peer,bpm,contact,energy_kj,rr_ms")
    let rows = outcome.lines.dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows.allSatisfy { $0.count == 9 })
    for (index, truth) in sample.truth.connections.enumerated() {
      let own = rows.filter { $0[3] == "\(index + 1)" }
      #expect(own.count == truth.measurements.count && own.allSatisfy { $0[4] == truth.peer.address })
      for (row, measurement) in zip(own, truth.measurements) where !measurement.error {
        #expect(row[5] == measurement.bpm.map { "\($0)" } ?? "" && row[6] == measurement.contact ?? "")
        #expect(row[7] == measurement.energyKj.map { "\($0)" } ?? "")
        let intervals = row[8].split(separator: " ").compactMap { Double($0) }.map { ($0 * 1.024).rounded() }
        #expect(intervals == (measurement.rr ?? []).map(Double.init))
      }
    }
  }

  @Test(arguments: [
    "connected", "disconnected", "service", "characteristic", "read", "write", "subscribed", "heart-rate",
    "advertising", "connect-attempt", "parameters", "parameter-request", "capture", "end",
    "connected,disconnected", "heart-rate,end",
  ])
  func `shows the kinds that are asked for`(kinds: String) async throws {
    let sample = Sample.named("polar-h7.btsnoop")
    let all = try await Reports.events(of: sample)
    let some = try await events(sample, kinds)
    let names = Set(kinds.split(separator: ",").map(String.init))
    #expect(!some.isEmpty)
    #expect(some == all.filter { $0["event"]?.string.map(names.contains) == true })
    let text = try await Program.run(["timeline", "--events", kinds, sample.path])
    #expect(text.status == 0)
    // The path is what "capture" shows; the line of headings stands before all events.
    #expect(text.lines.count == some.count + 1)
    #expect(
      names.contains("capture") || text.lines.dropFirst().allSatisfy { line in names.contains { line.contains($0) } })
  }

  @Test func `numbers the captures`() async throws {
    let paths = ["polar-h7.btsnoop", "wahoo-tickr.btsnoop"].map { Sample.named($0).path }
    // Kinds that are given one by one add up.
    let kinds = ["--events", "capture", "--events", "heart-rate"]
    let outcome = try await Program.run(["timeline", "--format", "ndjson"] + kinds + paths)
    let events = try outcome.jsonLines()
    #expect(events.count { $0["capture"] == .number(0) } == 121)
    #expect(events.count { $0["capture"] == .number(1) } == 41)
    #expect(events.filter { $0["event"] == .string("capture") }.map { $0["path"]?.string } == paths)
  }

  /// A finding begins as the line does that it is about: with the time, the record and the connection.
  @Test func `says where a finding is`() async throws {
    let command = ["timeline", "--events", "heart-rate,finding", Sample.named("malformed.btsnoop").path]
    let lines = try await Program.run(command).lines.map { $0.split(separator: " ") }.filter { $0.count > 5 }
    let measurements = Set(lines.filter { $0[4] == "heart-rate" }.map { $0.prefix(4) })
    let found = lines.filter { $0.contains("measurement-malformed:") }
    #expect(!found.isEmpty && found.allSatisfy { measurements.contains($0.prefix(4)) })
  }

  /// Every column stands below its heading: frames end where "frame" ends, events begin where "event" begins.
  @Test func `is set in columns`() async throws {
    let outcome = try await Program.run(["timeline", Sample.named("three-sensors-crossed-handles.btsnoop").path])
    let heading = try #require(outcome.lines.dropFirst().first)
    let head = try #require(heading.firstMatch(of: /^(2026-03-18.*?frame)(.*?)event/))
    let (end, start) = (head.1.count, head.1.count + head.2.count)
    let misplaced = outcome.lines.dropFirst(2).filter { line in
      line.prefix(end).last?.isNumber != true || line.dropFirst(end).first != " "
        || line.dropFirst(start).first?.isLowercase != true || line.prefix(start).last != " "
    }
    #expect(misplaced.isEmpty, "\(heading)\n\(misplaced.first ?? "")")
  }
}

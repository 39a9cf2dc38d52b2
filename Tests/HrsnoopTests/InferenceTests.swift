import Foundation
import TestSupport
import Testing

/// A file for as long as it is in use.
private struct TemporaryFile {
  let url = FileManager.default.temporaryDirectory.appending(path: "hrsnoop-test-\(UUID().uuidString)")
  var path: String { url.path }

  init(_ octets: [UInt8]) throws { try Data(octets).write(to: url) }
  func remove() { try? FileManager.default.removeItem(at: url) }
}

/// What the program makes of captures that hold no discovery.
@Suite struct `Without discovery` {
  /// A strap without RR-Intervals, of which nothing but its values is in the capture.
  private static let quiet = stream { [0x06, UInt8(70 + [0, 1, 2, 1][$0 % 4])] }
  /// Two octets that change slowly: they may be anything.
  private static let vague = stream { [0x00, UInt8(70 + [0, 1, 2, 1][$0 % 4])] }

  private static func stream(_ value: (Int) -> [UInt8]) -> [UInt8] {
    var host = HostSide()
    host.connected()
    host.write(attribute: 17, [1, 0])
    for second in 0..<30 {
      host.notified(attribute: 16, value(second))
      host.wait(milliseconds: 980)
    }
    return host.file()
  }

  private func connection(_ octets: [UInt8], _ options: String...) async throws -> JSON {
    let file = try TemporaryFile(octets)
    defer { file.remove() }
    let outcome = try await Program.run(["analyze", "--format", "json", file.path] + options)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let report = try outcome.json()
    return try #require(report["captures"]?.array?.first?["connections"]?.array?.first)
  }

  @Test func `a measurement is inferred, with confidence and evidence`() async throws {
    let session = try #require(try await connection(Self.quiet)["heart_rate"])
    #expect(session["provenance"] == .string("inferred") && session["measurement_handle"] == .number(16))
    #expect(session["cccd_handle"] == .number(17) && session["measurements"]?.array?.count == 30)
    let confidence = try #require(session["confidence"]?.number)
    #expect(confidence >= 0.9 && confidence < 1)
    #expect(session["evidence"]?.array?.count ?? 0 >= 4)
  }

  @Test func `a measurement that is inferred is named where the tables are told`() async throws {
    let file = try TemporaryFile(Self.quiet)
    defer { file.remove() }
    let outcome = try await Program.run(["gatt", "--color", "never", file.path])
    #expect(outcome.status == 0 && outcome.output.contains("No GATT database"), "\(outcome.output)")
    let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("On connection 1, 0x0010 is a Heart Rate Measurement by its values, "), "\(outcome.output)")
  }

  /// What is told as the other end's is no mere candidate beside it.
  @Test func `where both ends send, none is a candidate`() async throws {
    var host = HostSide()
    for beat in UInt8(0)..<20 {
      host.notified([0x16, 60 + beat % 3, 0xE8, 0x03])
      host.sent(hex("1b 24 00 16") + [120 + beat % 3, 0xF4 + beat % 2, 0x01])
      host.wait(milliseconds: 1000)
    }
    let found = try await connection(host.file())
    #expect(found["heart_rate"]?["measurements"]?.array?.count == 20 && found["other_heart_rate"] != nil)
    #expect(found["candidates"] == .array([]))
  }

  /// Of two attributes that both send heart rates, the report is headed by one; the other is listed, and no mere candidate.
  @Test func `where two attributes are sure enough, none is a candidate`() async throws {
    var host = HostSide()
    for beat in UInt8(0)..<40 {
      host.notified([0x16, 60 + beat % 3, 0xE8 + beat % 5, 0x03])
      host.received(hex("1b 24 00 16") + [120 + beat % 3, 0xF0 + beat % 4, 0x01])
      host.wait(milliseconds: 1000)
    }
    let found = try await connection(host.file(), "--min-confidence", "0.5")
    #expect(found["heart_rate"]?["measurements"]?.array?.count == 80)
    #expect(found["candidates"] == .array([]))
    let file = try TemporaryFile(host.file())
    defer { file.remove() }
    let text = try await Program.run(["analyze", "--min-confidence", "0.5", file.path]).output
    #expect(text.contains("also heart rates on 0x0024: ") && text.contains("the figures are of both"))
    #expect(!text.contains("too little to be called so"))
  }

  @Test func `what is not sure enough is a candidate`() async throws {
    let vague = try await connection(Self.vague)
    #expect(vague["heart_rate"] == .null)
    let candidate = try #require(vague["candidates"]?.array?.first)
    #expect(candidate["handle"] == .number(16) && candidate["evidence"]?.array?.isEmpty == false)
    let strict = try await connection(Self.quiet, "--min-confidence", "1")
    #expect(strict["heart_rate"] == .null && strict["candidates"]?.array?.count == 1)
    let lenient = try await connection(Self.vague, "--min-confidence", "0.03")
    #expect(lenient["heart_rate"]?["provenance"] == .string("inferred") && lenient["candidates"]?.array == [])
  }

  @Test func `the text gives reasons`() async throws {
    let file = try TemporaryFile(Self.quiet)
    defer { file.remove() }
    let known = try await Program.run([file.path]).output
    #expect(known.contains("inferred, ") && known.contains("why   all 30 values"))
    let other = try TemporaryFile(Self.vague)
    defer { other.remove() }
    #expect(try await Program.run([other.path]).output.contains("perhaps heart rates on 0x0010"))
  }

  /// A text rounds as the JSON does.
  @Test(arguments: 9...12) func `is as sure in every report`(values: UInt8) async throws {
    var host = HostSide()
    host.connected()
    host.write(attribute: 17, [1, 0])
    for place in 0..<values {
      host.notified([0x00, 70 + place % 3])
      host.wait(milliseconds: 1000)
    }
    let candidate = try await connection(host.file())["candidates"]?.array?.first
    let confidence = try #require(candidate?["confidence"]?.number)
    let text = try await TemporaryFolder.with { folder in
      try await Program.run([try folder.file("a.log", host.file())]).output
    }
    let percent = text.firstMatch(of: /0x0010: ([0-9.]+) % sure/).flatMap { Double($0.1) }
    #expect(percent == (confidence * 1000).rounded() / 10)
  }

  @Test func `the timeline knows it from the first value on`() async throws {
    let file = try TemporaryFile(Self.quiet)
    defer { file.remove() }
    let outcome = try await Program.run([
      "timeline", "--format", "ndjson", "--events", "heart-rate,subscribed", file.path,
    ])
    let kinds = try outcome.jsonLines().compactMap { $0["event"]?.string }
    #expect(kinds == ["subscribed"] + Array(repeating: "heart-rate", count: 30))
  }

  @Test func `through a pipe, from where it is sure`() async throws {
    let file = try TemporaryFile(Self.quiet)
    defer { file.remove() }
    let outcome = try await Program.shell(
      "cat \"$1\" | \"$0\" timeline --format ndjson --events heart-rate -", [file.path])
    let count = try outcome.jsonLines().count
    #expect(count > 0 && count < 30)
  }

  @Test func `a map tells what the capture does not`() async throws {
    let map = try await Program.run(["gatt", "--format", "json", Sample.named("polar-h7.btsnoop").path]).octets
    // The sample's peer, under the address of this capture's.
    let text = String(decoding: map, as: UTF8.self).replacingOccurrences(
      of: "E0:9E:1A:2C:5A:1D", with: "C5:44:33:22:11:01")
    let file = try TemporaryFile(Array(text.utf8))
    defer { file.remove() }
    let session = try #require(try await connection(Self.vague, "--gatt-map", file.path)["heart_rate"])
    #expect(session["provenance"] == .string("imported") && session["confidence"] == .number(1))
    #expect(session["measurements"]?.array?.count == 30)
  }

  @Test(arguments: [[], ["--quiet"]])
  func `a map that names no device says for whom it is taken`(options: [String]) async throws {
    let text = try await Self.namelessMap()
    var stranger = HostSide()
    stranger.connected()
    for place in 0..<30 as Range<UInt8> {
      stranger.notified((0..<12 as Range<UInt8>).map { (place &+ 3) &* ($0 &+ 5) &* 37 })
      stranger.wait(milliseconds: 1000)
    }
    try await TemporaryFolder.with { folder in
      let arguments = ["--gatt-map", try folder.file("map", Array(text.utf8))] + options
      for (octets, word) in [(Self.vague, "taken"), (stranger.file(), "not taken")] {
        let path = try folder.file("log", octets)
        let outcome = try await Program.run(["--format", "json", path] + arguments)
        let sentence =
          "hrsnoop: \(path): a GATT map names no device: \(word) for C5:44:33:22:11:01"
        #expect(outcome.status == 0 && outcome.errorLines == (options.isEmpty ? [sentence] : []))
        let session = try outcome.json()["captures"]?.array?.first?["connections"]?.array?.first?["heart_rate"]
        #expect(session?["provenance"]?.string == (word == "taken" ? "imported" : nil))
        let streamed = try await Program.shell(
          "cat \"$1\" | \"$0\" timeline --gatt-map \"$2\" $3 -", [path, arguments[1]] + options)
        #expect(streamed.errors.contains("names no device") == options.isEmpty)
      }
    }
  }

  /// Of many peers, the first are named.
  @Test func `a map that names no device is taken for many`() async throws {
    var host = HostSide()
    for peer in 1...6 as ClosedRange<UInt8> {
      host.connected(peer: peer)
      for rate in 0..<30 as Range<UInt8> {
        host.notified([0x00, 70 + rate % 4])
        host.wait(milliseconds: 980)
      }
      host.disconnected()
    }
    let (map, log) = (try TemporaryFile(Array(try await Self.namelessMap().utf8)), try TemporaryFile(host.file()))
    defer { for file in [map, log] { file.remove() } }
    let outcome = try await Program.run(["--gatt-map", map.path, log.path])
    let peers = (1...4).map { "C5:44:33:22:11:0\($0)" }.joined(separator: ", ")
    #expect(outcome.errors == "hrsnoop: \(log.path): a GATT map names no device: taken for \(peers), 2 more\n")
  }

  /// What a sample tells of its sensor, but for whose it is.
  private static func namelessMap() async throws -> String {
    let map = try await Program.run(["gatt", "--format", "json", Sample.named("polar-h7.btsnoop").path]).output
    return map.replacing("\"E0:9E:1A:2C:5A:1D\"", with: "null")
  }

  /// What the capture tells itself counts before a map, on every connection with the device.
  @Test func `a map beside what the capture tells`() async throws {
    let sample = Sample.named("reconnection-without-discovery.btsnoop")
    let map = try TemporaryFile(Array(try await Program.run(["gatt", "--format", "json", sample.path]).octets))
    defer { map.remove() }
    for options in [[], ["--gatt-map", map.path]] {
      let capture = try await Program.run(["--format", "json", sample.path] + options).json()["captures"]?.array?.first
      let provenance = capture?["connections"]?.array?.map { $0["heart_rate"]?["provenance"]?.string }
      #expect(provenance == ["discovered", "earlier-connection"])
    }
  }

  /// A connection on which the heart rate service is discovered; its measurement has this handle.
  private static func discovery(of handle: UInt16) -> [UInt8] {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate(first: handle - 2)
    host.disconnected()
    return host.file()
  }

  /// Whatever order they are given in; of several that were read behind it the first, since tables change.
  @Test(
    arguments: [[16, nil], [nil, 16], [nil, 16, 17], [16, nil, 17]] as [[UInt16?]],
    [[], ["--connection", "1"]])
  func `one capture tells of a device in another`(handles: [UInt16?], options: [String]) async throws {
    let files = try handles.map { try TemporaryFile($0.map(Self.discovery) ?? Self.vague) }
    defer { for file in files { file.remove() } }
    let outcome = try await Program.run(["--format", "json"] + options + files.map(\.path))
    #expect(outcome.errors.isEmpty && outcome.status == 0)
    let captures = try #require(try outcome.json()["captures"]?.array)
    #expect(captures.map { $0["path"] } == files.map { .string($0.path) })
    let place = try #require(handles.firstIndex(of: nil))
    let session = captures[place]["connections"]?.array?.first?["heart_rate"]
    #expect(session?["provenance"] == .string("earlier-connection"))
    #expect(session?["measurements"]?.array?.count == 30)
  }

  @Test func `bad options and maps get a sentence`() async throws {
    let file = try TemporaryFile(Self.quiet)
    defer { file.remove() }
    let wrong = try await Program.run([file.path, "--min-confidence", "1.5"])
    #expect(wrong.status == 64 && wrong.errors.contains("from 0 to 1"))
    let whole = try await Program.run([file.path])
    for map in ["/nonexistent/map.json", file.path] {
      let outcome = try await Program.run([file.path, "--gatt-map", map])
      #expect(outcome.status == 2 && outcome.errorLines.count == 1 && outcome.output.hasSuffix(whole.output))
    }
  }

  /// As where one of several captures cannot be read: JSON tells it, and what the others hold.
  @Test(arguments: [
    ["analyze", "--format", "json", "--gatt-map"], ["analyze", "--format", "json", "--profiles"],
    ["gatt", "--format", "json", "--gatt-map"],
    ["diff", "--format", "json", "--gatt-map"], ["diff", "--format", "json", "--profiles"],
    ["timeline", "--format", "ndjson", "--gatt-map"],
  ])
  func `a map or a profile that cannot be read keeps nothing from being reported`(arguments: [String]) async throws {
    let file = Sample.named("polar-h7.btsnoop").path
    let inputs = arguments[0] == "diff" ? [file, file] : [file]
    let good = try await Program.run(Array(arguments.dropLast()) + inputs)
    #expect(good.status == 0)
    for other in ["/nonexistent/map.json", file] {
      let outcome = try await Program.run(arguments + [other] + inputs)
      #expect(outcome.status == 2 && outcome.errorLines.count == 1)
      #expect(outcome.errors.hasPrefix("hrsnoop: \(other): "))
      if arguments[0] == "timeline" {
        #expect(outcome.octets == good.octets)
        continue
      }
      let (told, usual) = (try outcome.json(), try good.json())
      // It is no side of a comparison, where each has a value in every aspect.
      let isDiff = arguments[0] == "diff"
      let list = isDiff ? "sides" : "captures"
      let captures = told[list]?.array ?? []
      #expect((isDiff ? captures[...] : captures.dropLast()) == usual[list]?.array?[...])
      let failure = isDiff ? told["failures"]?.array?.last : captures.last
      #expect(failure?.keys == ["path", "error"] && failure?["path"] == .string(other))
    }
  }
}

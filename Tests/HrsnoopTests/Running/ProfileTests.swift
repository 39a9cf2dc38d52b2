import Foundation
import Testing
import TestSupport

/// What is usual for a sensor, and what is not.
@Suite struct `Sensor profiles` {
  private let tickr = Sample.named("wahoo-tickr.btsnoop")

  /// A strap that advertises a name, is connected and measures for half a minute.
  private func capture(named name: String, _ value: [UInt8]) -> [UInt8] {
    var host = HostSide()
    let data = [UInt8(name.utf8.count + 1), 0x09] + Array(name.utf8)
    host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + [UInt8(data.count)] + data + [0xC4])
    host.subscribe()
    for _ in 0..<30 {
      host.notified(attribute: 16, value)
      host.wait(milliseconds: 1000)
    }
    return host.file()
  }

  private func profile(_ octets: [UInt8], _ options: String...) async throws -> JSON {
    try await TemporaryFolder.with { folder in
      let path = try folder.file("capture", octets)
      let outcome = try await Program.run(["analyze", "--format", "json", path] + options)
      let connection = try outcome.json()["captures"]?.array?.first?["connections"]?.array?.first
      return try #require(connection?["profile"])
    }
  }

  @Test(arguments: [
    ("Polar H10 1A2B3C4D", [0x10, 70, 0x00, 0x04], "Polar H10", ["sends no contact bit"]),
    ("Polar H10 1A2B3C4D", [0x16, 70, 0x00, 0x04], "Polar H10", []),
    ("Polar H7 1A2B3C4D", [0x06, 70], "Polar H7", ["sends no RR-Intervals"]),
    ("polar oh1 5", [0x06, 70], "Polar OH1", ["tells skin contact"]),
    ("RHYTHM+4471", [0x10, 70, 0x00, 0x04], "Scosche Rhythm+", ["sends RR-Intervals"]),
    ("TICKR X 0042", [0x10, 70, 0x00, 0x04], "Wahoo TICKR", []),
  ])
  func `a model is recognised, and what it does otherwise`(
    name: String, value: [UInt8], model: String, unusual: [String]
  )
    async throws
  {
    let profile = try await profile(capture(named: name, value))
    #expect(profile["name"] == .string(model))
    #expect(profile["unusual"]?.array?.compactMap { $0["what"]?.string } == unusual)
    #expect(profile["usual"]?.array?.isEmpty == false)
    #expect(profile["unusual"]?.array?.allSatisfy { $0["source"]?.string?.isEmpty == false } == true)
  }

  /// Some firmware of it sends none, some sends smoothed ones.
  @Test(arguments: [[0x10, 70, 0x00, 0x04], [0x00, 70]] as [[UInt8]])
  func `a model that may send RR-Intervals, or none`(value: [UInt8]) async throws {
    let profile = try await profile(capture(named: "Polar Sense 1A2B3C4D", value))
    #expect(profile["name"] == .string("Polar Verity Sense"))
    #expect(profile["unusual"]?.array?.contains { $0["what"]?.string?.contains("RR-Intervals") ?? false } == false)
  }

  /// It is worn on the arm, and nothing is known to be usual for it.
  @Test func `a model like whose name another's begins`() async throws {
    let profile = try await profile(capture(named: "TICKR FIT 3F2A", [0x00, 70]))
    #expect(profile["name"] == .string("Wahoo TICKR FIT") && profile["unusual"]?.array?.isEmpty == true)
  }

  /// A number that goes on is another number.
  @Test(arguments: ["Polar H100", "My TICKR", "Polar"])
  func `what is like no model is of none`(name: String) async throws {
    #expect(try await profile(capture(named: name, [0x10, 70, 0x00, 0x04])) == .null)
  }

  @Test func `the report says so`() async throws {
    try await TemporaryFolder.with { folder in
      let path = try folder.file("capture", capture(named: "Polar H10 1A2B3C4D", [0x10, 70, 0x00, 0x04]))
      let text = try await Program.run([path]).output
      #expect(text.contains("Unusual for a Polar H10: sends no contact bit (some firmware sends none:"))
      #expect(text.contains("Usually it tells skin contact."))
    }
  }

  /// A connection of a few slow values says less of a sensor than one of many: neither the first of a session, nor the last.
  @Test(arguments: [[1, 10], [10, 1]]) func `a moment is not its way`(periods: [Int]) async throws {
    var host = HostSide()
    let data = [0x12, 0x09] + Array("Polar H10 1A2B3C4D".utf8.prefix(17))
    host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + [UInt8(data.count)] + data + [0xC4])
    for period in periods {
      host.subscribe()
      for _ in 0..<(60 / period) {
        host.notified(attribute: 16, [0x16, 70, 0x6E, 0x03])
        host.wait(milliseconds: Int64(1000 * period))
      }
      host.disconnected()
    }
    let octets = host.file()
    try await TemporaryFolder.with { folder in
      let text = try await Program.run([folder.file("capture", octets)]).output
      #expect(text.contains("60 measurements") && text.contains("6 measurements"))
      #expect(!text.contains("Unusual"))
    }
  }

  /// Where nothing tells of which make a sensor is, who wants its profile has to say that.
  @Test func `a profile of a sensor without a name`() async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.subscribe()
      for _ in 0..<20 {
        host.wait(milliseconds: 1000)
        host.notified([0x00, 0x48])
      }
      let log = try folder.file("log", host.file())
      let written = try await Program.run(["gatt", "--profile", log])
      #expect(written.status == 0 && written.errors.contains("nothing in a profile tells how the sensor is recognised"))
      let named = try written.json()["profiles"]?.array?.first?["name"]
      #expect(named == .string("sensor without a name"))
      let quiet = try await Program.run(["gatt", "--profile", "--quiet", log])
      #expect(quiet.status == 0 && quiet.errors.isEmpty && quiet.octets == written.octets)
      let several = try await Program.run([
        "gatt", "--profile", log, "/no/such/file", try folder.file("b", host.file()),
      ])
      #expect(several.status == 2 && several.errorLines.count == 2)
      #expect(several.errors.contains("nothing in 2 profiles tells how the sensor is recognised"))
    }
  }

  /// A name that is longer than a profile's may be is cut, so that what is written can be read.
  @Test func `a profile of a sensor with a long name`() async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.subscribe()
      host.sent(hex("08 20 00 ff ff 03 28"))
      host.received(hex("09 07 20 00 02 21 00 24 2a"))
      host.sent(hex("0a 21 00"))
      host.received([0x0B] + Array(repeating: UInt8(ascii: "x"), count: 65))
      for _ in 0..<20 {
        host.wait(milliseconds: 1000)
        host.notified([0x00, 0x48])
      }
      let log = try folder.file("log", host.file())
      let written = try await Program.run(["gatt", "--profile", log])
      let name = try written.json()["profiles"]?.array?.first?["name"]
      #expect(name == .string(String(repeating: "x", count: 64)))
      let profiles = try folder.file("own.json", Array(written.output.utf8))
      #expect(try await Program.run(["--profiles", profiles, log]).errors.isEmpty)
    }
  }

  /// What one capture shows is what another one is held against.
  @Test func `a profile of one's own`() async throws {
    try await TemporaryFolder.with { folder in
      let written = try await Program.run(["gatt", "--profile", tickr.path])
      #expect(written.status == 0 && written.errors.isEmpty)
      let json = try written.json()
      #expect(json["schema"] == .string("hrsnoop.profile/1"))
      let usual = try #require(json["profiles"]?.array?.first?["usual"])
      #expect(usual["contact"] == .bool(false) && usual["energy_expended"] == .bool(true))
      #expect(usual["location"] == .number(1) && usual["services"]?.array?.contains(.string("180D")) == true)

      _ = try folder.file("tickr.json", Array(written.output.utf8))
      let name = "TICKR 0042"
      let own = try await profile(capture(named: name, [0x06, 70]), "--profiles", folder.path)
      #expect(own["name"] == .string("TICKR"))
      #expect(
        own["unusual"]?.array?.compactMap { $0["what"]?.string }.sorted() == [
          "sends no RR-Intervals", "tells skin contact",
        ])
      let itself = try await Program.run(["--format", "json", "--profiles", folder.path, tickr.path]).json()
      let connection = itself["captures"]?.array?.first?["connections"]?.array?.first
      #expect(connection?["profile"]?["unusual"] == .array([]))
    }
  }

  @Test(arguments: [
    (#"{"schema": "hrsnoop.profile/1", "profiles": []}"#, "it holds no profile"),
    (#"{"schema": "hrsnoop.gatt/1", "profiles": []}"#, "its schema is hrsnoop.gatt/1, not hrsnoop.profile/1"),
    ("[1, 2", "it is not what `hrsnoop gatt --profile` writes"),
    (
      #"{"schema": "hrsnoop.profile/1", "profiles": [{"name": "X", "marks": {}, "usual": {}}]}"#,
      "nothing in it tells how X is recognised"
    ),
    (
      #"{"schema": "hrsnoop.profile/1", "profiles": [{"name": "X", "marks": {"services": ["180"]}, "usual": {}}]}"#,
      "180 in it is no UUID"
    ),
    (
      #"{"schema": "hrsnoop.profile/1", "profiles": [{"name": "X", "marks": {"names": ["X"]}, "usual": {"period_s": [2, 1]}}]}"#,
      "takes two numbers, the shortest first"
    ),
  ])
  func `a file that is none is refused`(text: String, message: String) async throws {
    try await TemporaryFolder.with { folder in
      _ = try folder.file("odd.json", Array(text.utf8))
      let outcome = try await Program.run(["--profiles", folder.path, tickr.path])
      #expect(outcome.status == 2 && outcome.errors.contains("odd.json: ") && outcome.errors.contains(message))
    }
  }

  @Test func `a directory without profiles`() async throws {
    try await TemporaryFolder.with { folder in
      let outcome = try await Program.run(["--profiles", folder.path, tickr.path])
      #expect(outcome.status == 2 && outcome.errors.contains("no file in this directory whose name ends in .json"))
    }
  }
}

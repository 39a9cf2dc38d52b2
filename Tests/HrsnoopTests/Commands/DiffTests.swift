import Foundation
import Testing
import TestSupport

/// Sensors side by side.
@Suite struct `Comparing sensors` {
  private static let folder = Sample.named("polar-h7.btsnoop").path.dropLast("polar-h7.btsnoop".count)
  private static func path(_ name: String) -> String { "\(folder)\(name).btsnoop" }

  private func differences(_ arguments: [String]) async throws -> Set<String> {
    let outcome = try await Program.run(["diff", "--format", "json"] + arguments)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let aspects = try #require(try outcome.json()["aspects"]?.array)
    return Set(aspects.filter { $0["differs"] == .bool(true) }.compactMap { $0["aspect"]?.string })
  }

  // What the scenarios say of the three models, and of what is done with them: Samples/recorder/devices.py, scenarios.py.
  private static let models: Set = [
    "device-information", "advertising", "services", "characteristics", "handles", "heart-rate-range", "rr-presence",
  ]

  @Test func `of different brands, what was planted differs, and nothing else`() async throws {
    let (polar, tickr, rhythm) = (Self.path("polar-h7"), Self.path("wahoo-tickr"), Self.path("scosche-rhythm-plus"))
    // Both send intervals; the strap asks for parameters, the TICKR sends energy, wide rates and one of 300.
    let polarToTickr = Self.models.subtracting(["rr-presence"]).union([
      "properties", "value-format", "contact", "energy-expended", "rr-statistics", "connection-parameters",
      "parameter-requests", "mtu", "findings",
    ])
    #expect(try await differences([polar, tickr]) == polarToTickr)
    let polarToRhythm = Self.models.union([
      "properties", "location", "contact", "connection-parameters", "parameter-requests", "disconnects",
    ])
    #expect(try await differences([polar, rhythm]) == polarToRhythm)
    // 150 and 124 beats a minute: what two runs may differ by.
    let tickrToRhythm = Self.models.subtracting(["heart-rate-range"]).union([
      "location", "value-format", "energy-expended", "mtu", "disconnects", "findings",
    ])
    #expect(try await differences([tickr, rhythm]) == tickrToRhythm)
  }

  @Test(arguments: ["polar-h7", "wahoo-tickr", "scosche-rhythm-plus"])
  func `of the same sensor on another day, nothing differs`(name: String) async throws {
    #expect(try await differences([Self.path(name), Self.path("Comparisons/\(name)-again")]) == [])
  }

  @Test(arguments: Sample.all)
  func `of a capture and itself, nothing differs`(sample: Sample) async throws {
    let choice = sample.truth.connections.count > 1 ? ":1" : ""
    #expect(try await differences([sample.path + choice, sample.path + choice]) == [])
  }

  /// One sensor is none to compare, whichever it is.
  @Test(arguments: [
    ([":1"], "give a second capture"), ([":99"], "no connection 99"), ([":nobody"], "no such device"),
    (["", "--connection", "2"], "give a second capture"), (["", "--device", "nobody"], "no such device"),
  ])
  func `of one capture, a chosen sensor is not compared`(choice: [String], message: String) async throws {
    let path = Self.path("three-sensors-crossed-handles") + choice[0]
    let outcome = try await Program.run(["diff", "--fail-on-difference", path] + choice.dropFirst())
    #expect(outcome.status == 2 && outcome.octets.isEmpty && outcome.errors.contains(message))
  }

  /// Of a group, what can be read is compared.
  @Test func `what cannot be read leaves the others`() async throws {
    let group = "good=\(Self.path("polar-h7")),/no/such/file"
    let arguments = ["diff", "--fail-on-difference", "--format", "json", "--group", group, Self.path("wahoo-tickr")]
    let outcome = try await Program.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.errors == "hrsnoop: /no/such/file: there is no such file\n")
    let json = try outcome.json()
    #expect(json["sides"]?.array?.map { $0["title"]?.string } == ["good", "TICKR 5F3A"])
    #expect(json["failures"]?.array?.map { $0["path"]?.string } == ["/no/such/file"])
    #expect(json["differs"] == .bool(true))
  }

  @Test(arguments: [(26, 2), (27, 64)] as [(Int, Int32)])
  func `more than a terminal can show are too many`(count: Int, status: Int32) async throws {
    let outcome = try await Program.run(["diff"] + (1...count).map { "/no/such/file-\($0)" })
    #expect(outcome.status == status && outcome.octets.isEmpty)
    #expect(outcome.errors.contains("No more than 26 sides can be compared.") == (status == 64))
  }

  /// So are the sensors of one capture.
  @Test(arguments: [(26, 0), (27, 2)] as [(UInt8, Int32)])
  func `more sensors than a terminal can show are too many`(count: UInt8, status: Int32) async throws {
    var host = HostSide()
    for peer in 1...count {
      host.connected(peer: peer)
      host.discoverHeartRate()
      host.notified([0, 60])
      host.disconnected()
    }
    let octets = host.file()
    try await TemporaryFolder.with { folder in
      let outcome = try await Program.run(["diff", try folder.file("capture", octets)])
      #expect(outcome.status == status)
      #expect(outcome.errors.contains("27 heart rate sensors are in it: no more than 26 sides") == (status == 2))
    }
  }

  @Test func `what was not compared neither differs nor is the same`() async throws {
    let outcome = try await Program.run(["diff", "--format", "json", Self.path("polar-h7"), "/no/such/file"])
    #expect(outcome.status == 2)
    #expect(try outcome.json()["differs"] == .null)
  }

  @Test func `the JSON is what was promised`() async throws {
    let shape = Shape.object([
      "schema": .oneOf(["hrsnoop.diff/1"]), "tool": .object(["name": .oneOf(["hrsnoop"]), "version": .text]),
      "sides": .list(
        .object([
          "path": .text, "connection": .optional(.integer), "title": .text,
          "peer": .object(["address": .optional(.text), "name": .optional(.text), "model": .optional(.text)]),
        ])),
      "aspects": .list(
        .object([
          "aspect": .text, "differs": .bool, "values": .list(.optional(.text)), "note": .optional(.text),
        ])),
    ])
    let arguments = ["diff", "--format", "json", Self.path("polar-h7"), Self.path("wahoo-tickr"), Self.path("pairing")]
    let json = try await Program.run(arguments).json()
    #expect(shape.faults(in: json) == [])
    let names = [
      "device-information", "battery", "advertising", "services", "characteristics", "properties", "handles",
      "location",
      "value-format", "contact", "energy-expended", "rr-presence", "rr-statistics", "heart-rate-range", "cadence",
      "connection-parameters", "parameter-requests", "mtu", "discovery", "subscription", "time-to-first-measurement",
      "disconnects", "findings",
    ]
    let aspects = try #require(json["aspects"]?.array)
    #expect(aspects.compactMap { $0["aspect"]?.string } == names)
    #expect(aspects.allSatisfy { $0["values"]?.array?.count == 3 })
  }

  /// As it was sent: the scenarios in Samples/recorder say so. Where nobody subscribes, nothing is told of measurements.
  @Test(arguments: [
    ("battery", "87 %", "92 %", "80 %"), ("location", "Chest", "Chest", "Chest"),
    ("value-format", "UINT8", "UINT8, UINT16 in 5 of 40", nil),
    ("contact", "supported (detected 100 %)", "unsupported", nil),
    ("energy-expended", "never", "every 10th measurement", nil),
    ("rr-presence", "for 99 % of the beats", "for 98 % of the beats", nil),
    ("heart-rate-range", "52–96 bpm", "140–300 bpm", nil), ("cadence", "1 s ± 0.01", "1 s ± 0.01", nil),
    (
      "connection-parameters", "15 ms, latency 0, timeout 720 ms → 500 ms, latency 0, timeout 6 s",
      "15 ms, latency 0, timeout 720 ms", "15 ms, latency 0, timeout 720 ms"
    ),
    ("parameter-requests", "312.5–500 ms at 31.1 s, accepted", "none", "none"), ("mtu", "23", "247", "23"),
    ("subscription", "Heart Rate Measurement: notify", "Heart Rate Measurement: notify", "nothing"),
    (
      "findings", "none above info", "heart-rate-implausible: 1 warning, heart-rate-jump: 1 warning",
      "never-subscribed: 1 warning"
    ),
  ])
  func `what is told of each sensor`(aspect: String, polar: String?, tickr: String?, unheard: String?) async throws {
    let sides = ["polar-h7", "wahoo-tickr", "Faults/never-subscribed"].map(Self.path)
    let json = try await Program.run(["diff", "--format", "json"] + sides).json()
    let told = try #require(json["aspects"]?.array?.first { $0["aspect"]?.string == aspect })
    #expect(told["values"]?.array?.map(\.string) == [polar, tickr, unheard])
  }

  /// What is the same, what differs by chance, and what is not told of both: of one that nobody subscribes to.
  @Test func `what does not differ, in words`() async throws {
    func words(_ other: String) async throws -> String {
      let outcome = try await Program.run(["diff", Self.path("polar-h7"), Self.path(other)])
      return outcome.output.split { $0.isWhitespace }.joined(separator: " ")
    }
    let heard = try await words("wahoo-tickr")
    #expect(heard.contains("the same location Chest; cadence 1 s ± 0.01; subscriptions Heart Rate Measurement: "))
    #expect(heard.contains("not counted as a difference battery service 87 % | 92 %;"))
    #expect(!heard.contains("not told by every capture"))
    let unheard = try await words("Faults/never-subscribed")
    #expect(unheard.contains("the same location Chest; ATT_MTU 23;"))
    #expect(unheard.contains("not told by every capture value format (of 1 of 2); contact (of 1 of 2);"))
  }

  /// Names stand above the columns; where two are the same, numbers tell them apart.
  @Test func `columns are told apart`() async throws {
    let (polar, tickr) = (Self.path("polar-h7"), Self.path("wahoo-tickr"))
    let names = try #require(try await Program.run(["diff", polar, tickr]).lines.first)
    #expect(names.contains(/^ +Polar H7 2C5A1D17 +TICKR 5F3A$/))
    let numbered = try #require(try await Program.run(["diff", polar, polar, tickr]).lines.first)
    #expect(numbered.contains("1  Polar H7 2C5A1D17 ") && numbered.contains("2  Polar H7 2C5A1D17 "))
    let table = try await Program.run(["diff", "--format", "markdown", polar, polar, tickr]).lines
    #expect(table.contains("| differs | 1  Polar H7 2C5A1D17 | 2  Polar H7 2C5A1D17 | 3  TICKR 5F3A |"))
  }

  @Test func `a firmware that changed fails`() async throws {
    let arguments = ["diff", "--fail-on-difference", Self.path("polar-h7"), Self.path("wahoo-tickr")]
    #expect(try await Program.run(arguments).status == 1)
    let all = try await differences(Array(arguments.dropFirst(2)))
    let ignored = try await Program.run(arguments + ["--ignore", all.sorted().joined(separator: ",")])
    #expect(ignored.status == 0 && ignored.output.contains("nothing differs"))
    let oneByOne = try await Program.run(arguments + all.sorted().flatMap { ["--ignore", $0] })
    #expect(oneByOne.octets == ignored.octets)
    let unknown = try await Program.run(arguments + ["--ignore", "colour"])
    #expect(unknown.status == 64 && unknown.errors.contains("There is no aspect 'colour'"))
  }

  @Test func `a sensor is chosen by connection, by name, by address`() async throws {
    let three = Self.path("three-sensors-crossed-handles")
    for choice in ["2", "HRM B", "CB:5D:90:11:6E:B2"] {
      let json = try await Program.run(["diff", "--format", "json", "\(three):\(choice)", Self.path("polar-h7")]).json()
      let side = try #require(json["sides"]?.array?.first)
      #expect(side["title"] == .string("HRM B 24") && side["connection"] == .number(2))
    }
    let doubtful = try await Program.run(["diff", three, Self.path("polar-h7")])
    #expect(doubtful.status == 2 && doubtful.errors.contains("3 sensors are in it, HRM A 16 (connection 1)"))
    let none = try await Program.run(["diff", "\(three):TICKR", Self.path("polar-h7")])
    #expect(none.status == 2 && none.errors.contains("no such device in it"))
    let fourth = try await Program.run(["diff", "\(three):4", Self.path("polar-h7")])
    #expect(fourth.status == 2 && fourth.errors.contains("there is no connection 4 in it"))
    let one = try await Program.run(["diff", "--device", "hrm c", three, three, "--format", "json"]).json()
    #expect(one["sides"]?.array?.compactMap { $0["title"]?.string } == ["HRM C 32", "HRM C 32"])
    for (device, status) in [("hrm b", Int32(0)), ("hrm c", 2), ("nobody", 2)] {
      let both = try await Program.run(["diff", "--device", device, "--connection", "2", three, three])
      #expect(both.status == status)
      #expect(both.errors.contains("connection 2 in it is not with such a device: there are HRM A 16") == (status == 2))
    }
  }

  /// Some have commas in them: each test has a line.
  @Test func `what was tested, and how`() async throws {
    let sides = [Self.path("polar-h7"), Self.path("wahoo-tickr")]
    let text = try await Program.run(["diff"] + sides)
    #expect(text.lines.contains("  energy expended: sent or never; in as many measurements"))
    let markdown = try await Program.run(["diff", "--format", "markdown"] + sides)
    #expect(markdown.lines.contains("- energy expended: sent or never; in as many measurements"))
  }

  /// One capture in which three sensors are worn at once needs no other.
  @Test func `all sensors of one capture`() async throws {
    #expect(try await differences([Self.path("three-sensors-crossed-handles")]).isSuperset(of: ["handles"]))
    let alone = try await Program.run(["diff", Self.path("polar-h7")])
    #expect(alone.status == 2 && alone.errors.contains("only one heart rate sensor is in it: give a second capture"))
  }

  @Test func `several captures of a brand are one side`() async throws {
    let polar = "polar=\(Self.path("polar-h7")),\(Self.path("Comparisons/polar-h7-again"))"
    let tickr = "tickr=\(Self.path("wahoo-tickr"))"
    let json = try await Program.run(["diff", "--format", "json", "--group", polar, "--group", tickr]).json()
    let sides = try #require(json["sides"]?.array)
    #expect(sides.compactMap { $0["title"]?.string } == ["polar", "tickr"])
    #expect(sides.first?["connections"]?.array?.count == 2)
    #expect(try await Program.run(["diff", "--group", "polar", Self.path("polar-h7")]).status == 64)
  }

  @Test func `eight sensors fit a hundred columns`() async throws {
    let names = [
      "polar-h7", "wahoo-tickr", "scosche-rhythm-plus", "pairing", "malformed", "long-reads", "other-notifications",
      "fragments-27-mtu-185",
    ]
    let outcome = try await Program.run(["diff"] + names.map(Self.path))
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.status == 0 && lines.allSatisfy { $0.count <= 100 })
    let row = try #require(lines.first { $0.hasPrefix("  location") })
    #expect(
      row.split(separator: " ").dropFirst() == [
        "Chest", "Chest", "Other", "Chest", "Chest", "Finger", "absent", "Chest",
      ])
  }

  /// Two, and five of which each has a line of its own, where there is no room beside each other.
  @Test(arguments: [2, 5])
  func `sensors fit a narrow terminal`(count: Int) async throws {
    let names = ["polar-h7", "scosche-rhythm-plus", "wahoo-tickr", "pairing", "malformed"]
    let command = ["diff"] + names.prefix(count).map(Self.path)
    let output = try await Program.run(command, environment: ["COLUMNS": "40"]).output
    // Paths, which stand above, are as long as they are.
    let lines = output.split(separator: "\n").drop { $0 != "differs" }
    #expect(lines.count > 40 && lines.allSatisfy { $0.count <= 40 })
    let place = try #require(lines.firstIndex { $0.hasPrefix("  location") })
    if count == 2 {
      #expect(lines[place].split(separator: " ").dropFirst() == ["Chest", "Other"])
    } else {
      #expect(lines[place...].dropFirst().prefix(2) == ["    1  Chest", "    2  Other"])
    }
  }

  @Test func `a table for a pull request`() async throws {
    let outcome = try await Program.run([
      "diff", "--format", "markdown", Self.path("polar-h7"), Self.path("wahoo-tickr"),
    ])
    let rows = outcome.output.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(rows.first == "| differs | Polar H7 2C5A1D17 | TICKR 5F3A |")
    #expect(rows.contains("| **contact** | supported (detected 100 %) | unsupported |"))
    #expect(rows.allSatisfy { $0.count { $0 == "|" } == 4 })
    let sides = outcome.lines.filter { $0.first?.isNumber == true }
    #expect(sides.count == 2 && sides[0].hasPrefix("1. Polar H7 2C5A1D17, connection 1 in "))
  }

  /// Another firmware of one sensor, on one address: what it has no more is not there because another capture has it.
  @Test func `a service that is gone is missed`() async throws {
    func session(services: [(UInt16, UInt16, UInt16)]) -> [UInt8] {
      var host = HostSide()
      host.connected()
      var next: UInt16 = 1
      for (start, end, uuid) in services {
        host.sent([0x10] + next.little + [0xFF, 0xFF, 0x00, 0x28])
        host.received([0x11, 6] + start.little + end.little + uuid.little)
        next = end + 1
      }
      host.sent([0x10] + next.little + [0xFF, 0xFF, 0x00, 0x28])
      host.received([0x01, 0x10] + next.little + [0x0A])
      host.sent(hex("08 0e 00 13 00 03 28"))
      host.received(hex("09 07 0f 00 10 10 00 37 2a"))
      host.write(attribute: 17, [1, 0])
      for _ in 0..<12 {
        host.notified([0x00, 70])
        host.wait(milliseconds: 1000)
      }
      host.disconnected()
      return host.file()
    }
    let old = session(services: [(1, 5, 0x1800), (6, 9, 0x180F), (14, 19, 0x180D), (20, 29, 0x180A)])
    let new = session(services: [(1, 5, 0x1800), (14, 19, 0x180D)])
    try await TemporaryFolder.with { folder in
      let paths = [try folder.file("old", old), try folder.file("new", new)]
      #expect(try await differences(paths) == ["battery", "services"])
      // Pooled, they do not hide it from one another.
      let pooled = ["--group", "both=\(paths[0]),\(paths[1])", paths[0]]
      #expect(try await differences(pooled) == ["services"])
      // The same where one capture is known when the other is read.
      let gatt = try await Program.run(["gatt", "--format", "json"] + paths).json()
      let tables = try #require(gatt["captures"]?.array).compactMap { $0["servers"]?.array?.first?["services"]?.array }
      #expect(
        tables.map { $0.compactMap { $0["uuid"]?.string } } == [["1800", "180F", "180D", "180A"], ["1800", "180D"]])
    }
  }

  /// What a log has cut away is not known: it is neither there nor missing.
  @Test func `a log cut to 14 octets differs in nothing that it does not show`() async throws {
    let sample = Sample.named("polar-h7.btsnoop")
    let octets = Self.cut(try sample.octets, to: 14)
    try await TemporaryFolder.with { folder in
      let path = try folder.file("cut", octets)
      let found = try await differences([sample.path, path])
      #expect(found.isSubset(of: ["discovery"]), "\(found)")
    }
  }

  /// The same btsnoop file with ACL packets cut as Android does.
  private static func cut(_ octets: [UInt8], to kept: Int) -> [UInt8] {
    var result = Array(octets.prefix(16))
    let places = BTSnoopBuilder.recordPlaces(of: octets)
    for (place, next) in zip(places, places.dropFirst() + [octets.count]) {
      let packet = octets[(place + 24)..<next]
      let short = packet.first == 2 ? packet.prefix(1 + kept) : packet
      result += octets[place..<(place + 4)] + UInt32(short.count).big + octets[(place + 8)..<(place + 24)] + short
    }
    return result
  }

  @Test func `what cannot be read is told, and JSON stays JSON`() async throws {
    let missing = try await Program.run(["diff", "--format", "json", "nowhere.log", Self.path("polar-h7")])
    #expect(missing.status == 2 && missing.errors.contains("nowhere.log"))
    let sides = try #require(try missing.json()["sides"]?.array)
    #expect(sides.first?["title"] == .string("Polar H7 2C5A1D17") && sides.count == 2)
    #expect(sides.last?["path"] == .string("nowhere.log") && sides.last?["error"]?.string?.isEmpty == false)
    #expect(try missing.json()["failures"]?.array?.isEmpty == true)
    // A map is no side.
    let sensors = ["--format", "json", Self.path("polar-h7"), Self.path("wahoo-tickr")]
    let map = try await Program.run(["diff", "--gatt-map", "nowhere.json"] + sensors)
    let json = try map.json()
    #expect(map.status == 2 && json["sides"]?.array?.count == 2)
    #expect(json["failures"]?.array?.map { $0["path"]?.string } == ["nowhere.json"])
    #expect(json["aspects"]?.array?.allSatisfy { $0["values"]?.array?.count == 2 } == true)
    // The others are still compared.
    let arguments = ["diff", "--format", "json", Self.path("polar-h7"), "nowhere.log", Self.path("wahoo-tickr")]
    let aspects = try #require(try await Program.run(arguments).json()["aspects"]?.array)
    #expect(aspects.count == 23 && aspects.allSatisfy { $0["values"]?.array?.last == .null })
    #expect(try await Program.run(["diff"]).status == 64)
  }
}

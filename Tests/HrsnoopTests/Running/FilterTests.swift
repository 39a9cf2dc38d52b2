import CaptureFiles
import Foundation
import Testing
import TestSupport

/// Which part of a capture is reported.
@Suite struct `Filters` {
  private let polar = Sample.named("polar-h7.btsnoop")
  private let three = Sample.named("three-sensors-crossed-handles.btsnoop")

  private func capture(_ options: [String], of sample: Sample) async throws -> JSON {
    let outcome = try await Program.run(["--format", "json"] + options + [sample.path])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    return try #require(try outcome.json()["captures"]?.array?.first)
  }

  private func connections(_ options: [String], of sample: Sample) async throws -> [JSON] {
    try #require(try await capture(options, of: sample)["connections"]?.array)
  }

  private func events(_ options: [String], of sample: Sample) async throws -> [JSON] {
    let outcome = try await Program.run(["timeline", "--quiet", "--format", "ndjson"] + options + [sample.path])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    return try outcome.jsonLines()
  }

  /// Each connection that is left is the same as without a filter.
  @Test(arguments: [
    (["--device", "hrm b"], [2]), (["--device", "HRM B 24"], [2]), (["--device", "hrm"], [1, 2, 3]),
    (["--device", "cb:5d:90:11:6e:b2"], [2]), (["--device", "CB-5D-90-11-6E-B2"], [2]),
    (["--device", "cb5d90116eb2"], [2]),
    (["--device", "cb:5d:90:11:6e"], []), (["--connection", "3"], [3]),
    (["--connection", "3", "--device", "HRM B"], []), (["--connection", "4"], []),
  ])
  func `choose connections`(options: [String], ids: [Int]) async throws {
    let all = try await connections([], of: three)
    let capture = try await capture(options, of: three)
    #expect(capture["connections"]?.array == all.filter { ids.contains($0["id"]?.int ?? 0) })
    #expect(capture["hidden_connections"]?.int == (ids.count == 3 ? nil : 3 - ids.count))
    #expect(capture["records"]?.int == 210)

    let measurements = try await events(["--events", "heart-rate"] + options, of: three)
    #expect(measurements.map { $0["connection"]?.int }.allSatisfy { ids.contains($0 ?? 0) })
    #expect(measurements.count == 12 * ids.count)

    let gatt = try await Program.run(["gatt", "--format", "json"] + options + [three.path]).json()
    #expect(gatt["captures"]?.array?.first?["servers"]?.array?.count == ids.count)
  }

  /// A finding that begins before a part and lasts into it is of that part.
  @Test(arguments: [["--from", "2026-08-13T13:17:00Z"], ["--frames", "104-400"]])
  func `keep what lasts into the part`(options: [String]) async throws {
    let sample = try #require(FaultSample.all.first { $0.description == "rr-vanished.btsnoop" })
    try await TemporaryFolder.with { folder in
      let path = try folder.file("vanished", try sample.octets)
      let lines = try await Program.run(["timeline", "--format", "ndjson", "--events", "finding"] + options + [path])
      #expect(try lines.jsonLines().contains { $0["rule"]?.string == "rr-vanished" })
    }
  }

  /// A finding that lasts longer than its connection is of a part in which that has ended, and so is the connection.
  @Test func `keep what a connection leaves behind`() async throws {
    let sample = try #require(FaultSample.all.first { $0.description == "reconnect-loop.btsnoop" })
    try await TemporaryFolder.with { folder in
      let options = ["--frames", "73-120", try folder.file("loop", try sample.octets)]
      let outcome = try await Program.run(["--format", "json"] + options)
      let capture = try #require(try outcome.json()["captures"]?.array?.first)
      #expect(capture["connections"]?.array?.map { $0["id"]?.int } == [1, 2, 3, 4])
      let lines = try await Program.run(["timeline", "--format", "ndjson", "--events", "finding"] + options)
      for findings in [try #require(capture["findings"]?.array), try lines.jsonLines()] {
        #expect(findings.count { $0["rule"]?.string == "reconnect-loop" } == 1)
      }
    }
  }

  /// What is known of the whole is not forgotten: when the first measurement came, and what is found elsewhere.
  @Test(arguments: [
    ["--from", "10", "--to", "20"], ["--frames", "160-170"], ["--frames", "45-60"], ["--frames", "150"],
  ])
  func `tell a part as a part`(options: [String]) async throws {
    func first(_ connections: [JSON]) -> JSON? {
      connections.first?["heart_rate"]?["summary"]?["to_first_measurement_s"]
    }
    let whole = try await connections([], of: polar)
    let part = try await connections(options, of: polar)
    #expect(first(part) == first(whole) && first(whole)?.number != nil)
    #expect(part.first?["diagnosis"]?.string?.hasPrefix("Nothing unusual in this part") == true)

    let text = try await Program.run(options + [polar.path]).output
    let shown = options.count == 4 ? "09:27:03 – 09:27:13" : "#" + (options.last?.replacing("-", with: " → #") ?? "")
    #expect(text.contains("\nOnly \(shown) is shown, as asked for\n"))
    #expect(text.contains("no measurement in this part") == (options.last == "45-60"))
  }

  /// Whether one limit lies before the other is known with the capture's beginning, or its zone.
  @Test(arguments: [
    (["--from", "100", "--to", "2026-03-14T09:27:00Z"], "--to (09:27:00) lies before --from (09:28:33)"),
    (["--from", "2026-03-14T09:28:00", "--to", "10"], "--to (09:27:03) lies before --from (09:28:00)"),
    (["--from", "2026-03-14T09:28Z", "--to", "2026-03-14T09:27"], "--to (09:27:00) lies before --from (09:28:00)"),
    (
      ["--from", "2026-03-14T09:28:00.9Z", "--to", "2026-03-14T09:28:00.8"],
      "--to (09:28:00.800) lies before --from (09:28:00.900)"
    ),
  ])
  func `say that nothing lies in a part`(options: [String], words: String) async throws {
    let text = try await Program.run(options + [polar.path]).output
    #expect(text.contains("\nNothing is shown: \(words).\n") && !text.contains("as asked for"), "\(text)")
    #expect(try await connections(options, of: polar).isEmpty)
  }

  /// Until a day is until it ends.
  @Test(arguments: [
    (["--from", "2026-03-14", "--to", "2026-03-14"], 120, "00:00:00 – 23:59:59"),
    (["--to", "2026-03-14"], 120, "up to 23:59:59"), (["--to", "2026-03-13"], 0, "up to 2026-03-13 23:59:59"),
    (["--to", "2026-03-14T00:00"], 0, "up to 00:00:00"),
  ])
  func `take a date for the whole day`(options: [String], count: Int, shown: String) async throws {
    #expect(try await events(["--events", "heart-rate"] + options, of: polar).count == count)
    #expect(try await Program.run(options + [polar.path]).output.contains("\nOnly \(shown) is shown"))
  }

  /// Of what a part leaves out, it is told how much there is.
  @Test func `tell of findings outside of the part`() async throws {
    let sample = try #require(FaultSample.all.first { $0.description == "rr-vanished.btsnoop" })
    try await TemporaryFolder.with { folder in
      let path = try folder.file("vanished", try sample.octets)
      let text = try await Program.run(["--frames", "1-60", path]).output
      #expect(text.contains(#/Nothing unusual in this part(, and \d notes?)?; 1 finding outside of it\./#))
      #expect(try await !Program.run(["--frames", "1-100000", path]).output.contains("outside of"))
    }
  }

  /// A note is nothing to look for elsewhere.
  @Test func `tell of no notes outside of the part`() async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.subscribe()
      let count = host.packets.count
      for rate in 70..<90 as Range<UInt8> {
        host.notified([0x01, rate, 0])
        host.wait(milliseconds: 990)
      }
      let path = try folder.file("note.btsnoop", host.file())
      #expect(try await Program.run([path]).output.contains("Nothing unusual, and 1 note."))
      let text = try await Program.run(["--frames", "1-\(count)", path]).output
      #expect(text.contains("Nothing unusual in this part.") && !text.contains("outside of it"), "\(text)")
    }
  }

  /// What holds in a part may have been agreed upon before it: here in record 180, long behind the connection's making.
  @Test(arguments: [
    (["--frames", "200-230"], 2), (["--from", "100"], 2), (["--frames", "1-100"], 1), (["--to", "30"], 1),
    (["--frames", "180"], 2), (["--frames", "300"], 0),
  ])
  func `tell of the parameters that hold`(part: [String], count: Int) async throws {
    let told = try await connections(part, of: polar).first?["parameters"]?.array ?? []
    let all = try #require(try await connections([], of: polar).first?["parameters"]?.array)
    #expect(told == Array(all.prefix(count)) && all.last?["frame"]?.int == 180)
  }

  /// Findings in records 91 to 110, and in 151, are of a part with any of them.
  @Test(arguments: [("1-90", 2), ("91", 1), ("100", 1), ("111-150", 2), ("91-151", 0), ("151", 1), ("152-193", 2)])
  func `tell of findings before the part, and of those behind it`(frames: String, outside: Int) async throws {
    let sample = try #require(FaultSample.all.first { $0.description == "heart-rate-jump.btsnoop" })
    try await TemporaryFolder.with { folder in
      let path = try folder.file("jump", try sample.octets)
      let text = try await Program.run(["--frames", frames, path]).output
      #expect(text.contains("Nothing unusual in this part; 2 findings outside of it.") == (outside == 2))
      let json = try await Program.run(["--format", "json", "--frames", frames, path]).json()
      let findings = json["captures"]?.array?.first?["findings"]?.array
      #expect(findings?.count { $0["rule"]?.string == "heart-rate-jump" } == 2 - outside)
    }
  }

  /// Records are numbered anew in the second file of a pair.
  @Test func `keep what goes on in the second file`() async throws {
    let octets = try polar.octets
    let cut = BTSnoopBuilder.recordPlaces(of: octets)[230]
    try await TemporaryFolder.with { folder in
      _ = try folder.file("log.last", Array(octets[..<cut]))
      let path = try folder.file("log", octets[..<16] + Array(octets[cut...]))
      let options = ["--format", "json", path + ".last", path]
      for filter in [["--frames", "150-200"], ["--connection", "1"]] {
        let capture = try await Program.run(filter + options).json()["captures"]?.array?.first
        let connection = try #require(capture?["connections"]?.array?.first)
        let measurements = try #require(connection["heart_rate"]?["measurements"]?.array)
        #expect(!measurements.isEmpty && measurements.allSatisfy { $0["member"]?.int != nil })
      }
    }
  }

  /// The first log tells the name, and the second one nothing but the address.
  @Test func `know a device by the name that an earlier capture tells`() async throws {
    try await TemporaryFolder.with { folder in
      var (first, second) = (HostSide(), HostSide())
      let data = hex("03 03 0d 18 06 09") + Array("Strap".utf8)
      first.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + [UInt8(data.count)] + data + [0xC0])
      second.connected()
      second.discoverHeartRate()
      second.notified([0x06, 70])
      let paths = [try folder.file("a.log", first.file()), try folder.file("b.log", second.file())]
      let report = try await Program.run(["--format", "json", "--device", "strap"] + paths).json()
      let connections = report["captures"]?.array?.last?["connections"]?.array
      #expect(connections?.map { $0["peer"]?["name"]?.string } == ["Strap"])
      let lines = try await Program.run(
        ["timeline", "--format", "ndjson", "--events", "heart-rate", "--device", "strap"] + paths)
      #expect(lines.output.split(separator: "\n").count == 1)
    }
  }

  /// The name of this sensor is told while it is connected. What cannot be read twice is shown from then on.
  @Test func `know a device by the name that it tells late`() async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.subscribe()
      host.notified([0x06, 70])
      host.readName("Late")
      host.notified([0x06, 71])
      host.disconnected()
      host.connected(0x41)
      host.notified(on: 0x41, [0x06, 72])
      let path = try folder.file("late.btsnoop", host.file())
      let streamed = try await Program.run(
        ["timeline", "--format", "ndjson", "--events", "heart-rate", "--device", "late", path]
      ).jsonLines()
      #expect(streamed.map { $0["bpm"]?.int } == [70, 71, 72])
      let piped = try await Program.shell(
        #"cat "$1" | "$0" timeline --format ndjson --events heart-rate --device late -"#, [path]
      ).jsonLines()
      #expect(piped.map { $0["bpm"]?.int } == [71, 72])
      let whole = try await Program.run(["--format", "json", "--device", "LATE", path]).json()
      let connections = try #require(whole["captures"]?.array?.first?["connections"]?.array)
      #expect(connections.map { $0["heart_rate"]?["summary"]?["measurements"]?.int } == [2, 1])
    }
  }

  /// The specification's sample key, and an address that was made with it: the key is told on the second connection.
  @Test func `know a device by its lasting address`() async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      func connect(_ handle: UInt16, _ address: String) {
        host.leEvent(0x01, [0] + handle.little + hex("00 01") + hex(address) + hex("18 00 00 00 48 00 00"))
      }
      connect(0x40, "aa fb 0d 94 81 70")
      host.discoverHeartRate()
      host.notified([0x06, 70])
      host.disconnected()
      connect(0x41, "01 02 03 04 05 46")
      host.l2cap(on: 0x41, .received, channel: 6, [0x08] + hex("9b7d390aa610103405adc857a33402ec"))
      host.l2cap(on: 0x41, .received, channel: 6, hex("09 01") + HostSide.address(1))
      host.discoverHeartRate(on: 0x41)
      host.notified(on: 0x41, [0x06, 71])
      host.disconnected(0x41)
      host.connected(0x42, peer: 2)
      host.discoverHeartRate(on: 0x42)
      host.notified(on: 0x42, [0x06, 72])
      let path = try folder.file("private.btsnoop", host.file())
      let device = ["--device", "c5:44:33:22:11:01", path]
      let streamed = try await Program.run(["timeline", "--format", "ndjson", "--events", "heart-rate"] + device)
        .jsonLines()
      #expect(streamed.map { $0["bpm"]?.int } == [70, 71])
      let whole = try await Program.run(["--format", "json"] + device).json()
      let connections = try #require(whole["captures"]?.array?.first?["connections"]?.array)
      #expect(connections.map { $0["id"]?.int } == [1, 2])
      let gatt = try await Program.run(["gatt", "--format", "json"] + device).json()
      #expect(gatt["captures"]?.array?.first?["servers"]?.array?.count == 1)
    }
  }

  /// Its name is told under a private address, and later it has its lasting one.
  @Test func `know a device by the lasting address of what has its name`() async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.giveKey()
      host.leEvent(0x01, hex("00 40 00 00 01") + PrivateDevice.address + hex("18 00 00 00 48 00 00"))
      host.discoverHeartRate()
      host.readName("Strap")
      host.notified([0x06, 70])
      host.disconnected()
      for peer in [1, 2] as [UInt8] {
        let handle = UInt16(0x40 + peer)
        host.connected(handle, peer: peer)
        host.discoverHeartRate(on: handle)
        host.notified(on: handle, [0x06, 70 + peer])
        host.disconnected(handle)
      }
      let device = ["--device", "strap", try folder.file("named.btsnoop", host.file())]
      let streamed = try await Program.run(["timeline", "--format", "ndjson", "--events", "heart-rate"] + device)
        .jsonLines()
      #expect(streamed.map { $0["bpm"]?.int } == [70, 71])
      let whole = try await Program.run(["--format", "json"] + device).json()
      let connections = try #require(whole["captures"]?.array?.first?["connections"]?.array)
      #expect(connections.map { $0["id"]?.int } == [1, 2])
    }
  }

  /// Records and times, in every way they can be written; the capture begins at 09:26:53.590.
  @Test(arguments: [
    (["--frames", "148-150"], 148...150), (["--frames", "149"], 149...149), (["--frames", "270-9999"], 270...272),
    (["--from", "6.440", "--to", "7.5"], 148...149),
    (["--from", "2026-03-14T09:27:00Z", "--to", "2026-03-14T09:27:01.5Z"], 148...149),
    (["--from", "2026-03-14 09:27:00", "--to", "2026-03-14T09:27:01.5"], 148...149),
    (["--from", "2026-03-14T10:27:00+01:00", "--to", "2026-03-14T05:57:01.500000-03:30"], 148...149),
    (["--time-zone", "-05:00", "--from", "2026-03-14T04:27:00", "--to", "2026-03-14T09:27:01.5Z"], 148...149),
    (["--time-zone", "-05", "--from", "2026-03-14T04:27:00", "--to", "2026-03-14T07:27:01.5-02"], 148...149),
    (["--frames", "149-160", "--to", "8"], 149...149),
  ])
  func `choose a part`(options: [String], frames: ClosedRange<Int>) async throws {
    let all = try await events(["--events", "heart-rate"], of: polar)
    let wanted = all.filter { frames.contains($0["frame"]?.int ?? 0) }
    #expect(!wanted.isEmpty)
    #expect(try await events(["--events", "heart-rate"] + options, of: polar) == wanted)
    let connection = try #require(try await connections(options, of: polar).first)
    let listed = connection["heart_rate"]?["measurements"]?.array
    #expect(listed?.map { $0["frame"] } == wanted.map { $0["frame"] })
    #expect(connection["heart_rate"]?["summary"]?["measurements"]?.int == wanted.count)
    // What a connection is does not depend on the part.
    let whole = try #require(try await connections([], of: polar).first)
    for key in ["peer", "opened", "closed", "att_mtu", "services"] { #expect(connection[key] == whole[key]) }
    #expect(connection["heart_rate"]?["cccd_handle"] == whole["heart_rate"]?["cccd_handle"])
  }

  /// As reports number them: files from 1. Without a file, records of each are meant.
  @Test(arguments: [
    ("2:100-2:110", [(1, 100...110)]), ("2:100-110", [(1, 100...110)]), ("1:165-2:25", [(0, 165...999), (1, 1...25)]),
    ("3:1-3:99", []), ("150-155", [(0, 150...155), (1, 150...155)]),
  ])
  func `choose records of one file of several`(frames: String, parts: [(Int, ClosedRange<Int>)]) async throws {
    let octets = try polar.octets
    let offsets = try ReadCapture(octets).records.map { $0.offset - 25 }
    try await TemporaryFolder.with { folder in
      let paths = [
        try folder.file("x.log.last", Array(octets[..<offsets[170]])),
        try folder.file("x.log", Array(octets[..<16] + octets[offsets[150]...])),
      ]
      func measurements(_ options: [String]) async throws -> [JSON] {
        let arguments = ["timeline", "--quiet", "--format", "ndjson", "--events", "heart-rate"]
        return try await Program.run(arguments + options + paths).jsonLines()
      }
      let wanted = try await measurements([]).filter { line in
        parts.contains { $0 == line["member"]?.int && $1.contains(line["frame"]?.int ?? 0) }
      }
      #expect(wanted.isEmpty == parts.isEmpty)
      #expect(try await measurements(["--frames", frames]) == wanted)
    }
  }

  /// A capture that is one file has no second.
  @Test func `choose records of the only file`() async throws {
    let options = ["--events", "heart-rate", "--frames"]
    #expect(try await events(options + ["1:148-1:150"], of: polar) == events(options + ["148-150"], of: polar))
    #expect(try await events(options + ["2:148-150"], of: polar).isEmpty)
    for frames in ["2:10-1:20", "0:10-20", "10-2:20", "1:2:3-9", "2:0-9", ":1-2", "5-1:9"] {
      #expect(try await Program.run(["--frames", frames, polar.path]).status == 64)
    }
  }

  @Test(arguments: [["--frames", "1-30"], ["--to", "0.1"], ["--from", "2027-01-01"], ["--device", "nobody"]])
  func `leave nothing`(options: [String]) async throws {
    let text = try await Program.run(options + [polar.path])
    #expect(text.status == 0 && text.errors.isEmpty)
    #expect(text.output.contains("1 connection left out, as asked for") && !text.output.contains("bpm"))
    #expect(text.output.hasSuffix("\n  connection 1, Polar H7 2C5A1D17\n"))
    let gatt = try await Program.run(["gatt"] + options + [polar.path])
    #expect(gatt.status == 0 && gatt.output.contains("No GATT database in what was asked for."))
    let timeline = try await Program.run(["timeline"] + options + ["--events", "heart-rate", polar.path])
    #expect(timeline.status == 0 && timeline.output.split(separator: "\n").count == 1)
    #expect(
      timeline.errors
        == "hrsnoop: \(polar.path): nothing fits what was asked for: analyze tells what is in it\n")
    let quiet = try await Program.run(["timeline", "--quiet"] + options + ["--events", "heart-rate", polar.path])
    #expect(quiet.errors.isEmpty && quiet.octets == timeline.octets)
  }

  /// Adapters and strangers belong to no connection.
  @Test func `keep what belongs to no connection where it is asked for`() async throws {
    let kinds = ["--events", "advertising,connect-attempt"]
    let all = try await events(kinds, of: three)
    #expect(try await events(kinds + ["--connection", "1"], of: three) == [])
    let ofB = try await events(kinds + ["--device", "HRM B"], of: three)
    #expect(!ofB.isEmpty && ofB.count < all.count)
    #expect(ofB.allSatisfy { $0["address"]?.string == "CB:5D:90:11:6E:B2" })
  }

  @Test(arguments: [
    (["--from", "yesterday"], "2026-03-14T09:26:53Z"), (["--to", "2026-02-30"], "2026-03-14T09:26:53Z"),
    (["--to", "2026-03-14T09:27+1"], "seconds from the start"), (["--to", "2026-03-14T09:27+02:"], "from the start"),
    (["--to", "2026-03-14T09:27+24:00"], "from the start"), (["--to", "2026-03-14T09:27-0"], "from the start"),
    (["--to", "2026-03-14T25:00"], "seconds from the start"), (["--from", "1e3"], "seconds from the start"),
    (["--from", "9", "--to", "8"], "--to lies before --from"), (["--frames", "5-2"], "such as 100-250"),
    (["--from", "2026-03-14T09:28Z", "--to", "2026-03-14T10:27+01:00"], "--to lies before --from"),
    (["--from", "2026-03-15", "--to", "2026-03-14"], "--to lies before --from"),
    (["--frames", "0-2"], "counted from 1"), (["--frames", "a-b"], "such as 100-250"),
    (["--connection", "0"], "numbered from 1"), (["--connection", "one"], "numbered from 1"),
    (["--device", " "], "part of a name"), (["--time-zone", "Mars"], "+02:00"), (["--time-zone", "+25:00"], "+02:00"),
  ])
  func `are explained`(options: [String], word: String) async throws {
    for command in ["analyze", "timeline", "gatt"] {
      let outcome = try await Program.run([command] + options + [polar.path])
      #expect(outcome.status == 64 && outcome.octets.isEmpty && outcome.errors.contains(word), "\(outcome.errors)")
    }
  }
}

/// In which zone times are shown, and how those of a capture are read.
@Suite struct `Time zones` {
  private let utc = Sample.named("polar-h7.btsnoop")
  private let local = Sample.named("scosche-rhythm-plus.le.pklg")
  private let same = Sample.named("scosche-rhythm-plus.btsnoop")

  private func capture(_ options: [String], _ path: String) async throws -> JSON {
    let outcome = try await Program.run(["--format", "json"] + options + [path])
    return try #require(try outcome.json()["captures"]?.array?.first)
  }

  /// Text is shown in the zone; JSON stays in UTC.
  @Test func `of a capture in UTC`() async throws {
    let plain = try await capture([], utc.path)
    let zoned = try await capture(["--time-zone", "+05:30"], utc.path)
    #expect(zoned == plain)
    let text = try await Program.run(["--time-zone", "+05:30", utc.path]).output
    #expect(text.contains("2026-03-14 14:56:53 – 14:58:56 +05:30") && text.contains("14:56:57"))
    #expect(!text.contains("09:2"))
    let lines = try await Program.run(["timeline", "--time-zone", "-09:00", utc.path]).lines
    #expect(lines[0].hasSuffix("times: -09:00"))
    #expect(lines[2].hasPrefix("00:26:54.281"))
  }

  /// The computer's own zone, with its summer time: these days lie on both sides of it.
  @Test func `of this computer`() async throws {
    let zone = ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"]
    let outcome = try await Program.run(["--time-zone", "local", utc.path], environment: zone)
    #expect(outcome.output.contains("2026-03-14 10:26:53 – 10:28:56 this computer's time"))
    #expect(try await Program.run(["--time-zone", "LOCAL", utc.path], environment: zone).octets == outcome.octets)
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.time += 60 * 86_400 * 1_000_000
      host.connected()
      host.discoverHeartRate()
      let path = try folder.file("summer", host.file())
      let summer = try await Program.run(["--time-zone", "local", path], environment: zone)
      #expect(summer.output.contains("2026-05-13 11:26:53"))
      let pklg = try folder.file("summer.pklg", host.file(.packetLoggerLittle))
      let json = try await Program.run(["--format", "json", "--time-zone", "local", pklg], environment: zone).json()
      #expect(json["captures"]?.array?.first?["first_time"]?.string == "2026-05-13T07:26:53.000000Z")
    }
  }

  /// A log in local time: at 01:00 UTC the clocks are turned back to 02:00, and what has passed is no hour less.
  @Test func `of this computer, when its clocks are turned back`() async throws {
    let zone = ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"]
    var host = HostSide()
    host.time = 1_792_889_970_000_000
    host.subscribe()
    for _ in 0..<60 {
      host.notified([0x06, 70])
      host.wait(milliseconds: 990)
    }
    let local = host.packets.map { packet in
      var packet = packet
      packet.time += (packet.time < 1_792_890_000_000_000 ? 7200 : 3600) * 1_000_000
      return packet
    }
    let options = ["--format", "csv", "--time-zone", "local"]
    try await TemporaryFolder.with { folder in
      let path = try folder.file("autumn.pklg", Container.packetLoggerLittle.file(local))
      let utc = try folder.file("autumn.btsnoop", host.file())
      let lines = try await Program.run(["timeline"] + options + [path], environment: zone).lines
      #expect(lines.count == 61)
      #expect(lines.last?.hasPrefix("2026-10-25T01:00:29.") == true && lines.last?.contains("Z,59.") == true)
      #expect(lines == (try await Program.run(["timeline"] + options + [utc], environment: zone).lines))
      // What is shown twice is meant both times.
      for limit in [
        ["--from", "2026-10-25T02:59:00"], ["--to", "2026-10-25T02:00:30"],
        ["--from", "2026-10-25T02:59:00", "--to", "2026-10-25T02:00:30"],
      ] {
        #expect(try await Program.run(["timeline"] + options + limit + [path], environment: zone).lines == lines)
      }
    }
  }

  @Test func `of a capture in local time`() async throws {
    let plain = try await capture([], local.path)
    #expect(plain["clock"]?.string == "local" && plain["first_time"]?.string == "2026-03-16T06:41:07.755204Z")
    let text = try await Program.run([local.path]).output
    #expect(text.contains("2026-03-16 06:41:07 – 06:41:36 the device's local time"))
    let lines = try await Program.run(["timeline", local.path]).lines
    #expect(lines[0].hasSuffix("times: the device's local time"))

    let zoned = try await capture(["--time-zone", "-05:00"], local.path)
    #expect(zoned["clock"]?.string == "utc" && zoned["first_time"]?.string == "2026-03-16T11:41:07.755204Z")
    #expect(
      zoned.without(["time", "first_time", "last_time", "clock"])
        == plain.without(["time", "first_time", "last_time", "clock"]))
    // Where it was UTC in truth, all is as in the capture that says so.
    let read = try await capture(["--time-zone", "UTC"], local.path)
    #expect(
      read["connections"]?.without(["frame"]) == (try await capture([], same.path))["connections"]?.without(["frame"]))
    let shown = try await Program.run(["--time-zone", "-05:00", local.path]).output
    #expect(shown.contains("2026-03-16 06:41:07 – 06:41:36 -05:00"))
  }

  @Test func `of events`() async throws {
    let zoned = try await Program.run(
      ["timeline", "--format", "ndjson", "--time-zone", "-05:00", "--events", "heart-rate,end", local.path]
    ).jsonLines()
    let plain = try await Program.run(["timeline", "--format", "ndjson", "--events", "heart-rate,end", local.path])
      .jsonLines()
    #expect(plain.last?["clock"]?.string == "local" && zoned.last?["clock"]?.string == "utc")
    #expect(plain.first?["time"]?.string == "2026-03-16T06:41:10.726305Z")
    #expect(zoned.first?["time"]?.string == "2026-03-16T11:41:10.726305Z")
  }

  /// Limits with a zone are compared with local times only once these can be read.
  @Test func `of limits`() async throws {
    func first(_ options: [String]) async throws -> String? {
      try await Program.run(["timeline", "--events", "heart-rate"] + options + [local.path]).lines.dropFirst().first
        .map { String($0.prefix(8)) }
    }
    #expect(try await first(["--from", "2026-03-16T06:41:20"]) == "06:41:20")
    #expect(try await first(["--from", "2026-03-16T06:41:20", "--time-zone", "+02:00"]) == "06:41:20")
    #expect(try await first(["--from", "2026-03-16T04:41:20Z", "--time-zone", "+02:00"]) == "06:41:20")
    #expect(try await first(["--from", "2026-03-16T06:41:20+02:00"]) == "06:41:20")
  }
}

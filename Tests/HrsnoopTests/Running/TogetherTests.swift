import Foundation
import TestSupport
import Testing

/// What captures that are given together tell of one another's devices: no order of them makes a difference, and what a
/// capture knows itself is not overruled.
@Suite struct `Captures given together` {
  /// A value of each second: a rate, an RR-Interval, contact.
  private static func notify(_ host: inout HostSide, on attribute: UInt16, seconds: Int = 40) {
    for second in 0..<seconds {
      host.notified(attribute: attribute, [0x16, UInt8(70 + [0, 1, 2, 1][second % 4])] + UInt16(840).little)
      host.wait(milliseconds: 980)
    }
  }

  /// The heart rate service is discovered, and nothing else happens.
  private static func discovery(peer: UInt8 = 1, measurement: UInt16 = 16) -> [UInt8] {
    var host = HostSide()
    host.connected(peer: peer)
    host.discoverHeartRate(first: measurement - 2)
    host.disconnected()
    return host.file()
  }

  /// The connections of captures, as they were given.
  private func connections(_ captures: [[UInt8]]) async throws -> [[JSON]] {
    try await TemporaryFolder.with { folder in
      let paths = try captures.enumerated().map { try folder.file("\($0.offset).log", $0.element) }
      let outcome = try await Program.run(["--format", "json"] + paths)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      return try #require(try outcome.json()["captures"]?.array).map { $0["connections"]?.array ?? [] }
    }
  }

  private func count(_ connection: JSON?) -> Int? { connection?["heart_rate"]?["summary"]?["measurements"]?.int }

  /// As a bug report's text and the file beside it: who counts is told.
  @Test func `that hold the same measurements`() async throws {
    var (host, other) = (HostSide(), HostSide())
    other.wait(milliseconds: 7)
    Self.notify(&host, on: 16, seconds: 20)
    Self.notify(&other, on: 16, seconds: 20)
    let sentence = "hold the same measurements, and each counts them."
    for (captures, words) in [
      ([host.file(), host.file(.pcapH4)], "Both \(sentence)"), ([host.file(), other.file()], nil),
      ([other.file(), host.file(), host.file(.pcapH4)], "1.log and 2.log both \(sentence)"),
    ] as [([[UInt8]], String?)] {
      try await TemporaryFolder.with { folder in
        let paths = try captures.enumerated().map { try folder.file("\($0.offset).log", $0.element) }
        let lines = try await Program.run(paths).output.split(separator: "\n").filter {
          $0.contains("the same measurements")
        }
        #expect(lines.map(String.init) == [words].compactMap(\.self))
      }
    }
  }

  /// Three are named, the others counted.
  @Test(arguments: [(4, nil), (5, "So it is with another one."), (6, "So it is with 2 others.")] as [(Int, String?)])
  func `that hold the same measurements, many`(count: Int, words: String?) async throws {
    var host = HostSide()
    Self.notify(&host, on: 16, seconds: 20)
    try await TemporaryFolder.with { folder in
      let paths = try (0..<count).map { try folder.file("\($0).log", host.file()) }
      let lines = try await Program.run(paths).lines
      #expect(lines.first { $0.hasPrefix("So it is") } == words)
    }
  }

  /// A timeline is told as it comes: what a later capture tells of an earlier one comes too late, and that is said.
  @Test(arguments: [false, true], [[], ["--quiet"]])
  func `in a timeline, the one that tells first`(isReversed: Bool, options: [String]) async throws {
    var host = HostSide()
    host.connected()
    for second in 0..<10 {
      host.notified([0x00, UInt8(70 + second % 3)])
      host.wait(milliseconds: 980)
    }
    let captures = isReversed ? [host.file(), Self.discovery()] : [Self.discovery(), host.file()]
    try await TemporaryFolder.with { folder in
      let paths = try captures.enumerated().map { try folder.file("\($0.offset).log", $0.element) }
      let outcome = try await Program.run(
        ["timeline", "--format", "ndjson", "--events", "heart-rate"] + options + paths)
      #expect(try outcome.jsonLines().count == (isReversed ? 0 : 10))
      let sentence = "hrsnoop: \(paths[0]): \(paths[1]) explains more of it: give that first"
      #expect(outcome.errorLines.contains(sentence) == (isReversed && options.isEmpty))
      if !isReversed { #expect(outcome.errors.isEmpty) }
    }
  }

  /// Where only their names are there to go by, those of a series come in the order of time.
  @Test(arguments: [false, true]) func `in a timeline, as they were rotated`(isArchive: Bool) async throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    var files: [(name: String, octets: [UInt8])] = []
    for number in (0..<12).reversed() {
      host.notified(attribute: 16, [0, UInt8(70 + number)])
      files.append((number == 0 ? "hci.log" : "hci.log.\(number)", host.file()))
      let time = host.time
      host = HostSide()
      host.time = time
      host.wait(milliseconds: 1000)
    }
    try await TemporaryFolder.with { folder in
      var archive = ArchiveBuilder()
      for file in files.sorted(by: { $0.name < $1.name }) {
        archive.add(file.name, file.octets)
        try folder.file("d/\(file.name)", file.octets)
      }
      let path = isArchive ? try folder.file("logs.zip", archive.octets) : folder.appending(path: "d").path
      let outcome = try await Program.run(["timeline", "--format", "ndjson", "--events", "heart-rate", path])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(try outcome.jsonLines().compactMap { $0["bpm"]?.int } == Array((70..<82).reversed()))
    }
  }

  /// A sensor that is switched on by handle and keeps silent: just there another capture's table is needed.
  @Test(arguments: [false, true])
  func `tell what was asked of a silent sensor`(isReversed: Bool) async throws {
    var host = HostSide()
    host.connected()
    host.write(attribute: 17, [1, 0])
    host.sent([0x0A, 0x13, 0x00])
    host.received([0x0B, 0x01])
    host.wait(milliseconds: 60_000)
    host.disconnected()
    let captures = [host.file(), Self.discovery()]
    let found = try await connections(isReversed ? captures.reversed() : captures)
    let silent = try #require(found[isReversed ? 1 : 0].first)
    #expect(count(silent) == 0 && silent["heart_rate"]?["cccd_handle"]?.int == 17)
    #expect(silent["heart_rate"]?["location"]?["name"]?.string == "Chest")
    #expect(silent["diagnosis"]?.string?.contains("switched on") == true)
  }

  /// The sensor's first connection has the table that its second one tells. On its third it has another, by which what
  /// notified first would be something else. That another capture helps with another sensor changes nothing.
  @Test(arguments: [false, true])
  func `leave a sensor to the capture that knows it`(isReversed: Bool) async throws {
    var host = HostSide()
    host.connected()
    host.write(attribute: 17, [1, 0])
    Self.notify(&host, on: 16)
    host.disconnected()
    for first in [14, 13] as [UInt16] {
      host.connected()
      host.discoverHeartRate(first: first)
      host.write(attribute: first + 3, [1, 0])
      Self.notify(&host, on: first + 2)
      host.disconnected()
    }
    host.connected(peer: 2)
    host.write(attribute: 33, [1, 0])
    Self.notify(&host, on: 32)
    let captures = [host.file(), Self.discovery(peer: 2, measurement: 32)]
    let found = try await connections(isReversed ? captures.reversed() : captures)
    #expect(found[isReversed ? 1 : 0].map(count) == [40, 40, 40, 40])
  }

  /// Forty values that can be nothing but heart rates are none by the table of another firmware: that came later.
  @Test(arguments: [[0, 1], [0, 1, 2], [0, 2, 1]])
  func `do not deny what values prove`(order: [Int]) async throws {
    var host = HostSide()
    host.connected()
    host.write(attribute: 17, [1, 0])
    Self.notify(&host, on: 16)
    let captures = [host.file(), Self.discovery(measurement: 14), Self.discovery(measurement: 16)]
    let found = try await connections(order.map { captures[$0] })
    #expect(count(found[0].first) == 40)
  }

  /// A sensor's own log in five files, one of them shorter than a second. Its phone is known from the first one only, and
  /// what that has discovered from the second.
  @Test(arguments: [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1, 0, 4, 3, 2]])
  func `go on in each other in any order`(order: [Int]) async throws {
    var files: [[UInt8]] = []
    var host = HostSide()
    host.connected(isPeripheral: true)
    for number in 0..<5 {
      if number == 1 { host.showHeartRate() }
      for second in 0..<(number == 3 ? 1 : 3) as Range<UInt8> {
        host.sent([0x1B, 16, 0, 0, 70 + second])
        host.wait(milliseconds: number == 3 ? 100 : 1000)
      }
      files.append(host.file())
      var next = HostSide()
      next.time = host.time
      host = next
    }
    let found = try await connections(order.map { files[$0] })
    #expect(order.indices.map { count(found[$0].first) ?? 0 } == order.map { [0, 3, 3, 1, 3][$0] })
  }

  /// A logger's files in one archive, the newest first: whom the connection is with stands in the last of them.
  @Test(arguments: [ArchiveBuilder.Format.zip, .tar])
  func `go on in each other, in an archive of many`(format: ArchiveBuilder.Format) async throws {
    // Of what must be unpacked to be passed over, a few are read again.
    let count = format == .zip ? 24 : 8
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    var files: [[UInt8]] = []
    for number in 0..<count {
      for second in 0..<3 as Range<UInt8> {
        host.notified(attribute: 16, [0, 70 + second + UInt8(number)])
        host.wait(milliseconds: 1000)
      }
      files.append(host.file())
      let time = host.time
      host = HostSide()
      host.time = time
    }
    var archive = ArchiveBuilder(format)
    for number in files.indices.reversed() { archive.add("hci.log.\(count - number)", files[number]) }
    try await TemporaryFolder.with { folder in
      let path = try folder.file("logs", archive.octets)
      let outcome = try await Program.run(["--format", "json", path])
      let captures = try #require(try outcome.json()["captures"]?.array)
      #expect(captures.count == count && outcome.errors.isEmpty)
      for capture in captures {
        let connection = capture["connections"]?.array?.first
        #expect(self.count(connection) == 3 && connection?["peer"]?["address"]?.string == "C5:44:33:22:11:01")
      }
    }
  }

  /// A log, and the same taken again later: its first half has been dropped by then. Neither of another phone's.
  @Test(arguments: [[0, 1], [1, 0]], [true, false])
  func `know with whom a connection is where they hold the same records`(order: [Int], isSame: Bool) async throws {
    func log(peer: UInt8, later: Int64) -> [CapturedPacket] {
      var host = HostSide()
      host.time += later
      host.connected(peer: peer)
      host.discoverHeartRate()
      host.notifyRates(60)
      return host.packets
    }
    let first = log(peer: 1, later: 0)
    let second = isSame ? first : log(peer: 2, later: 1)
    let files = [first.dropLast(9), second.dropFirst(30)].map { Container.btsnoopH4.file(Array($0)) }
    let found = try await connections(order.map { files[$0] })
    let peer = try #require(found[order[1]].first)["peer"]?["address"]?.string
    #expect(peer == (isSame ? "C5:44:33:22:11:01" : nil))
    #expect(order[1] == 0 || count(found[1].first) == (isSame ? second.dropFirst(30).count : nil))
    #expect(found[order[0]].first?["peer"]?["address"]?.string == "C5:44:33:22:11:01")
  }

  /// Two octets without a flag are all that the sensor sends: what they are is sure only where it advertised before. It says
  /// nothing of another device's values, nor of what cannot be heart rates.
  @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0]])
  func `tell what values are that may be anything`(order: [Int]) async throws {
    func capture(peer: UInt8, advertises: Bool = false, _ values: (UInt8) -> [UInt8]) -> [UInt8] {
      var host = HostSide()
      let (address, report) = (HostSide.address(peer), hex("03 03 0d 18"))
      if advertises { host.leEvent(0x02, [1, 0, 1] + address + [UInt8(report.count)] + report + [0xC8]) }
      host.connected(peer: peer)
      host.write(attribute: 17, [1, 0])
      for second in 0..<24 as Range<UInt8> {
        host.notified(attribute: 16, values(second))
        host.wait(milliseconds: 980)
      }
      host.disconnected()
      return host.file()
    }
    func rate(_ second: UInt8) -> [UInt8] { [0, 70 + [0, 1, 2, 1][Int(second) % 4]] }
    let captures = [
      capture(peer: 1, advertises: true, rate), capture(peer: 1, rate), capture(peer: 2, rate),
      capture(peer: 1) { [$0 % 2 == 0 ? 0 : 0xE0, 70] },
    ]
    let found = try await connections(order.map { captures[$0] })
    #expect(order.indices.map { count(found[$0].first) } == order.map { [24, 24, nil, nil][$0] })
    let helped = try #require(order.firstIndex(of: 1).flatMap { found[$0].first?["heart_rate"] })
    #expect(helped["evidence"]?.array?.last?.string == "in another capture the same device's values tell more")
    #expect(helped["confidence"]?.number ?? 0 >= 0.9)
  }

  /// Each of many is read again, one at a time, with what it needs.
  @Test func `may be many`() async throws {
    let silent = (1...60 as ClosedRange<UInt8>).map { peer in
      var host = HostSide()
      host.connected(peer: peer)
      host.write(attribute: 17, [1, 0])
      Self.notify(&host, on: 16, seconds: 3)
      return host.file()
    }
    let found = try await connections(silent + (1...60 as ClosedRange<UInt8>).map { Self.discovery(peer: $0) })
    #expect(found.prefix(60).allSatisfy { count($0.first) == 3 })
  }
}

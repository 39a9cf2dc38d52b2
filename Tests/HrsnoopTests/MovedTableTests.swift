import TestSupport
import Testing

/// A client that remembers a sensor's table does not discover it. Where the table that another connection tells has nothing
/// that notifies where heart rates came from, it is of another time, though nobody says so: whichever came first.
@Suite struct `A table that has moved` {
  /// Forty heart rates from attribute 16, switched on through 17, and no discovery.
  private static func measure(_ host: inout HostSide, seconds: Int = 40) {
    host.connected()
    host.write(attribute: 17, [1, 0])
    for second in 0..<seconds {
      host.notified(attribute: 16, [0x16, UInt8(70 + [0, 1, 2, 1][second % 4])] + UInt16(840).little)
      host.wait(milliseconds: 980)
    }
    host.disconnected()
    host.wait(milliseconds: 5000)
  }

  /// The table that begins elsewhere is discovered.
  /// - Parameter isWhole: Whether services are, to their end.
  private static func discover(_ host: inout HostSide, first: UInt16, isWhole: Bool = true) {
    host.connected()
    host.discoverHeartRate(first: first)
    if isWhole {
      host.sent([0x10] + (first + 6).little + hex("ff ff 00 28"))
      host.received([0x01, 0x10] + (first + 6).little + [0x0A])
    }
    host.disconnected()
    host.wait(milliseconds: 5000)
  }

  private func json(of captures: [[UInt8]], _ options: [String] = []) async throws -> JSON {
    try await TemporaryFolder.with { folder in
      let paths = try captures.enumerated().map { try folder.file("\($0.offset).log", $0.element) }
      let outcome = try await Program.run(["--format", "json"] + options + paths)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      return try outcome.json()
    }
  }

  /// How many measurements each connection has, and what is unusual.
  private func told(in report: JSON) -> (counts: [Int], rules: [String]) {
    let captures = report["captures"]?.array ?? []
    let connections = captures.flatMap { $0["connections"]?.array ?? [] }
    let findings = captures.flatMap { $0["findings"]?.array ?? [] }
    return (
      connections.map { $0["heart_rate"]?["measurements"]?.array?.count ?? 0 }.filter { $0 > 0 },
      findings.compactMap { $0["rule"]?.string }.filter { ["cccd-invalid", "never-subscribed"].contains($0) }
    )
  }

  /// Where another table is told.
  enum Place: CaseIterable { case before, behind, beforeInPart, behindInPart, otherCapture, map }

  /// Of the other table, 16 is the declaration of the service, of the measurement, or of the location; the configuration; the
  /// location; or it lies before the service, or behind it, where a discovery that is not whole has not looked.
  @Test(arguments: [16, 15, 12, 13, 11, 40, 4] as [UInt16], Place.allCases)
  func `hides no heart rates`(first: UInt16, place: Place) async throws {
    var host = HostSide()
    if [.before, .beforeInPart].contains(place) {
      Self.discover(&host, first: first, isWhole: place == .before)
    }
    Self.measure(&host)
    if [.behind, .behindInPart].contains(place) {
      Self.discover(&host, first: first, isWhole: place == .behind)
    }
    var other = HostSide()
    Self.discover(&other, first: first)
    switch place {
    case .otherCapture:
      for captures in [[host.file(), other.file()], [other.file(), host.file()]] {
        let found = told(in: try await json(of: captures))
        #expect(found.counts == [40] && found.rules.isEmpty, "\(found)")
      }
    case .map:
      let (capture, table) = (host.file(), other.file())
      let report = try await TemporaryFolder.with { folder in
        let map = try await Program.run(["gatt", "--format", "json", try folder.file("other.log", table)])
        return try await json(of: [capture], ["--gatt-map", try folder.file("map.json", Array(map.octets))])
      }
      let found = told(in: report)
      #expect(found.counts == [40] && found.rules.isEmpty, "\(found)")
    case .before, .behind, .beforeInPart, .behindInPart:
      let found = told(in: try await json(of: [host.file()]))
      #expect(found.counts == [40], "\(found)")
      // Nobody has subscribed where there was nothing but discovery.
      #expect(!found.rules.contains("cccd-invalid"), "\(found)")
    }
  }

  /// Of the other table, the measurement itself was not told: its values show it.
  @Test func `hides none where its own measurement was not told`() async throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0d 00 12 00 0d 18"))
    host.sent(hex("04 10 00 10 00"))
    host.received(hex("05 01 10 00 02 29"))
    host.write(attribute: 16, [1, 0])
    for second in 0..<40 {
      host.notified(attribute: 15, [0x16, UInt8(70 + [0, 1, 2, 1][second % 4])] + UInt16(840).little)
      host.wait(milliseconds: 980)
    }
    host.disconnected()
    host.wait(milliseconds: 5000)
    Self.measure(&host)
    #expect(told(in: try await json(of: [host.file()])).counts == [40, 40])
  }

  /// A connection too short to show it follows a long one.
  @Test(arguments: [false, true]) func `hides none of a short connection`(isFirst: Bool) async throws {
    var host = HostSide()
    if isFirst { Self.discover(&host, first: 13) }
    Self.measure(&host)
    Self.measure(&host, seconds: 2)
    if !isFirst { Self.discover(&host, first: 13) }
    #expect(told(in: try await json(of: [host.file()])).counts == [40, 2])
  }

  /// A value or two may be damaged, and where a table's own measurement sends, it is the right one.
  @Test(arguments: [1, 2]) func `is none for a value that is out of place`(count: Int) async throws {
    for comesToo in [false, true] {
      var host = HostSide()
      host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + hex("04 03 03 0d 18 c8"))
      Self.discover(&host, first: 13)
      host.connected()
      host.write(attribute: 16, [1, 0])
      for second in 0..<(comesToo ? 40 : 0) {
        host.notified(attribute: 15, [0x16, UInt8(70 + second % 2)] + UInt16(840).little)
        host.wait(milliseconds: 980)
      }
      for _ in 0..<(comesToo ? 4 : count) {
        host.notified(attribute: 16, [0x16, 70] + UInt16(870).little)
        host.wait(milliseconds: 980)
      }
      let report = try await json(of: [host.file()])
      #expect(told(in: report).counts == (comesToo ? [40] : []))
      let last = report["captures"]?.array?.first?["connections"]?.array?.last
      #expect(last?["heart_rate"]?["provenance"] == .string("earlier-connection"))
    }
  }

  /// What lies in the service, and was not looked at, may be a vendor's: the measurement is where it was told, and it is said
  /// why the values are none.
  @Test func `denies with a reason`() async throws {
    var host = HostSide()
    Self.measure(&host)
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 04 00 20 00 0d 18"))
    host.sent(hex("08 04 00 06 00 03 28"))
    host.received(hex("09 07 05 00 10 06 00 37 2a"))
    host.disconnected()
    let text = try await TemporaryFolder.with { folder in
      try await Program.run([try folder.file("a.log", host.file())]).output
    }
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("0x0010: over 99.9 % sure by its values, but its table denies it"), "\(text)")
    #expect(words.contains("what was discovered has the measurement at 0x0006"), "\(text)")
    #expect(!words.contains("too little to be called so"), "\(text)")
  }

  /// What the sensor tells on the connection itself, behind its heart rates, is known from there on.
  @Test func `gives way to what is discovered then`() async throws {
    var host = HostSide()
    Self.discover(&host, first: 13)
    Self.measure(&host)
    host.connected()
    host.discoverHeartRate(first: 24)
    host.disconnected()
    host.wait(milliseconds: 5000)
    host.connected()
    host.notified(attribute: 26, [0x16, 70] + UInt16(870).little)
    #expect(told(in: try await json(of: [host.file()])).counts == [40, 1])
  }

  /// Where it cannot be read again, from where it is sure.
  @Test func `is none from where that is sure, through a pipe`() async throws {
    var host = HostSide()
    Self.discover(&host, first: 13)
    Self.measure(&host)
    let lines = try await TemporaryFolder.with { folder in
      try await Program.shell(
        "cat \"$1\" | \"$0\" timeline --format ndjson --events heart-rate -", [try folder.file("a.log", host.file())]
      ).jsonLines()
    }
    #expect(lines.count == 32)
  }
}

import Foundation
import TestSupport
import Testing

/// Sensors that are clients of the phone's server as well, or change their own: what is compared is the sensor's.
@Suite struct `Comparing servers` {
  /// A healthy session, in the middle of which something more is said.
  private func session(_ more: (inout HostSide) -> Void = { _ in }) -> [UInt8] {
    var host = HostSide()
    host.subscribe()
    for place in 0..<12 {
      host.notified([0x00, 70])
      host.wait(milliseconds: 1000)
      if place == 6 { more(&host) }
    }
    host.disconnected()
    return host.file()
  }

  /// The values of the aspects that a capture and a plain one do not have in common.
  private func differences(_ octets: [UInt8]) async throws -> [String: [String]] {
    try await TemporaryFolder.with { folder in
      let paths = [try folder.file("plain", session()), try folder.file("other", octets)]
      let aspects = try await Program.run(["diff", "--format", "json"] + paths).json()["aspects"]?
        .array
      let values = try #require(aspects).compactMap { aspect -> (String, [String])? in
        let values = aspect["values"]?.array?.compactMap(\.string) ?? []
        return aspect["aspect"]?.string.map { ($0, values) }
      }
      return Dictionary(uniqueKeysWithValues: values).filter { Set($0.value).count > 1 }
    }
  }

  @Test func `what a sensor asks of the phone is not its own`() async throws {
    let octets = session { host in
      host.received(hex("10 01 00 ff ff 00 28"))
      host.sent(hex("11 06 1e 00 20 00 0a 18 28 00 2b 00 0f 18"))
      host.received(hex("08 1e 00 20 00 03 28"))
      host.sent(hex("09 07 1f 00 02 20 00 29 2a"))
      host.received(hex("08 28 00 2b 00 03 28"))
      host.sent(hex("09 07 29 00 12 2a 00 19 2a"))
      host.received(hex("04 2b 00 2b 00"))
      host.sent(hex("05 01 2b 00 02 29"))
      // "Phone", and how full its battery is.
      host.received(hex("0a 20 00"))
      host.sent(hex("0b 50 68 6f 6e 65"))
      host.received(hex("12 2b 00 01 00"))
      host.sent(hex("13"))
    }
    #expect(try await differences(octets) == [:])
  }

  @Test func `what is found anew since the table has changed took no longer to find`() async throws {
    let octets = session { host in
      // Service Changed at 4, indicated, and a service that is new.
      host.received(hex("1d 04 00 14 00 ff ff"))
      host.sent(hex("1e"))
      host.sent(hex("10 14 00 ff ff 00 28"))
      host.received(hex("11 06 14 00 17 00 0f 18"))
    }
    let found = try await differences(octets)
    #expect(found["discovery"] == nil, "\(found)")
  }

  /// The first of two files holds what the sensor says of itself; in the second it is only connected to.
  @Test func `what one file of a side tells holds for the others`() async throws {
    var first = HostSide()
    first.connected()
    first.discoverHeartRate()
    first.sent(hex("0a 13 00"))
    first.received(hex("0b 02"))
    first.sent(hex("08 01 00 ff ff 00 2a"))
    first.received(hex("09 06 03 00 42 65 6c 74"))
    first.disconnected()
    first.wait(milliseconds: 60_000)
    var second = HostSide()
    second.time = first.time
    second.connected()
    for _ in 0..<12 {
      second.notified([0x00, 70])
      second.wait(milliseconds: 1000)
    }
    try await TemporaryFolder.with { folder in
      let paths = [try folder.file("1.log", first.file()), try folder.file("2.log", second.file())]
      let group = "two=" + paths.joined(separator: ",")
      let json = try await Program.run(["diff", "--format", "json", "--group", group, folder.path])
        .json()
      let aspects = json["aspects"]?.array ?? []
      let location = try #require(aspects.first { $0["aspect"]?.string == "location" })
      #expect(location["values"]?.array?.map(\.string) == ["Wrist", "Wrist"])
      #expect(json["sides"]?.array?.map { $0["peer"]?["name"]?.string } == ["Belt", "Belt"])
      #expect(json["sides"]?.array?.last?["title"]?.string == "Belt")
    }
  }

  /// Of files that were rotated, the names need not tell the order of time.
  @Test func `files of a side may lie in any order`() async throws {
    var host = HostSide()
    host.subscribe()
    for place in 0..<60 {
      host.notified([0x10, UInt8(70 + place % 3)] + UInt16(850 + UInt16(place * 7 % 40)).little)
      host.wait(milliseconds: 980)
    }
    host.disconnected()
    let packets = host.packets
    let pieces = [packets[..<30], packets[30..<50], packets[50...]].map {
      Container.btsnoopH4.file(Array($0))
    }
    try await TemporaryFolder.with { folder in
      let whole = try folder.file("whole.log", Container.btsnoopH4.file(packets))
      for (name, piece) in zip(["c", "a", "b"], pieces) {
        try folder.file("pieces/\(name).log", piece)
      }
      let outcome = try await Program.run([
        "diff", "--format", "json", whole, "\(folder.path)/pieces",
      ])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let shared = try #require(outcome.json()["shared_connections"]?.array)
      #expect(shared.compactMap { $0["matched"]?.int }.reduce(0, +) == 60)
      #expect(try outcome.json()["sides"]?.array?.last?["connections"]?.array?.count == 3)
    }
  }

  /// Between two connections, a firmware was put into the sensor that has all attributes elsewhere, and one more.
  @Test func `a table that changes is not the first one alone`() async throws {
    let octets = session { host in
      host.disconnected()
      host.wait(milliseconds: 60_000)
      host.connected()
      host.discoverHeartRate(first: 20, hasControlPoint: true)
    }
    let found = try await differences(octets)
    #expect(
      found["handles"]?.last?.contains("Heart Rate Measurement: 0x0010 / 0x0016") == true,
      "\(found)")
    #expect(found["characteristics"]?.last?.contains("Heart Rate Control Point") == true)
    #expect(found["properties"] == nil)
  }

  /// One host looks for all services and into two of them, another for one and into that: what it did not look for is
  /// not missing. And what is cut away of a discovery may be anything.
  @Test func `what a host did not look for is not missing`() async throws {
    func session(_ discover: (inout HostSide) -> Void) -> HostSide {
      var host = HostSide()
      host.connected()
      discover(&host)
      host.sent(hex("08 0e 00 13 00 03 28"))
      host.received(hex("09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a"))
      host.write(attribute: 17, [1, 0])
      for _ in 0..<12 {
        host.notified([0x00, 70])
        host.wait(milliseconds: 1000)
      }
      host.disconnected()
      return host
    }
    let all = session { host in
      host.sent(hex("10 01 00 ff ff 00 28"))
      host.received(hex("11 06 01 00 05 00 00 18 0e 00 13 00 0d 18 14 00 17 00 0f 18"))
      host.sent(hex("08 14 00 17 00 03 28"))
      host.received(hex("09 07 15 00 12 16 00 19 2a"))
    }
    let one = session { host in
      host.sent(hex("06 01 00 ff ff 00 28 0d 18"))
      host.received(hex("07 0e 00 13 00"))
    }
    let none = session { host in
      host.sent(hex("10 01 00 ff ff 00 28"))
      host.received(hex("11 06 01 00 05 00 00 18 0e 00 13 00 0d 18"))
    }
    var cut = all
    cut.keepOnly(13)
    try await TemporaryFolder.with { folder in
      let whole = try folder.file("all", all.file())
      for (name, host) in ["one": one, "cut": cut] {
        let paths = [whole, try folder.file(name, host.file())]
        #expect(
          try await Program.run(["diff", "--fail-on-difference"] + paths).status == 0, "\(name)")
      }
      let paths = [whole, try folder.file("none", none.file()), try folder.file("one", one.file())]
      let aspects =
        try await Program.run(["diff", "--format", "json"] + paths).json()["aspects"]?.array ?? []
      let services = try #require(aspects.first { $0["aspect"]?.string == "services" })
      let battery = try #require(
        services["parts"]?.array?.first { $0["part"]?.string == "Battery Service" })
      #expect(battery["values"]?.array?.map(\.string) == ["yes", nil, "not told"])
    }
  }

  /// A session with two subscriptions or more, of which a log keeps so many octets of each packet.
  private func subscriptions(
    through handles: [UInt16], battery first: UInt16 = 20, kept: Int? = nil
  ) -> [UInt8] {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("10 14 00 ff ff 00 28"))
    host.received([0x11, 0x06] + first.little + (first + 3).little + hex("0f 18"))
    host.sent([0x08] + first.little + (first + 3).little + hex("03 28"))
    host.received([0x09, 0x07] + (first + 1).little + [0x12] + (first + 2).little + hex("19 2a"))
    for handle in [first + 3] + handles {
      host.sent([0x04] + handle.little + handle.little)
      host.received([0x05, 0x01] + handle.little + hex("02 29"))
    }
    for handle in handles { host.write(attribute: handle, [1, 0]) }
    for place in 0..<40 {
      host.notified([0x16, UInt8(70 + place % 3)] + UInt16(870 - UInt16(place % 3) * 12).little)
      host.wait(milliseconds: 980)
    }
    host.disconnected()
    if let kept { host.keepOnly(kept) }
    return host.file()
  }

  /// What was subscribed to through a handle is what another log tells of it; where none does, it may be any that is told.
  @Test(
    arguments: [
      ([17, 23], 20, 14, []), ([17, 23], 20, 13, []),
      ([17], 20, 14, ["Battery Level: notify, nothing"]),
      ([17], 20, 13, []), ([17, 33], 30, 14, []),
      ([17, 23, 30], 20, 14, ["characteristic at 0x001e: nothing, notify"]),
    ] as [([UInt16], UInt16, Int, [String])])
  func `a subscription to what a log does not name`(
    handles: [UInt16], battery: UInt16, kept: Int, parts: [String]
  ) async throws {
    try await TemporaryFolder.with { folder in
      let whole = try folder.file("whole", subscriptions(through: [17, 23]))
      let cut = try folder.file(
        "cut", subscriptions(through: handles, battery: battery, kept: kept))
      let aspects =
        try await Program.run(["diff", "--format", "json", whole, cut]).json()["aspects"]?.array
        ?? []
      let found = try #require(aspects.first { $0["aspect"]?.string == "subscription" })
      let told = found["parts"]?.array?.map { part in
        let values = part["values"]?.array?.map { $0.string ?? "nothing" } ?? []
        return "\(part["part"]?.string ?? ""): \(values.joined(separator: ", "))"
      }
      #expect((told ?? []) == parts, "\(found)")
    }
  }
}

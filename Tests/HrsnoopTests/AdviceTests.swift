import Foundation
import Testing
import TestSupport

/// What is said to people whose log tells too little.
@Suite struct `Advice` {
  @Test func `for every system`() async throws {
    let outcome = try await Program.run(["explain", "capture"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    for word in [
      "Android", "iOS", "macOS", "Linux", "Windows", "HCI snoop log", "profiles-and-logs", "PacketLogger",
      "sudo btmon -w capture.btsnoop", "btetlparse",
    ] {
      #expect(outcome.output.contains(word), "\(word)")
    }
    #expect(outcome.lines.allSatisfy { $0.count <= 100 })
  }

  /// A log of events only, as it stands in each kind of file.
  @Test(arguments: [
    (Container.btsnoopH4, ["from Android:", "snoop log"]),
    (.packetLoggerLittle, ["from iOS or macOS:", "sysdiagnose"]),
    (.btsnoopMonitor, ["from Linux:", "btmon"]), (.pcapMonitor, ["from Linux:", "btmon"]),
    (.pcapDirection, ["explain capture"]),
  ])
  func `where there is no ACL data`(container: Container, words: [String]) async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      for _ in 0..<8 { host.event(0x0F, [0, 1, 0, 0]) }
      let outcome = try await Program.run([folder.file("events", host.file(container))])
      #expect(outcome.status == 0 && outcome.output.contains("no ACL data"))
      for word in words { #expect(outcome.output.contains(word), "\(outcome.output)") }
    }
  }

  /// What the log is of: attempts that reach nobody, a connection that ends over its key, or one that lasts.
  enum Course { case attempts, key, long }

  /// Who reaches nobody has no data to log; nor has a connection that is over before anything is said.
  @Test(arguments: [
    (Course.attempts, "", 0), (.key, "", 0), (.key, "13 01 40 00 01 00", 1), (.key, "08 00 40 00 01", 1),
    (.long, "", 1),
  ])
  func `not where there was nothing to log`(course: Course, event: String, count: Int) async throws {
    var host = HostSide()
    if course == .attempts {
      for _ in 0..<3 {
        host.command(0x200D, hex("60 00 30 00 00 01 01 11 22 33 44 c5 00 18 00 28 00 00 00 2a 00 00 00 00 00"))
        host.event(0x0F, hex("00 01 0d 20"))
        host.wait(milliseconds: 10_000)
        host.command(0x200E, [])
        host.event(0x0E, hex("01 0e 20 00"))
        host.leEvent(1, hex("02 00 00 00 01 01 11 22 33 44 c5 00 00 00 00 00 00 00"))
      }
    } else {
      host.connected(isPeripheral: true)
      host.leEvent(5, hex("40 00 00 00 00 00 00 00 00 00 00 00"))
      host.command(0x201B, hex("40 00"))
      if let code = hex(event).first { host.event(code, Array(hex(event).dropFirst())) }
      host.wait(milliseconds: course == .long ? 20_000 : 200)
      host.disconnected(reason: 0x05)
    }
    let octets = host.file()
    try await TemporaryFolder.with { folder in
      let outcome = try await Program.run([folder.file("log", octets)])
      #expect(outcome.output.ranges(of: "no ACL data").count == count, "\(outcome.output)")
    }
  }

  @Test func `where packets are cut, once`() async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.connected()
      host.discoverHeartRate()
      host.keptACLOctets = 14
      host.notified([0x16, 60, 0x50, 0x03])
      let path = try folder.file("cut", host.file())
      let outcome = try await Program.run([path, path])
      #expect(outcome.output.ranges(of: "To get a full log from Android:").count == 1)
      #expect(outcome.output.ranges(of: "Android's default").count == 2)
      let json = try await Program.run(["--format", "json", path])
      #expect(!json.output.contains("developer options"))
    }
  }

  /// Of several captures it is said which are meant: the advice stands behind the last one.
  @Test func `for captures with names`() async throws {
    func told(_ names: [String], of files: [String: [UInt8]]) async throws -> [String] {
      try await TemporaryFolder.with { folder in
        for (name, octets) in files { try folder.file(name, octets) }
        let outcome = try await Program.run(names, in: folder, environment: ["COLUMNS": "200"])
        return outcome.lines
      }
    }
    var full = HostSide()
    full.connected()
    full.discoverHeartRate()
    full.notified([0x06, 60])
    var events = HostSide()
    for _ in 0..<8 { events.event(0x0F, [0, 1, 0, 0]) }
    let empty = Array(full.file().prefix(16))
    let files = ["full": full.file(), "a": empty, "b": empty, "c": empty, "d": empty, "e": empty, "f": events.file()]
    let android = "To get a full log from Android:"
    #expect(try await told(["a"], of: files).contains("There is nothing in this capture. \(android)"))
    #expect(try await told(["a", "full"], of: files).contains("There is nothing in a. \(android)"))
    #expect(try await told(["a", "full", "b"], of: files).contains("There is nothing in a and b. \(android)"))
    let most = try await told(["a", "b", "full", "c", "d", "e", "f"], of: files)
    #expect(most.contains("There is nothing in a, b, c and 2 more. \(android)"))
    let data = "f holds no ACL data, in which heart rates would be."
    #expect(most.contains("\(data) How to get a full log: hrsnoop explain capture"))
  }

  /// A log of a scan lacks nothing: there was no sensor.
  @Test func `where nothing was heard`() async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.command(0x200C, [1, 0])
      host.event(0x3E, hex("02 01 00 01 01 11 22 33 44 c5 04 03 03 0f 18 c0"))
      let outcome = try await Program.run(
        [try folder.file("scan", host.file())], in: folder, environment: ["COLUMNS": "200"])
      #expect(outcome.output.contains("The host scanned, and nothing that it heard advertises Heart Rate."))
      #expect(!outcome.output.contains("no ACL data"))
    }
  }

  /// A connection from before the capture may have been a sensor's.
  @Test func `where the beginning is missing`() async throws {
    try await TemporaryFolder.with { folder in
      var host = HostSide()
      host.connected()
      host.received([0x1B, 0x10, 0x00, 0x42])
      let open = try folder.file("open", host.file())
      var late = HostSide()
      late.received([0x1B, 0x10, 0x00, 0x42])
      for name in ["one", "two"] { try folder.file(name, late.file()) }
      func told(_ paths: [String]) async throws -> String? {
        let outcome = try await Program.run(paths, in: folder, environment: ["COLUMNS": "300"])
        #expect(outcome.output.ranges(of: "No heart rate was found").count <= 1)
        return outcome.lines.first { $0.hasPrefix("No heart rate was found") }
      }
      #expect(try await told([open]) == nil)
      let one = try #require(try await told(["one"]))
      #expect(one.hasPrefix("No heart rate was found: "))
      #expect(one.contains("One connection was made before the capture begins"))
      let two = try #require(try await told(["one", "open", "two"]))
      #expect(two.hasPrefix("No heart rate was found in one and two: "))
      #expect(two.contains("2 connections were made before the captures begin"))
    }
  }

  /// A bug report may hold a full log beside one that is cut.
  @Test(arguments: [0, 3_600_000] as [Int64])
  func `not where another log of the same time is full`(later: Int64) async throws {
    try await TemporaryFolder.with { folder in
      func log(keeping octets: Int?, after pause: Int64 = 0) -> [UInt8] {
        var host = HostSide()
        host.wait(milliseconds: pause)
        host.keptACLOctets = octets
        host.connected()
        host.discoverHeartRate()
        host.notified([0x16, 60, 0x50, 0x03])
        return host.file()
      }
      let archive = ArchiveBuilder.zip(["full.log": log(keeping: nil), "cut.log": log(keeping: 14, after: later)])
      let outcome = try await Program.run([folder.file("bugreport.zip", archive)])
      #expect(outcome.output.contains("Android's default"))
      #expect(outcome.output.contains("To get a full log") == (later > 0))
    }
  }

  @Test(arguments: Sample.all) func `never where nothing is lacking`(sample: Sample) async throws {
    let outcome = try await Program.run([sample.path])
    #expect(!outcome.output.contains("full log") && !outcome.output.contains("explain capture"))
  }
}

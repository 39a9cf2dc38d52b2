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

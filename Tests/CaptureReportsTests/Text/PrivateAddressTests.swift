import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import CaptureReports
import GATTKit
import TestSupport
import Testing

/// A device whose address is private, and who it is.
@Suite struct `Private addresses` {
  @Test func `a report is headed by who it is`() throws {
    var host = HostSide()
    // Under 4A:33:22:11:00:01, a resolvable private address.
    host.leEvent(0x01, hex("00 40 00 00 01 01 00 11 22 33 4a 18 00 00 00 48 00 00"))
    host.l2cap(.received, channel: 6, [0x08] + Array(repeating: 0x5A, count: 16))
    host.l2cap(.received, channel: 6, hex("09 01 01 11 22 33 44 c5"))
    host.discoverHeartRate()
    host.notified([0x00, 60])
    let summary = try Reporting.summary("private", host.file())
    let text = Reporting.analysis([summary], width: 120)
    #expect(text.contains("Sensor without a name   C5:44:33:22:11:01 random static\n"))
    #expect(text.contains("handle 0x0040   under 4A:33:22:11:00:01\n"))
    let json = Reporting.analysis([summary], as: .json)
    #expect(json.contains(#""address": "4A:33:22:11:00:01""#) && json.contains(#""identity": "C5:44:33:22:11:01""#))
    #expect(json.contains(#""identity_type": "random""#))
  }

  /// It was connected under one private address, and advertises under another of the same key. With the key and the address
  /// of Core 6.0, Vol 3, Part H, D.7.
  @Test func `who advertises under another is no other sensor`() throws {
    var host = HostSide()
    host.leEvent(0x01, hex("00 40 00 00 01 01 00 11 22 33 4a 18 00 00 00 48 00 00"))
    host.l2cap(.received, channel: 6, hex("08 9b 7d 39 0a a6 10 10 34 05 ad c8 57 a3 34 02 ec"))
    host.l2cap(.received, channel: 6, hex("09 01 01 11 22 33 44 c5"))
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.disconnected(reason: 0x13)
    host.leEvent(0x02, hex("01 00 01 aa fb 0d 94 81 70 04 03 03 0d 18 c4"))
    let summary = try Reporting.summary("private", host.file())
    #expect(summary.summary?.advertisers.map { $0.identity?.description } == ["C5:44:33:22:11:01"])
    #expect(!Reporting.analysis([summary], width: 120).contains("were not connected"))
  }

  /// The controller knows the key, and the capture does not: it resolves the address as the connection is made. Core 6.0,
  /// Vol 4, Part E, 7.7.65.10.
  @Test func `who was connected under it advertised`() throws {
    var host = HostSide()
    host.leEvent(0x02, hex("01 00 01 aa fb 0d 94 81 70 04 03 03 0d 18 c4"))
    host.leEvent(
      0x0A, hex("00 40 00 00 03 01 11 22 33 44 c5 00 00 00 00 00 00 aa fb 0d 94 81 70 18 00 03 00 48 00 00"))
    host.discoverHeartRate()
    host.notified([0x00, 60])
    let summary = try Reporting.summary("private", host.file())
    let text = Reporting.analysis([summary], width: 120)
    #expect(!text.contains("were not connected"), "\(text)")
  }

  @Test func `the sensor's own log names the phone by who it is`() throws {
    var host = HostSide()
    // As peripheral.
    host.leEvent(0x01, hex("00 40 00 01 01 01 00 11 22 33 4a 18 00 00 00 48 00 00"))
    host.l2cap(.received, channel: 6, [0x08] + Array(repeating: 0x5A, count: 16))
    host.l2cap(.received, channel: 6, hex("09 01 01 11 22 33 44 c5"))
    host.received(hex("08 01 00 ff ff 03 28"))
    host.sent(hex("09 07 23 00 10 24 00 37 2a"))
    host.sent(hex("1b 24 00 00 61"))
    let text = Reporting.analysis([try Reporting.summary("own", host.file())], width: 160)
    #expect(text.contains("   peer C5:44:33:22:11:01 random static   under 4A:33:22:11:00:01\n"))
  }

  @Test func `a map is of who it is`() throws {
    var host = HostSide()
    host.leEvent(0x01, hex("00 40 00 00 01 01 00 11 22 33 4a 18 00 00 00 48 00 00"))
    host.l2cap(.received, channel: 6, [0x08] + Array(repeating: 0x5A, count: 16))
    host.l2cap(.received, channel: 6, hex("09 01 01 11 22 33 44 c5"))
    host.discoverHeartRate()
    let summary = try Reporting.summary("private", host.file())
    #expect(
      Reporting.databases([summary], width: 120).contains("C5:44:33:22:11:01 random static   under 4A:33:22:11:00:01"))
    let map = ContiguousArray(Reporting.databases([summary], as: .json).utf8)
    let databases = try GATTMap.databases(in: map, name: "map.json")
    #expect(databases.map { $0.address?.description } == ["C5:44:33:22:11:01", "4A:33:22:11:00:01"])
    #expect(databases.allSatisfy { $0.database.type(of: 16) == .heartRateMeasurement })
  }

  /// With the key and the address of Core 6.0, Vol 3, Part H, D.7.
  @Test(arguments: [Container.btsnoopMonitor, .pcapMonitor])
  func `a Linux host knows its friends`(container: Container) throws {
    // Of somebody else, and of none, and the sensor's: a random address, and its key.
    let others = hex("01 02 03 04 05 06 01") + Array(repeating: 0x77, count: 16)
    let none = hex("02 02 03 04 05 06 02") + Array(repeating: 0, count: 16)
    let friend = hex("01 11 22 33 44 c5 02 9b 7d 39 0a a6 10 10 34 05 ad c8 57 a3 34 02 ec")
    func text(_ opcode: UInt16) throws -> String {
      var host = HostSide()
      host.add(.managementCommand, .sent, hex("05 00 00 00") + opcode.little + hex("03 00") + others + none + friend)
      // Under 70:81:94:0D:FB:AA.
      host.leEvent(0x01, hex("00 40 00 00 01 aa fb 0d 94 81 70 18 00 00 00 48 00 00"))
      host.discoverHeartRate()
      host.notified([0x00, 60])
      return Reporting.analysis([try Reporting.summary("friends", host.file(container))], width: 120)
    }
    #expect(try text(0x0030).contains("C5:44:33:22:11:01 random static\n"))
    // Load Long Term Keys.
    #expect(try text(0x0013).contains("70:81:94:0D:FB:AA random resolvable private\n"))
  }

  @Test func `who has no other address is not told twice`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 60])
    let summary = try Reporting.summary("public", host.file())
    #expect(!Reporting.analysis([summary], width: 120).contains("under"))
    #expect(!Reporting.analysis([summary], as: .json).contains("identity"))
  }
}

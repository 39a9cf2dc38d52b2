import CaptureAnalysis
import CaptureFiles
import GATTKit
import Testing
import TestSupport

/// Two heart rate services on one server, each of another heart: what one sends is not what the other sent before.
@Suite struct `Rules and several heart rate services` {
  private func rules(_ host: HostSide) throws -> [String] {
    try host.rules().filter { $0 != "several-heart-rate-services" }
  }

  /// One tells contact and energy, the other neither; their rates lie far apart.
  @Test func `that take turns are not compared`() throws {
    var host = HostSide()
    host.subscribeToTwoServices()
    for second in 0..<40 {
      host.notified(attribute: 16, [0x0E, 60, UInt8(second), 1])
      host.wait(milliseconds: 480)
      host.notified(attribute: 42, [second % 7 == 0 ? 0x0C : 0x08, 140, UInt8(second), 0])
      host.wait(milliseconds: 520)
    }
    #expect(try rules(host) == ["energy-every-measurement"])
  }

  @Test func `have locations of their own`() throws {
    var host = HostSide()
    host.subscribeToTwoServices()
    host.readLocation(at: 19, 1)
    host.readLocation(at: 45, 2)
    for (handle, location, own) in [(UInt16(16), BodySensorLocation.chest, UInt16(19)), (42, .wrist, 45)] {
      var host = host
      host.notified(attribute: handle, [0, 60])
      let summary = try summary(of: host.file())
      #expect(!summary.findings.contains { $0.rule == "location-invalid" })
      let connection = try #require(summary.connections.first)
      let session = try #require(connection.heartRate)
      #expect(session.locationHandle == own && connection.location(of: session)?.location == location)
      #expect(connection.peer.location == .chest)
    }
  }

  /// The silent one may be the one that the app has taken, as long as it has not tried the other one.
  @Test(
    arguments: [
      ([43], "; that is the second of two Heart Rate services; that of the first (0x0011) was never switched on"),
      ([17], "; that is the first of two Heart Rate services; that of the second (0x002b) was never switched on"),
      ([43, 17], ""),
    ] as [([UInt16], String)])
  func `of which one is silent`(configurations: [UInt16], words: String) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.discoverHeartRate(first: 40)
    for configuration in configurations { host.write(attribute: configuration, [1, 0]) }
    host.wait(milliseconds: 30_000)
    host.disconnected(reason: 0x16)
    let handle = configurations[0] == 17 ? "0x0011" : "0x002b"
    let found = try host.findings(of: "subscription-without-notification")
    let start = "measurements were switched on through their configuration (\(handle)), and none came within 30 s"
    #expect(found.map(\.message) == [start + words])
  }

  /// Where the service that sends was not asked, another one's location is not its own.
  @Test func `of which one was asked for its location`() throws {
    var host = HostSide()
    host.subscribeToTwoServices()
    host.readLocation(at: 45, 2)
    host.notified([0, 60])
    let connection = try #require(try summary(of: host.file()).connections.first)
    let session = try #require(connection.heartRate)
    #expect(session.locationHandle == 19 && connection.location(of: session) == nil)
  }

  /// Of the second service nothing but the measurement is found.
  @Test func `of which one's location is not known`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.readLocation(at: 19, 1)
    host.sent(hex("10 14 00 ff ff 00 28"))
    host.received(hex("11 06 28 00 2d 00 0d 18"))
    host.sent(hex("08 28 00 2d 00 03 28"))
    host.received(hex("09 07 29 00 10 2a 00 37 2a"))
    host.notified(attribute: 42, [0, 60])
    let connection = try #require(try summary(of: host.file()).connections.first)
    let session = try #require(connection.heartRate)
    #expect(session.locationHandle == nil && connection.location(of: session) == nil)
  }

  @Test func `that are known by their characteristics alone`() throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a"))
    host.sent(hex("08 13 00 ff ff 03 28"))
    host.received(hex("09 07 29 00 10 2a 00 37 2a 2c 00 02 2d 00 38 2a"))
    host.readLocation(at: 45, 2)
    host.readLocation(at: 19, 1)
    host.notified(attribute: 42, [0, 60])
    let connection = try #require(try summary(of: host.file()).connections.first)
    let session = try #require(connection.heartRate)
    #expect(session.locationHandle == 45 && connection.location(of: session)?.location == .wrist)
  }

  /// A sensor whose table moves between two connections, and that is worn elsewhere on the second.
  @Test(arguments: [true, false]) func `at other handles than before`(isAskedAgain: Bool) throws {
    var host = HostSide()
    for (first, location) in [(UInt16(14), UInt8(1)), (20, 2)] {
      host.connected()
      host.discoverHeartRate(first: first)
      if first == 14 || isAskedAgain { host.readLocation(at: first + 5, location) }
      host.write(attribute: first + 3, [1, 0])
      host.notified(attribute: first + 2, [0, 60])
      host.disconnected()
    }
    let connection = try #require(try summary(of: host.file()).connections.last)
    let session = try #require(connection.heartRate)
    #expect(session.locationHandle == 25)
    #expect(connection.location(of: session)?.location == (isAskedAgain ? .wrist : .chest))
    #expect(connection.peer.location == (isAskedAgain ? .wrist : .chest))
  }

  /// Behind lost records, or a step of the clock, the one goes on that was looked at. The other sends every other beat.
  @Test(arguments: [true, false]) func `behind a loss are looked at as before`(isLeap: Bool) throws {
    var host = HostSide()
    host.subscribeToTwoServices()
    var behind = 0
    for second in 0..<58 {
      if second == 20, isLeap { host.wait(milliseconds: 7_200_000) }
      if second == 20 { behind = host.packets.count } else { host.notified([0x10, 60, UInt8(second % 9), 4]) }
      host.wait(milliseconds: 490)
      if second % 2 == 0 { host.notified(attribute: 42, [0x10, 60, UInt8(second % 7), 4]) }
      host.wait(milliseconds: second % 2 == 0 ? 490 : 500)
    }
    var octets = host.file()
    if !isLeap {
      for record in try ReadCapture(octets).records.dropFirst(behind) { octets[record.offset - 25 + 15] = 1 }
    }
    let found = try summary(of: octets).findings.map(\.rule)
    #expect(found.filter { $0 != "several-heart-rate-services" } == [isLeap ? "clock-jump" : "packets-dropped"])
  }

  /// The one that was looked at falls silent where records are lost.
  @Test func `of which one ends in a loss`() throws {
    var host = HostSide()
    host.subscribeToTwoServices()
    var behind = 0
    for second in 0..<40 {
      if second == 20 { behind = host.packets.count }
      if second < 20 { host.notified([0x08, 60, UInt8(second), 0]) }
      host.wait(milliseconds: 490)
      host.notified(attribute: 42, [0x08, 80, second == 35 ? 100 : 200, 0])
      host.wait(milliseconds: 490)
    }
    var octets = host.file()
    for record in try ReadCapture(octets).records.dropFirst(behind) { octets[record.offset - 25 + 15] = 1 }
    let found = try summary(of: octets).findings.map(\.rule)
    #expect(found.contains("energy-decreased"))
  }

  /// Where the one that was looked at falls silent, the other is; and its faults are found.
  @Test func `are looked at one after the other`() throws {
    var host = HostSide()
    host.subscribeToTwoServices()
    for (handle, energy) in [(UInt16(16), UInt8(200)), (42, 100)] {
      for second in 0..<20 {
        let isFault = handle == 42 && second == 15
        host.notified(attribute: handle, [0x08, 60, energy + UInt8(second) - (isFault ? 50 : 0), 0])
        host.wait(milliseconds: 1000)
      }
      host.wait(milliseconds: 5000)
    }
    #expect(try rules(host) == ["energy-every-measurement", "energy-decreased"])
  }
}

extension HostSide {
  fileprivate mutating func readLocation(at handle: UInt16, _ location: UInt8) {
    sent([0x0A] + handle.little)
    received([0x0B, location])
  }
}

import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// A heart rate service without a measurement: what has to be known before that may be said.
@Suite struct `Absent measurements` {
  private func messages(_ host: HostSide) throws -> [String] {
    try host.findings(of: "measurement-absent").map(\.message)
  }

  /// Connects, and discovers a heart rate service, 14 to 19, with a location only.
  private static func discover(_ host: inout HostSide) {
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0e 00 13 00 0d 18"))
    host.sent(hex("08 0e 00 13 00 03 28"))
    host.received(hex("09 07 0f 00 02 10 00 38 2a"))
    host.sent(hex("08 10 00 13 00 03 28"))
    host.received(hex("01 08 10 00 0a"))
  }

  @Test func `the service and its handles are told`() throws {
    var host = HostSide()
    Self.discover(&host)
    #expect(
      try messages(host) == [
        "the Heart Rate service (180D), 0x000e to 0x0013, has no Heart Rate Measurement (2A37)"
      ])
  }

  @Test func `of several, none has one`() throws {
    var host = HostSide()
    Self.discover(&host)
    host.sent(hex("10 14 00 ff ff 00 28"))
    host.received(hex("11 06 14 00 14 00 0d 18"))
    #expect(
      try messages(host) == [
        "none of the Heart Rate services (180D), 0x000e to 0x0013, 0x0014 to 0x0014, has a Heart Rate Measurement (2A37)"
      ])
  }

  /// What was looked through first is known for as long as what comes behind it.
  @Test func `of several that lie apart, none has one`() throws {
    var host = HostSide()
    Self.discover(&host)
    host.sent(hex("10 14 00 ff ff 00 28"))
    host.received(hex("11 06 20 00 25 00 0d 18"))
    host.sent(hex("08 20 00 25 00 03 28"))
    host.received(hex("01 08 20 00 0a"))
    #expect(
      try messages(host) == [
        "none of the Heart Rate services (180D), 0x000e to 0x0013, 0x0020 to 0x0025, has a Heart Rate Measurement (2A37)"
      ])
  }

  /// Where another service was looked through once, the one that is there now may hold anything.
  @Test(arguments: ["11 06 10 00 15 00 0d 18", "09 04 10 00 0d 18"])
  func `a service that has moved is not looked through where another one was`(services: String) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0e 00 13 00 0d 18 14 00 1a 00 0f 18"))
    host.sent(hex("08 0e 00 1a 00 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a 15 00 02 16 00 19 2a"))
    host.sent(hex("08 16 00 1a 00 03 28"))
    host.received(hex("01 08 16 00 0a"))
    host.disconnected()
    host.connected()
    let isGrouped = services.hasPrefix("11")
    host.sent(hex(isGrouped ? "10 01 00 ff ff 00 28" : "08 01 00 ff ff 00 28"))
    host.received(hex(services))
    host.sent(hex(isGrouped ? "10 16 00 ff ff 00 28" : "08 11 00 ff ff 00 28"))
    host.received(hex(isGrouped ? "01 10 16 00 0a" : "01 08 11 00 0a"))
    #expect(try messages(host).isEmpty)
    // Where it is looked through now, it is known again.
    host.sent(hex("08 10 00 ff ff 03 28"))
    host.received(hex("09 07 11 00 02 12 00 38 2a"))
    host.sent(hex("08 12 00 ff ff 03 28"))
    host.received(hex("01 08 12 00 0a"))
    #expect(try messages(host).count == 1)
  }

  @Test func `characteristics may be asked for before the services are`() throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("08 01 00 ff ff 03 28"))
    host.received(hex("09 07 0f 00 02 10 00 38 2a"))
    host.sent(hex("08 10 00 ff ff 03 28"))
    host.received(hex("01 08 10 00 0a"))
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0e 00 13 00 0d 18"))
    #expect(try messages(host).count == 1)
  }

  /// A connection on which nobody looks for the service says nothing of it, whatever is known.
  @Test func `each connection that discovers it is told`() throws {
    var host = HostSide()
    for _ in 0..<2 {
      Self.discover(&host)
      host.disconnected(reason: 0x16)
    }
    host.connected()
    host.disconnected(reason: 0x16)
    let found = try host.findings(of: "measurement-absent")
    #expect(found.map(\.connection) == [1, 2])
  }

  @Test func `may have been among what was lost`() throws {
    var host = HostSide()
    Self.discover(&host)
    var file = host.file()
    let start = Container.btsnoopH4.file(Array(host.packets.prefix(3))).count
    for place in start..<start + 8 { file[place] = 0xFF }
    #expect(try summary(of: file).findings.map(\.rule) == ["octets-skipped"])
  }

  /// The phone is the sensor: what it does not have, its own log need not tell.
  @Test func `the local host's own service is not judged`() throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    host.received(hex("10 01 00 ff ff 00 28"))
    host.sent(hex("11 06 0e 00 0e 00 0d 18"))
    #expect(try messages(host) == [])
  }
}

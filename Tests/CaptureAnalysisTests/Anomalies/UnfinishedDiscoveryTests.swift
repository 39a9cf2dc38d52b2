import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// A discovery that stops: how far it had come, and what has to be known before that may be said.
@Suite struct `Unfinished discoveries` {
  private func messages(_ host: HostSide) throws -> [String] {
    try host.findings(of: "discovery-unfinished").map(\.message)
  }

  /// A connection, some requests with their answers, and nothing for so long.
  private static func dialogue(_ pdus: [String], seconds: Int64 = 20) -> HostSide {
    var host = HostSide()
    host.connected()
    for (index, pdu) in pdus.enumerated() {
      if index.isMultiple(of: 2) { host.sent(hex(pdu)) } else { host.received(hex(pdu)) }
    }
    host.wait(milliseconds: seconds * 1000 - 10)
    host.disconnected(reason: 0x16)
    return host
  }

  private static let services = [
    "10 01 00 ff ff 00 28", "11 06 0e 00 13 00 0d 18", "10 14 00 ff ff 00 28", "01 10 14 00 0a",
  ]
  private static let location = ["08 0e 00 13 00 03 28", "09 07 0f 00 02 10 00 38 2a"]

  @Test func `how far it has come is told`() throws {
    let service = "the Heart Rate service (180D), 0x000e to 0x0013,"
    let stopped = "the discovery of the characteristics of \(service) stopped"
    let rest = "before a measurement was found, and nobody went on with it in the 20 s since then"
    let refused = ["08 0e 00 13 00 03 28", "01 08 0e 00 0e"]
    let cases = [
      (
        Self.services,
        "\(service) was discovered, and nobody looked for its characteristics in the 20 s since then"
      ),
      (Self.services + Self.location, "\(stopped) behind 0x0010, \(rest)"),
      (
        Self.services + refused,
        "\(stopped) at its beginning, \(rest); the last request was refused with Unlikely Error (0x0E)"
      ),
    ]
    for (pdus, message) in cases {
      let found = try messages(Self.dialogue(pdus))
      #expect(found == [message], "\(found)")
    }
  }

  /// BlueZ asks for included services between the two.
  @Test func `included services are a part of it`() throws {
    let includes = ["08 01 00 ff ff 02 28", "01 08 01 00 0a"]
    #expect(try messages(Self.dialogue(Self.services + includes)).count == 1)
  }

  @Test func `values that are read by their type are none`() throws {
    let name = ["08 01 00 ff ff 00 2a", "09 06 03 00 48 52 4d 31"]
    #expect(try messages(Self.dialogue(Self.services + name)).count == 1)
  }

  @Test func `another service may be what is wanted`() throws {
    let battery = ["06 01 00 ff ff 00 28 0f 18", "07 14 00 17 00"]
    #expect(try messages(Self.dialogue(Self.services + battery)) == [])
  }

  @Test func `two heart rate services, of which one is discovered`() throws {
    let second = ["06 14 00 ff ff 00 28 0d 18", "07 14 00 18 00"]
    #expect(try messages(Self.dialogue(Self.services + second)) == [])
  }

  @Test func `a measurement that is known from another connection need not be found`() throws {
    var host = HostSide()
    host.subscribe()
    host.disconnected(reason: 0x16)
    host.wait(milliseconds: 90_000)
    host.connected()
    for (index, pdu) in Self.services.enumerated() {
      if index.isMultiple(of: 2) { host.sent(hex(pdu)) } else { host.received(hex(pdu)) }
    }
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x16)
    #expect(try messages(host) == [])
  }

  @Test func `its rest may be among what was lost`() throws {
    let host = Self.dialogue(Self.services)
    var file = host.file()
    let start = Container.btsnoopH4.file(Array(host.packets.prefix(4))).count
    for place in start..<start + 8 { file[place] = 0xFF }
    #expect(try summary(of: file).findings.map(\.rule) == ["octets-skipped"])
  }
}

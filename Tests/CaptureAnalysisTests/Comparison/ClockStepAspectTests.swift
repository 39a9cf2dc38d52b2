import CaptureAnalysis
import CaptureFiles
import TestSupport
import Testing

/// How sides compare: one aspect of two logs.
func aspect(_ name: String, _ first: [UInt8], _ second: [UInt8]) throws -> AspectComparison {
  let sides = try [first, second].map { octets in
    try SensorChoice.automatic.side(of: [try comparedCapture("side", octets)])
  }
  return try #require(Comparison(sides).aspects.first { $0.name == name })
}

/// A clock that is set takes no time, and makes no difference.
@Suite struct `Aspects across a leap of the clock` {
  /// The leap, in hours, comes amid the discovery, and before the sensor asks for other parameters.
  private func log(leap: Int64, isClosed: Bool = true, asks: Bool = true) -> [UInt8] {
    var host = HostSide()
    host.connected()
    host.sent(hex("10 01 00 ff ff 00 28"))
    host.received(hex("11 06 0e 00 13 00 0d 18"))
    host.wait(milliseconds: leap * 3_600_000)
    host.sent(hex("08 0e 00 13 00 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a 12 00 02 13 00 38 2a"))
    host.write(attribute: 17, [1, 0])
    if asks {
      host.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 90 01 00 00 58 02"))
      host.l2cap(.sent, channel: 5, hex("13 01 02 00 01 00"))
    }
    host.notifyRates(20)
    if isClosed { host.disconnected() }
    return host.file()
  }

  @Test(arguments: [2, -2, -24] as [Int64])
  func `tell the time without it`(leap: Int64) throws {
    // What went by at the leap itself is told of a change of the zone only.
    let requests = try aspect("parameter-requests", log(leap: 0), log(leap: leap))
    #expect(requests.values.allSatisfy { $0 == "312.5–500 ms at 0.1 s, refused" }, "\(requests.values)")
    let discovery = try aspect("discovery", log(leap: 0), log(leap: leap))
    #expect(discovery.values.first == "in 20 ms" && discovery.values.last??.hasSuffix("0 ms") == true)
  }

  /// A connection that is not long enough for requests does not become so by a leap.
  @Test func `tell nothing of a short connection`() throws {
    let found = try aspect("parameter-requests", log(leap: 0), log(leap: 2, isClosed: false, asks: false))
    #expect(!found.differs && found.values[1] == nil, "\(found.values)")
  }

  /// In as long a time, one has gaps twelve times as often; that the clock was set back leaves no time out.
  @Test(arguments: [0, -24] as [Int64])
  func `tell how often something was found`(leap: Int64) throws {
    func log(gaps: Int, leap: Int64) -> [UInt8] {
      var host = HostSide()
      host.subscribe()
      for round in 0..<40 {
        if round == 35 { host.wait(milliseconds: leap * 3_600_000) }
        host.notifyRates(round < gaps ? 5 : 10)
        if round < gaps { host.wait(milliseconds: 5000) }
      }
      host.disconnected()
      return host.file()
    }
    let found = try aspect("findings", log(gaps: 36, leap: 0), log(gaps: 3, leap: leap))
    #expect(found.parts.contains { $0.title == "notification-gap" }, "\(found.values)")
  }
}

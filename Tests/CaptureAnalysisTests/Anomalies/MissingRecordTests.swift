import CaptureAnalysis
import Testing
import TestSupport

/// Where records are missing, what seems not to have happened may have: rules say nothing of it.
@Suite struct `Missing records` {
  /// A strap for a minute, of which ten seconds in the middle cannot be read.
  @Test func `are no gap`() throws {
    var octets = strap
    let records = try ReadCapture(octets).records
    let damaged = (records[40].offset - 25)..<(records[50].offset - 25)
    #expect(try rules(octets).isEmpty)
    for index in damaged { octets[index] = 0xFF }
    let found = try rules(octets)
    #expect(found == ["octets-skipped"], "\(found)")
    // The same records left out without a trace are one.
    let whole = strap
    let without = Array(whole[..<(records[40].offset - 25)] + whole[(records[50].offset - 25)...])
    #expect(try rules(without) == ["notification-gap"])
  }

  /// A strap for a minute.
  fileprivate var strap: [UInt8] {
    var host = HostSide()
    host.subscribe()
    for second in 0..<60 {
      host.notified([0x10, 60, UInt8(second % 9), 0x04])
      host.wait(milliseconds: 990)
    }
    return host.file()
  }

  fileprivate func rules(_ octets: [UInt8]) throws -> [String] {
    try summary(of: octets).findings.map(\.rule)
  }
}

extension `Missing records` {
  /// btsnoop counts, in every record, how many were lost before it.
  @Test func `that the capture counts are no gap either`() throws {
    let whole = strap
    let records = try ReadCapture(whole).records
    var octets = Array(whole[..<(records[40].offset - 25)] + whole[(records[50].offset - 25)...])
    for record in try ReadCapture(octets).records.dropFirst(40) { octets[record.offset - 25 + 15] = 10 }
    let found = try findings(octets)
    #expect(found.map(\.rule) == ["packets-dropped"])
    #expect(found.first?.frame == 41 && found.first?.lastFrame == 41 && found.first?.time != nil)
  }
}

extension `Missing records` {
  /// The controller says how many packets to the peer it has sent: reads, of which the capture holds some.
  private func reads(seen: Int, completed: [UInt8], _ change: (inout HostSide) -> Void = { _ in }) throws -> [Finding] {
    var host = HostSide()
    change(&host)
    for _ in 0..<seen {
      host.sent(hex("0a 20 00"))
      host.received(hex("0b 01"))
      host.wait(milliseconds: 100)
    }
    for count in completed { host.event(0x13, [1, 0x40, 0, count, 0]) }
    host.wait(milliseconds: 100)
    return try findings(host.file())
  }

  @Test(arguments: [(4, [4]), (4, [1, 1, 2]), (4, [3]), (0, [0]), (0, [])] as [(Int, [UInt8])])
  func `are none where the controller counts what is there`(seen: Int, completed: [UInt8]) throws {
    #expect(try reads(seen: seen, completed: completed) { $0.connected() }.isEmpty)
  }

  @Test(arguments: [(4, [5], 1, 10), (4, [3, 3], 2, 11), (4, [9, 1], 6, 10)] as [(Int, [UInt8], Int, Int)])
  func `that the controller counts are told`(seen: Int, completed: [UInt8], missing: Int, frame: Int) throws {
    let found = try reads(seen: seen, completed: completed) { $0.connected() }
    #expect(found.map(\.rule) == ["packets-dropped"])
    #expect(found.first?.count == missing && found.first?.frame == frame && found.first?.time != nil)
    #expect(found.first?.message.contains("\(missing) packet") == true)
  }

  /// Where packets may have been sent before the capture, or hide behind cut headers, the count says nothing.
  @Test func `cannot be counted everywhere`() throws {
    #expect(try reads(seen: 4, completed: [9]) { _ in }.map(\.rule) == ["setup-missing"])
    #expect(try reads(seen: 4, completed: [9]) { $0.connectedClassic() }.isEmpty)
    let cut = try reads(seen: 4, completed: [9]) {
      $0.connected()
      $0.keptACLOctets = 3
    }
    #expect(cut.map(\.rule) == ["packets-truncated"])
  }

  /// A sensor's own log lacks half a minute: its controller speaks of what was sent meanwhile.
  @Test func `that the controller counts are no gap`() throws {
    var host = HostSide()
    host.connected(isPeripheral: true)
    let discovery = [
      ("10 01 00 ff ff 00 28", "11 06 0e 00 13 00 0d 18"), ("08 0e 00 13 00 03 28", "09 07 0f 00 10 10 00 37 2a"),
      ("04 11 00 11 00", "05 01 11 00 02 29"), ("12 11 00 01 00", "13"),
    ]
    for (request, response) in discovery {
      host.received(hex(request))
      host.sent(hex(response))
      host.event(0x13, [1, 0x40, 0, 1, 0])
    }
    for second in 0..<60 {
      if !(20..<40).contains(second) { host.sent([0x1B, 0x10, 0, 0, 60 + UInt8(second % 3)]) }
      host.event(0x13, [1, 0x40, 0, 1, 0])
      host.wait(milliseconds: 1000)
    }
    let found = try findings(host.file()).filter { $0.severity > .info }
    #expect(found.map(\.rule) == ["packets-dropped"] && found.first?.count == 20)
    #expect(found.first?.frame == 54 && found.first?.lastFrame == 73)
  }

  private func findings(_ octets: [UInt8]) throws -> [Finding] { try summary(of: octets).findings }
}

import CaptureAnalysis
import CaptureFiles
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
    let cut = try reads(seen: 4, completed: [9]) {
      $0.connected()
      $0.keptACLOctets = 3
    }
    #expect(cut.map(\.rule) == ["packets-truncated"])
  }

  /// Over BR/EDR, too, as long as it carries ATT, and what tells where that is, alone: what goes over other channels some
  /// hosts leave out of their logs.
  @Test(arguments: [(0x0001, true), (0x001F, true), (0x0003, false), (0x0019, false)] as [(UInt16, Bool)])
  func `that the controller counts over BR/EDR`(psm: UInt16, isTold: Bool) throws {
    for direction in [Direction.sent, .received] {
      let found = try reads(seen: 4, completed: [4, 4]) {
        $0.connectedClassic()
        $0.l2cap(direction, channel: 1, [0x02, 1, 4, 0] + psm.little + [0x40, 0])
      }
      #expect(found.map(\.rule) == (isTold ? ["packets-dropped"] : []))
      #expect(found.first?.count == (isTold ? direction == .sent ? 3 : 4 : nil))
    }
  }

  /// Broadcasts and packets that were flushed are counted as all others; where it is a guess which were sent, none are.
  @Test(arguments: [(Container.btsnoopH4, 2, false), (.btsnoopH4, 3, true), (.pcapH4, 9, false)])
  func `that are no piece of what is said over BR/EDR`(container: Container, completed: UInt8, isTold: Bool) throws {
    var host = HostSide()
    host.connectedClassic()
    host.openClassicATT(there: 0x50)
    host.fragment(.sent, isBroadcast: true, [4, 0, 2, 0, 1, 2, 3, 4])
    host.event(0x13, [1, 0x40, 0, completed, 0])
    host.wait(milliseconds: 100)
    #expect(try findings(host.file(container)).contains { $0.rule == "packets-dropped" } == isTold)
  }

  /// Data and events take different ways to who logs them: a packet may stand behind the word that it is complete, and more
  /// may be lacking then than are.
  @Test(arguments: [0, 1, 2]) func `that come behind the word that they are complete`(missing: Int) throws {
    var host = HostSide()
    host.connected()
    for read in 0..<4 {
      if read == 1 { host.event(0x13, [1, 0x40, 0, UInt8(1 + missing), 0]) }
      host.sent(hex("0a 20 00"))
      if read != 1 { host.event(0x13, [1, 0x40, 0, 1, 0]) }
      host.received(hex("0b 01"))
    }
    let found = try findings(host.file())
    #expect(found.map(\.rule) == (missing > 0 ? ["packets-dropped"] : []))
    #expect(found.first?.count == (missing > 0 ? missing : nil))
  }

  /// The request is missing: nobody is accused of the answer.
  @Test(arguments: [true, false]) func `are asked for by nobody`(isLowEnergy: Bool) throws {
    var host = HostSide()
    if isLowEnergy {
      host.connected()
    } else {
      host.connectedClassic()
      host.openClassicATT(there: 0x50)
    }
    let channels: (sent: UInt16, received: UInt16) = isLowEnergy ? (4, 4) : (0x50, 0x40)
    for isMissing in [false, true] {
      if !isMissing { host.l2cap(.sent, channel: channels.sent, hex("0a 20 00")) }
      host.event(0x13, [1, 0x40, 0, isMissing || isLowEnergy ? 1 : 2, 0])
      host.l2cap(.received, channel: channels.received, hex("0b 01"))
    }
    #expect(try findings(host.file()).map(\.rule) == ["packets-dropped"])
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

import CaptureAnalysis
import CaptureFiles
import TestSupport
import Testing

/// Captures that keep so little of one end's data, or of both ends', that nobody knows what was said: nothing false is
/// made of what is left.
@Suite struct `Hidden data` {
  /// A healthy session: the table is known from the first connection, and the second one lasts long enough for every
  /// request to be overdue that has no answer.
  private static var host: HostSide {
    var host = HostSide()
    for round in 0..<2 {
      host.connected()
      host.sent(hex("02 05 02"))
      host.received(hex("03 b9 00"))
      if round == 0 { host.discoverHeartRate() }
      host.write(attribute: 17, [1, 0])
      for place in 0..<40 {
        host.notified([0x06, UInt8(60 + place % 3)])
        host.wait(milliseconds: 990)
      }
      host.disconnected(reason: 0x16)
      host.wait(milliseconds: 20_000)
    }
    return host
  }

  /// What a capture comes to that keeps so many octets of ACL data.
  /// - Parameter direction: Of which packets; nil: of all.
  private func summary(_ kept: Int, _ direction: Direction?) throws -> CaptureSummary {
    var packets = Self.host.packets
    // Of the first connection all is kept.
    let second = packets.indices.filter { packets[$0].content == .event }[2]
    for place in packets.indices where place > second && packets[place].content == .aclData {
      if packets[place].direction == direction ?? packets[place].direction { packets[place].kept = kept }
    }
    return try TestSupport.summary(of: Container.btsnoopH4.file(packets))
  }

  @Test(arguments: 0...12, [.sent, .received, nil] as [Direction?])
  func `accuse nobody`(kept: Int, direction: Direction?) throws {
    let summary = try summary(kept, direction)
    #expect(summary.findings.filter { $0.severity > .info }.map(\.message) == [])
    let mtus = summary.connections.map(\.mtu)
    #expect(mtus == [185, 185] || mtus == [185, nil])
  }

  /// All connections are told of packets that may be theirs, but not each time of each: that would take long.
  @Test func `of many connections are told together`() throws {
    var host = HostSide()
    let (connections, packets) = (100, 1000)
    for handle in 1...UInt16(connections) { host.connected(handle, peer: UInt8(handle)) }
    for _ in 0..<packets {
      host.sent(hex("0a 10 00"))
      host.cutLast(to: 1)
    }
    let events = try Analysis(host.file(), selection: EventSelection([.connected, .dialogue])).events
    let told = events.filter { if case .dialogue(.lost) = $0.content { true } else { false } }
    #expect(Set(told.map(\.connection)).count == connections)
    #expect(told.count <= connections * (packets / connections + 2), "\(told.count)")
  }

  /// A command that may have switched notifications on, whoever asks for what is written; a longer one cannot have.
  @Test(arguments: [("52 20 00 01 00", 1), ("52 20 00 01", 1), ("52 20 00 01 00 00", 0)], [true, false])
  func `of a command are told to whoever asks`(command: (octets: String, count: Int), wantsWrites: Bool) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex(command.octets))
    host.cutLast(to: 11)
    let kinds: EventSelection = wantsWrites ? EventSelection([.dialogue, .write]) : EventSelection([.dialogue])
    let events = try Analysis(host.file(), selection: kinds).events
    #expect(events.count { if case .dialogue(.lost) = $0.content { true } else { false } } == command.count)
  }

  /// An event of which so little is left that nobody knows whose end it is.
  @Test(arguments: 2...5)
  func `may be the end of a connection`(kept: Int) throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<20 {
      host.notified([0x06, 60])
      host.wait(milliseconds: 990)
    }
    host.disconnected(reason: 0x16)
    host.cutLast(to: kept)
    host.wait(milliseconds: 30_000)
    host.command(0x1009)
    let findings = try host.findings()
    #expect(findings.filter { $0.severity > .info }.map(\.message) == [])
  }
}

/// Logs of one line between the host and its controller: all that is received, or all that is sent.
@Suite struct `Logs of one direction` {
  /// A healthy session of a phone, or of a sensor.
  private func packets(isSensor: Bool) -> [CapturedPacket] {
    var host = HostSide()
    func say(_ pdu: [UInt8], asClient: Bool) {
      if asClient == isSensor {
        host.received(pdu)
      } else {
        host.sent(pdu)
        host.event(0x13, [1, 0x40, 0, 1, 0])
      }
      host.wait(milliseconds: 30)
    }
    host.connected(isPeripheral: isSensor)
    let discovery = [
      ("02 05 02", "03 b9 00"), ("10 01 00 ff ff 00 28", "11 06 0e 00 13 00 0d 18"),
      ("08 0e 00 13 00 03 28", "09 07 0f 00 10 10 00 37 2a"), ("04 11 00 11 00", "05 01 11 00 02 29"),
      ("12 11 00 01 00", "13"),
    ]
    for (request, response) in discovery {
      say(hex(request), asClient: true)
      say(hex(response), asClient: false)
    }
    for second in 0..<40 {
      say([0x1B, 0x10, 0, 0x06, 60 + UInt8(second % 3)], asClient: false)
      host.wait(milliseconds: 960)
    }
    host.disconnected(reason: 0x13)
    return host.packets
  }

  @Test(arguments: [Direction.received, .sent], [false, true])
  func `accuse nobody`(direction: Direction, isSensor: Bool) throws {
    let left = packets(isSensor: isSensor).filter { $0.direction == direction }
    let findings = try TestSupport.summary(of: Container.btsnoopH4.file(left)).findings.filter { $0.severity > .info }
    // The controller tells of what it has sent.
    #expect(findings.map(\.rule) == (direction == .received ? ["packets-dropped"] : []), "\(findings)")
  }

  /// Without events nobody knows when a connection ended: its sensor need not have fallen silent.
  @Test(arguments: [false, true])
  func `and of data only do not know of ends`(hasEvents: Bool) throws {
    var host = HostSide()
    if hasEvents { host.event(0x0E, hex("01 03 0c 00")) }
    for handle in [0x40, 0x41] as [UInt16] {
      host.discoverHeartRate(on: handle)
      host.write(on: handle, attribute: 17, [1, 0])
      for second in 0..<30 {
        host.notified(on: handle, [0x06, 60 + UInt8(second % 3)])
        host.wait(milliseconds: 980)
      }
    }
    let findings = try host.findings().filter { $0.severity > .info }
    #expect(findings.map(\.rule) == (hasEvents ? ["notification-gap"] : []), "\(findings)")
  }

  @Test func `are not those of both`() throws {
    for isSensor in [false, true] {
      let findings = try TestSupport.summary(of: Container.btsnoopH4.file(packets(isSensor: isSensor))).findings
      #expect(findings.allSatisfy { $0.severity == .info }, "\(findings)")
    }
  }
}

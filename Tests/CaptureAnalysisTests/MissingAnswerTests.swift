import BluetoothHost
import CaptureFiles
import TestSupport
import Testing

@testable import CaptureAnalysis

/// What the capture shows of something but not the one record that tells how it came out: nobody is blamed for that.
@Suite struct `Answers that are missing` {
  /// LE Enable Encryption, which a controller begins with.
  private func encrypt(_ host: inout HostSide, status: UInt8 = 0) {
    host.command(0x2019, [0x40] + Array(repeating: 0, count: 27))
    host.event(0x0F, [status, 1, 0x19, 0x20])
  }

  @Test func `to whether a link was encrypted`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    encrypt(&host)
    host.measured(8)
    let found = try summary(of: host.file())
    #expect(found.connections.map(\.encryption) == [nil])
    #expect(!found.findings.contains { $0.rule == "notification-without-subscription" })
  }

  @Test func `to whether a link was encrypted, of which it is told`() throws {
    for (status, change, isEncrypted) in [
      (0x1F, nil, false), (0, [5, 0x40, 0, 0], false), (0, [0, 0x40, 0, 1], true),
    ]
      as [(UInt8, [UInt8]?, Bool)]
    {
      var host = HostSide()
      host.connected()
      host.discoverHeartRate()
      encrypt(&host, status: status)
      if let change { host.event(0x08, change) }
      host.measured(8)
      let found = try summary(of: host.file())
      #expect(found.connections.map(\.encryption) == [isEncrypted])
      #expect(found.findings.contains { $0.rule == "notification-without-subscription" } != isEncrypted)
    }
  }

  /// A host sends nothing else before a reset is done.
  @Test func `to a reset, behind which the host goes on`() throws {
    for hasAnswer in [true, false] {
      var host = HostSide()
      host.subscribe()
      host.measured(3)
      host.command(0x0C03)
      if hasAnswer { host.event(0x0E, hex("01 03 0c 00")) }
      host.command(0x0C14)
      host.measured(2)
      let connections = try summary(of: host.file()).connections
      #expect(connections.count == 2 && connections.first?.end?.adapterEnd == .reset)
      #expect(connections.first?.closed?.frame == host.packets.count - 2 - (hasAnswer ? 1 : 0))
    }
  }

  @Test(arguments: [(0x0E, "01 03 0c 0c"), (0x0F, "0c 01 03 0c")] as [(UInt8, String)])
  func `to a reset that was refused`(code: UInt8, answer: String) throws {
    var host = HostSide()
    host.subscribe()
    host.command(0x0C03)
    host.event(code, hex(answer))
    host.command(0x0C14)
    host.measured(2)
    #expect(try summary(of: host.file()).connections.map { $0.closed == nil } == [true])
  }

  /// What is made behind it is none that it has ended.
  @Test func `to a reset, behind which a connection is made`() throws {
    var host = HostSide()
    host.subscribe()
    host.command(0x0C03)
    host.connected(0x41, peer: 2)
    host.command(0x0C14)
    let connections = try summary(of: host.file()).connections
    #expect(connections.map { $0.end?.adapterEnd } == [.reset, nil])
  }

  /// Nobody knows how long it has been done by then.
  @Test func `to a reset, with others`() throws {
    var host = HostSide()
    host.command(0x0C03)
    let hole = host.file().count
    host.subscribe()
    host.command(0x0C14)
    host.measured(2)
    // The cumulative drops of the records behind it.
    var file = host.file()
    file[hole + 15] = 1
    #expect(try summary(of: file).connections.map { $0.closed == nil } == [true])
  }

  /// A log of another day, put behind one that ends with a reset and an attempt to connect, and begins amid a connection.
  @Test func `and are another host's`() throws {
    var first = HostSide()
    first.event(0x0E, hex("01 09 10 00 01 02 03 04 05 06"))
    first.event(0x0E, hex("01 03 0c 00"))
    first.create(peer: 2)
    first.command(0x0C03)
    var second = HostSide()
    second.time += 3 * 86_400 * 1_000_000
    second.measured(2)
    second.connected(0x41, peer: 3)
    second.event(0x0E, hex("01 09 10 00 11 12 13 14 15 16"))
    second.command(0x0C14)
    let connections = try summary(of: first.file() + second.file()).connections
    #expect(connections.map(\.address?.number) == [nil, 0xC544_3322_1103])
    #expect(connections.allSatisfy { $0.closed == nil })
  }

  /// How often notifications were switched on, and where.
  private func subscriptions(_ host: HostSide) throws -> [Int] {
    try Analysis(host.file()).events.compactMap { event in
      if case .subscribed = event.content { event.moment.frame } else { nil }
    }
  }

  @Test func `to what switches measurements on, which come`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("12 11 00 01 00"))
    host.measured(3)
    let first = host.packets.count - 2
    #expect(try subscriptions(host) == [first])
    #expect(try summary(of: host.file()).connections.map { $0.heartRate?.subscribed?.frame } == [first])
  }

  /// A measurement that the sensor sends before its answer.
  @Test func `and come late`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("12 11 00 01 00"))
    host.measured(1)
    let first = host.packets.count
    host.received(hex("13"))
    host.measured(3)
    #expect(try subscriptions(host) == [first])
    #expect(try host.rules() == [])
  }

  /// Those of a second service, while those of the first come; but none shows that they were switched off.
  @Test(arguments: [(1, 2), (0, 1)] as [(UInt8, Int)])
  func `to what switches others on, which come`(bits: UInt8, count: Int) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.discoverHeartRate(first: 40)
    host.write(attribute: 17, [1, 0])
    host.measured(3)
    host.sent(hex("12 2b 00") + [bits, 0])
    for _ in 0..<3 { host.notified(attribute: 42, [0, 72]) }
    #expect(try subscriptions(host).count == count)
    #expect(try !Analysis(host.file()).events.contains { if case .unsubscribed = $0.content { true } else { false } })
  }

  /// Another characteristic's.
  @Test func `to what switches something else on`() throws {
    var host = HostSide()
    host.subscribe()
    host.sent(hex("12 30 00 01 00"))
    host.measured(3)
    #expect(try subscriptions(host).count == 1)
  }
}

/// A host that stops, without a word, and starts anew in another log.
@Suite struct `A log that begins with a reset` {
  /// A log of measurements, and another one that begins so much later.
  private func report(seconds: Int64, resets: Bool = true) throws -> (summary: CaptureSummary, records: Int) {
    var first = HostSide()
    first.subscribe()
    for _ in 0..<30 {
      first.wait(milliseconds: 990)
      first.notified([0, 72])
    }
    first.sent(hex("0a 13 00"))
    var second = HostSide()
    second.time = first.time + seconds * 1_000_000
    if resets { second.command(0x0C03) }
    second.event(0x0E, hex("01 03 0c 00"))
    return (try summary(of: first.file() + second.file()), first.packets.count)
  }

  /// Nobody has written down what was between the two.
  @Test(arguments: [2, 40, 59] as [Int64]) func `says nothing of the connections before`(seconds: Int64) throws {
    let (summary, records) = try report(seconds: seconds)
    #expect(!summary.findings.contains { ["att-timeout", "notification-gap"].contains($0.rule) })
    let connection = try #require(summary.connections.first)
    #expect(connection.end?.adapterEnd == .startedAnew)
    #expect(connection.closed?.frame == records)
  }

  /// A reset that comes later is one of a host that goes on.
  @Test func `in its first record`() throws {
    let summary = try report(seconds: 40, resets: false).summary
    #expect(summary.connections.first?.end?.adapterEnd == .reset)
    #expect(summary.findings.contains { $0.rule == "notification-gap" })
  }
}

/// Packets that a logger has written twice.
@Suite struct `Records written twice` {
  /// A read of the location, of the battery's level (which has nothing to do with heart rates), and an exchange of the MTU.
  private static let exchanges = [["0a 13 00", "0b 01"], ["0a 20 00", "0b 5a"], ["02 05 02", "03 b9 00"]]

  @Test(arguments: exchanges, [0, 1]) func `are no fault of the two ends`(exchange: [String], twice: Int) throws {
    for (isAtOnce, microseconds) in [(true, 0), (true, 40), (false, 10_000)] as [(Bool, Int64)] {
      var host = HostSide()
      host.subscribe()
      for (place, pdu) in exchange.enumerated() {
        for copy in 0...(place == twice ? 1 : 0) {
          if copy == 1 { host.time -= 10_000 - microseconds }
          if place == 0 { host.sent(hex(pdu)) } else { host.received(hex(pdu)) }
        }
      }
      let rules = try host.rules()
      #expect(rules.isEmpty == isAtOnce, "\(rules)")
    }
  }
}

/// A server with two heart rate services.
@Suite struct `One of two services that is switched off` {
  @Test(arguments: [(17, true), (43, false)] as [(UInt16, Bool)])
  func `switches off what comes from it`(configuration: UInt16, isOwn: Bool) throws {
    var host = HostSide()
    host.subscribeToTwoServices()
    for _ in 0..<3 {
      host.wait(milliseconds: 990)
      host.notified(attribute: 16, [0, 60])
    }
    host.write(attribute: configuration, [0, 0])
    let session = try #require(try summary(of: host.file()).connections.first?.heartRate)
    #expect((session.switchedOff != nil) == isOwn)
  }
}

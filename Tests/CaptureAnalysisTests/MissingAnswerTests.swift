import BluetoothHost
import CaptureFiles
import TestSupport
import Testing

@testable import CaptureAnalysis

/// What the capture shows of something but not the one record that tells how it came out: nobody is blamed for that.
@Suite struct `Answers that are missing` {
  private func measured(_ host: inout HostSide, _ count: Int) {
    for place in 0..<count {
      host.wait(milliseconds: 990)
      host.notified([0, UInt8(60 + place % 3)])
    }
  }

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
    measured(&host, 8)
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
      measured(&host, 8)
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
      measured(&host, 3)
      host.command(0x0C03)
      if hasAnswer { host.event(0x0E, hex("01 03 0c 00")) }
      host.command(0x0C14)
      measured(&host, 2)
      let connections = try summary(of: host.file()).connections
      #expect(connections.count == 2 && connections.first?.end?.adapterEnd == .reset)
      #expect(connections.first?.closed?.frame == host.packets.count - 2 - (hasAnswer ? 1 : 0))
    }
  }

  @Test func `to a reset that was refused`() throws {
    var host = HostSide()
    host.subscribe()
    host.command(0x0C03)
    host.event(0x0E, hex("01 03 0c 0c"))
    host.command(0x0C14)
    measured(&host, 2)
    #expect(try summary(of: host.file()).connections.map { $0.closed == nil } == [true])
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
    measured(&host, 3)
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
    measured(&host, 1)
    let first = host.packets.count
    host.received(hex("13"))
    measured(&host, 3)
    #expect(try subscriptions(host) == [first])
    #expect(try summary(of: host.file()).findings.map(\.rule) == [])
  }

  /// Those of a second service, while those of the first come; but none shows that they were switched off.
  @Test(arguments: [(1, 2), (0, 1)] as [(UInt8, Int)])
  func `to what switches others on, which come`(bits: UInt8, count: Int) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.discoverHeartRate(first: 40)
    host.write(attribute: 17, [1, 0])
    measured(&host, 3)
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
    measured(&host, 3)
    #expect(try subscriptions(host).count == 1)
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
      let rules = try summary(of: host.file()).findings.map(\.rule)
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

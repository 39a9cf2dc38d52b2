import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// Where records were lost, what needs nothing from before is told all the same; and nothing that does.
@Suite struct `Behind a loss` {
  enum Loss: CaseIterable {
    /// A piece of a PDU, without those before it.
    case piece
    /// A record that the capture counts.
    case record
  }

  /// A strap that has Service Changed: a minute of it, what is done before the loss, the loss, another minute if wanted, and
  /// what is done then.
  private func rules(
    _ loss: Loss, goesOn: Bool = true, before: (inout HostSide) -> Void = { _ in }, _ after: (inout HostSide) -> Void
  ) throws -> [String] {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent(hex("08 01 00 05 00 03 28"))
    host.received(hex("09 07 02 00 20 03 00 05 2a"))
    host.write(attribute: 17, [1, 0])
    Self.measure(60, &host)
    before(&host)
    let lost = host.packets.count
    if loss == .piece { host.fragment(.received, isContinuation: true, hex("48 e8 03")) }
    if goesOn { Self.measure(70, &host) }
    after(&host)
    var octets = host.file()
    if loss == .record {
      for record in try ReadCapture(octets).records.dropFirst(lost) { octets[record.offset - 25 + 15] = 1 }
    }
    return try summary(of: octets).findings.map(\.rule).filter {
      !["fragment-orphaned", "packets-dropped"].contains($0)
    }
  }

  private static func measure(_ count: Int, _ host: inout HostSide) {
    for second in 0..<count {
      host.notified([0x10, 60, UInt8(second % 9), 0x04])
      host.wait(milliseconds: 990)
    }
  }

  @Test(arguments: Loss.allCases) func `nothing is told of a healthy sensor`(loss: Loss) throws {
    #expect(try rules(loss) { $0.disconnected(reason: 0x16) } == [])
  }

  /// Without contact a moment before a minute that was lost, and a moment behind it.
  @Test(arguments: Loss.allCases) func `nothing is told to have lasted while nobody saw it`(loss: Loss) throws {
    func send(_ flags: UInt8, _ host: inout HostSide) {
      host.notified([flags, 60])
      host.wait(milliseconds: 990)
    }
    let found = try rules(loss, goesOn: false) { host in
      send(0x06, &host)
      send(0x04, &host)
      host.wait(milliseconds: 60_000)
    } _: { host in
      send(0x04, &host)
      send(0x06, &host)
    }
    #expect(found.contains("contact-lost") && !found.contains("heart-rate-off-body"))
  }

  @Test(arguments: Loss.allCases) func `a configuration of three octets is told`(loss: Loss) throws {
    let write = { (host: inout HostSide) in
      host.sent(hex("12 11 00 01 00 00"))
      host.received(hex("01 12 11 00 0d"))
    }
    #expect(try rules(loss, write) == ["cccd-invalid"])
    // The connection may be another one, with another table.
    #expect(try rules(loss, goesOn: false, write) == [])
  }

  @Test(arguments: Loss.allCases) func `a configuration where nothing is needs no table`(loss: Loss) throws {
    let found = try rules(loss, goesOn: false) { host in
      host.sent(hex("12 44 00 01 00"))
      host.received(hex("01 12 44 00 01"))
    }
    #expect(found == ["cccd-invalid"])
  }

  @Test(arguments: Loss.allCases) func `measurements that were switched off are told`(loss: Loss) throws {
    let off = { (host: inout HostSide) in host.write(attribute: 17, [0, 0]) }
    let found = try rules(loss) { host in
      off(&host)
      Self.measure(10, &host)
    }
    #expect(found == ["notification-without-subscription"])
    // They may have been switched on again in it.
    #expect(try rules(loss, before: off) { $0.disconnected(reason: 0x16) } == [])
    let pending = try rules(loss, before: { $0.sent(hex("12 11 00 00 00")) }) { host in
      host.received(hex("13"))
      Self.measure(10, &host)
    }
    #expect(!pending.contains("notification-without-subscription"))
  }

  /// Whose answer it is that comes behind it, nobody knows.
  @Test(arguments: Loss.allCases) func `measurements that do not come are told`(loss: Loss) throws {
    let ask = { (host: inout HostSide) in
      host.write(attribute: 17, [0, 0])
      host.wait(milliseconds: 5000)
      host.sent(hex("12 11 00 01 00"))
    }
    let end = { (host: inout HostSide) in
      host.received(hex("13"))
      host.wait(milliseconds: 20_000)
      host.disconnected(reason: 0x16)
    }
    let found = try rules(loss) { host in
      ask(&host)
      end(&host)
    }
    #expect(found == ["subscription-without-notification"])
    #expect(try !rules(loss, before: ask, end).contains("subscription-without-notification"))
  }

  @Test(arguments: Loss.allCases) func `old handles are told`(loss: Loss) throws {
    let change = { (host: inout HostSide) in
      host.received(hex("1d 03 00 01 00 ff ff"))
      host.sent(hex("1e"))
      host.wait(milliseconds: 3000)
    }
    let use = { (host: inout HostSide) in
      host.sent(hex("0a 13 00"))
      host.received(hex("0b 01"))
    }
    let found = try rules(loss) { host in
      change(&host)
      use(&host)
    }
    #expect(found.filter { $0 != "notification-gap" } == ["stale-handles"])
    // A discovery may be among what was lost.
    #expect(try !rules(loss, before: change, use).contains("stale-handles"))
    // What was found before it stands.
    let before = try rules(
      loss,
      before: { host in
        change(&host)
        use(&host)
        use(&host)
      }, { $0.disconnected(reason: 0x16) })
    #expect(before.contains("stale-handles"))
  }

  @Test(arguments: Loss.allCases) func `a request without an answer is told`(loss: Loss) throws {
    let ask = { (host: inout HostSide) in
      host.l2cap(.received, channel: 5, hex("12 01 08 00 fa 00 90 01 00 00 58 02"))
    }
    let found = try rules(loss) { host in
      ask(&host)
      Self.measure(40, &host)
    }
    #expect(found == ["parameter-update-unanswered"])
    #expect(try rules(loss, before: ask) { $0.disconnected(reason: 0x16) } == [])
  }

  @Test(arguments: Loss.allCases) func `an answer to nothing is noted`(loss: Loss) throws {
    #expect(try rules(loss) { $0.received(hex("0b 01")) } == ["att-response-mismatch"])
    #expect(try rules(loss, goesOn: false) { $0.received(hex("0b 01")) } == [])
  }

  @Test(arguments: Loss.allCases) func `measurements that stop are told`(loss: Loss) throws {
    let stop = { (host: inout HostSide) in
      host.wait(milliseconds: 30_000)
      host.disconnected(reason: 0x16)
    }
    #expect(try rules(loss, stop) == ["notification-gap"])
    #expect(try rules(loss, goesOn: false, stop) == [])
  }
}

import CaptureAnalysis
import Testing
import TestSupport

/// Services that are not where they were: whether somebody was to be told of it.
@Suite struct `Changed tables` {
  private static let moved = "there is no service from 0x000e on, where connection 1 had Heart Rate"

  private static func encrypt(_ host: inout HostSide) { host.event(0x08, hex("00 40 00 01")) }

  /// What makes the change do harm: a bond that shows on the earlier connection or on the later one, a handle that is
  /// remembered and read, or one that is written to on a connection between.
  enum Harm: CaseIterable { case none, bondEarlier, bondLater, read, writeBetween }

  /// Who is not bonded does not remember the table, and is owed nothing; who uses what it remembers does, on the
  /// connection that shows the change or on one between. That it is bonded may show on the earlier connection, or on
  /// the later one behind the discovery.
  @Test(arguments: Harm.allCases)
  func `harm a client that is bonded, or remembers`(harm: Harm) throws {
    var host = HostSide()
    host.connected()
    if harm == .bondEarlier { Self.encrypt(&host) }
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    host.stream(seconds: 20, strap)
    host.disconnected(reason: 0x16)
    host.wait(milliseconds: 20_000)
    if harm == .writeBetween {
      host.connected()
      host.write(attribute: 17, [1, 0])
      host.wait(milliseconds: 20_000)
      host.disconnected(reason: 0x16)
    }
    host.connected()
    if harm == .read {
      host.sent(hex("0a 13 00"))
      host.received(hex("01 0a 13 00 01"))
    }
    host.discoverHeartRate(first: 40)
    let shown = host.packets.count
    if harm == .bondLater { Self.encrypt(&host) }
    host.write(attribute: 43, [1, 0])
    host.stream(attribute: 42, seconds: 20, strap)
    let found = try host.findings(of: "database-changed")
    let suffix = harm == .none ? "; the client is not bonded, and has discovered it anew" : ""
    #expect(found.map(\.message) == [Self.moved + suffix])
    #expect(found.map(\.severity) == [harm == .none ? .info : .warning])
    #expect(found.map(\.connection) == [harm == .writeBetween ? 3 : 2] && found.first?.frame == shown - 4)
    host.disconnected(reason: 0x16)
    #expect(try host.findings(of: "database-changed").map(\.message) == found.map(\.message))
  }
}

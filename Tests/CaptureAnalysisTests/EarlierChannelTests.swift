import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// Channels of ATT whose opening is not in the capture, in captures that are read once, as live ones are.
@Suite struct `Earlier channels` {
  /// A sensor that is known, and values over an enhanced bearer of which one number is known: 41 here, or 50 at the peer.
  private func notifying(from server: Direction) -> HostSide {
    var host = HostSide()
    host.connected()
    if server == .received { host.discoverHeartRate() } else { host.showHeartRate() }
    for rate in UInt8(60)..<72 {
      host.l2cap(server, channel: server == .received ? 0x41 : 0x50, hex("05 00 1b 10 00 00") + [rate])
      host.wait(milliseconds: 990)
    }
    return host
  }

  private func switchesOff(_ host: HostSide) throws -> Bool {
    try Analysis(host.file()).events.contains { if case .unsubscribed = $0.content { true } else { false } }
  }

  /// The answer shows which number the request's channel has here, and the request is told with it.
  @Test(arguments: [Direction.received, .sent]) func `what is asked over the unknown end of one`(server: Direction)
    throws
  {
    var host = notifying(from: server)
    let (asked, answering): (UInt16, UInt16) = server == .received ? (0x50, 0x41) : (0x41, 0x50)
    host.l2cap(server.opposite, channel: asked, hex("05 00 12 11 00 00 00"))
    host.l2cap(server, channel: answering, hex("01 00 13"))
    #expect(try switchesOff(host))
    // What comes then goes over a channel that is known at both ends.
    host.l2cap(server.opposite, channel: asked, hex("05 00 12 11 00 01 00"))
    host.l2cap(server, channel: answering, hex("01 00 13"))
    #expect(try Analysis(host.file()).connections.first?.subscriptions.count == 1)
  }

  /// Values go over one channel, and what is asked over another of which nothing was heard before.
  @Test func `what is asked over another one`() throws {
    var host = notifying(from: .received)
    host.l2cap(.sent, channel: 0x52, hex("05 00 12 11 00 00 00"))
    host.l2cap(.received, channel: 0x43, hex("01 00 13"))
    #expect(try switchesOff(host))
  }

  /// Nothing is due where they were switched off.
  @Test func `no gap behind measurements that were switched off over one`() throws {
    var host = notifying(from: .received)
    host.l2cap(.sent, channel: 0x50, hex("05 00 12 11 00 00 00"))
    host.l2cap(.received, channel: 0x41, hex("01 00 13"))
    host.wait(milliseconds: 20_000)
    host.disconnected(reason: 0x16)
    #expect(try !summary(of: host.file()).findings.map(\.rule).contains("notification-gap"))
  }
}

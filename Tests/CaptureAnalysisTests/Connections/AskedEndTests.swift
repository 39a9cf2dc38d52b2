import BluetoothHost
import CaptureAnalysis
import TestSupport
import Testing

/// Who ended a connection. There are controllers that give their own host the reason it gave them for the peer.
@Suite struct `The end of a connection` {
  private func end(command: String?, status: String? = "00 01 06 04", reason: UInt8) throws -> DisconnectedEvent {
    var host = HostSide()
    host.connected(0x40, peer: 1)
    host.connected(0x41, peer: 2)
    if let command { host.command(0x0406, hex(command)) }
    if let status, command != nil { host.event(0x0F, hex(status)) }
    host.disconnected(0x40, reason: reason)
    return try #require(try summary(of: host.file()).connections.first?.end)
  }

  @Test func `is the host's where it has asked for it`() throws {
    let end = try end(command: "40 00 13", reason: 0x13)
    #expect(end.isByHost && !end.isByPeer)
    #expect(try self.end(command: "40 00 13", status: nil, reason: 0x13).isByHost)
    #expect(try self.end(command: nil, reason: 0x16).isByHost)
  }

  @Test func `is the peer's where the host has not, or was refused`() throws {
    #expect(try end(command: nil, reason: 0x13).isByPeer)
    #expect(try end(command: "40 00 13", status: "0c 01 06 04", reason: 0x13).isByPeer)
    // The other connection's.
    #expect(try end(command: "41 00 13", reason: 0x13).isByPeer)
  }

  /// What the host gave as its reason, it may be told itself.
  @Test(arguments: [0x16, 0x05] as [UInt8]) func `is told with the reason that the host gave`(told: UInt8) throws {
    let end = try end(command: "40 00 05", reason: told)
    #expect(end.isByHost && end.hostReason?.rawValue == 0x05)
    #expect(try self.end(command: "40 00 05", status: "0c 01 06 04", reason: told).hostReason == nil)
    #expect(try self.end(command: "40 00", reason: 0x16).hostReason == nil)
  }

  /// A host that asks once more, with another reason, while the controller ends it.
  @Test(arguments: ["0c 01 06 04", "02 01 06 04"]) func `is the host's though it was refused to do it twice`(
    second: String
  ) throws {
    for isFirstAnswered in [true, false] {
      var host = HostSide()
      host.connected()
      host.command(0x0406, hex("40 00 15"))
      if isFirstAnswered { host.event(0x0F, hex("00 01 06 04")) }
      host.command(0x0406, hex("40 00 13"))
      if !isFirstAnswered { host.event(0x0F, hex("00 01 06 04")) }
      host.event(0x0F, hex(second))
      host.disconnected(reason: 0x13)
      let end = try #require(try summary(of: host.file()).connections.first?.end)
      #expect(end.isByHost && end.hostReason?.rawValue == 0x15)
    }
  }

  /// Disconnection Complete tells that it is not.
  @Test func `is the peer's where the controller did not end it`() throws {
    var host = HostSide()
    host.connected()
    host.command(0x0406, hex("40 00 13"))
    host.event(0x0F, hex("00 01 06 04"))
    host.event(0x05, hex("0c 40 00 00"))
    host.disconnected(reason: 0x13)
    let end = try #require(try summary(of: host.file()).connections.first?.end)
    #expect(end.isByPeer && !end.wasAsked)
  }

  @Test(arguments: [0x13, 0x16] as [UInt8]) func `has no reason where its user wanted it`(told: UInt8) throws {
    let end = try end(command: "40 00 13", reason: told)
    #expect(end.isByHost && end.hostReason == nil)
  }

  @Test func `is neither's where the link was lost all the same`() throws {
    let end = try end(command: "40 00 13", reason: 0x08)
    #expect(!end.isByHost && !end.isByPeer && end.wasAsked)
  }
}

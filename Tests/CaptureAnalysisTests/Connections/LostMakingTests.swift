import BluetoothHost
import CaptureFiles
import TestSupport
import Testing

@testable import CaptureAnalysis

/// A connection whose making the capture has lost is the one that the host has asked for, where it can be no older one.
@Suite struct `Connections whose making was lost` {
  /// What is known of each connection from its beginning: the last octet of the peer's address, and what the host is.
  private struct Told: Equatable {
    let peer: UInt8?
    var role: ConnectionRole? = .central
  }

  private func told(_ host: HostSide) throws -> [Told] {
    try Analysis(host.file()).events.compactMap { event in
      guard case .connected(let connected) = event.content else { return nil }
      return Told(peer: connected.peer.address.map { UInt8(truncatingIfNeeded: $0.number) }, role: connected.role)
    }
  }

  private static let unknown = Told(peer: nil, role: nil)

  private func reset(_ host: inout HostSide) {
    host.command(0x0C03)
    host.event(0x0E, hex("01 03 0c 00"))
  }

  /// Which no connection outlasts.
  @Test func `behind a reset`() throws {
    var host = HostSide()
    reset(&host)
    host.create(peer: 2)
    host.received(hex("1b 10 00 00 48"))
    #expect(try told(host) == [Told(peer: 2)])
  }

  /// With it, nobody is advertised to any more.
  @Test func `behind a reset, before which the host advertised`() throws {
    var host = HostSide()
    host.command(0x200A, [0x01])
    reset(&host)
    host.create(peer: 2)
    host.received(hex("1b 10 00 00 48"))
    #expect(try told(host) == [Told(peer: 2)])
  }

  /// It does not, as the controller refuses: with success, the peer may have asked for the connection.
  @Test(
    arguments: [
      (0x0E, "01 0a 20 0c", true), (0x0F, "0c 01 0a 20", true), (0x0E, "01 0a 20 00", false),
    ] as [(UInt8, String, Bool)])
  func `while the host wants to advertise`(code: UInt8, answer: String, isKnown: Bool) throws {
    var host = HostSide()
    reset(&host)
    host.command(0x200A, [0x01])
    host.event(code, hex(answer))
    host.create(peer: 2)
    host.received(hex("1b 10 00 00 48"))
    #expect(try told(host) == [isKnown ? Told(peer: 2) : Self.unknown])
  }

  /// There is nothing to give up any more: it is being made.
  @Test(arguments: [("0c", true), ("00", false)])
  func `when the host gives it up`(status: String, isKnown: Bool) throws {
    var host = HostSide()
    reset(&host)
    host.create(peer: 2)
    host.command(0x200E)
    host.event(0x0E, hex("01 0e 20 " + status))
    host.received(hex("1b 10 00 00 48"))
    #expect(try told(host) == [isKnown ? Told(peer: 2) : Self.unknown])
  }

  /// It may be one that was there before the capture.
  @Test func `of a handle that nothing is known of`() throws {
    var host = HostSide()
    host.create(peer: 2)
    host.received(hex("1b 10 00 00 48"))
    #expect(try told(host) == [Self.unknown])
  }

  @Test func `on a handle whose connection ended, which began before the capture`() throws {
    var host = HostSide()
    host.disconnected()
    host.create(peer: 2)
    host.received(hex("1b 10 00 00 48"))
    #expect(try told(host) == [Told(peer: 2)])
  }

  /// What was there before has asked so already.
  @Test func `and which begins with the request for an ATT_MTU`() throws {
    var host = HostSide()
    host.create(peer: 2)
    host.sent(hex("02 05 02"))
    host.received(hex("03 b9 00"))
    #expect(try told(host) == [Told(peer: 2)])
    var asked = HostSide()
    asked.create(peer: 2)
    asked.received(hex("02 05 02"))
    #expect(try told(asked) == [Self.unknown])
  }

  /// Nobody else can be there.
  @Test func `is one alone`() throws {
    var host = HostSide()
    reset(&host)
    host.create(peer: 2)
    host.sent(on: 0x40, hex("02 05 02"))
    host.sent(on: 0x41, hex("02 05 02"))
    #expect(try told(host) == [Told(peer: 2), Self.unknown])
  }

  @Test func `and which the host gave up`() throws {
    var host = HostSide()
    reset(&host)
    host.create(peer: 2)
    host.command(0x200E)
    host.sent(hex("02 05 02"))
    #expect(try told(host) == [Self.unknown])
  }

  /// With whomever of those on its list; if that is one, with that one.
  @Test(arguments: [[], [2], [2, 3]] as [[UInt8]])
  func `and which the host wanted with anyone on its list`(listed: [UInt8]) throws {
    var host = HostSide()
    reset(&host)
    for device in listed { host.accept(peer: device) }
    host.createWithAcceptList()
    host.sent(hex("02 05 02"))
    #expect(try told(host) == [Told(peer: listed == [2] ? 2 : nil, role: .central)])
  }

  /// The host asks so about a peer that it has just been connected with.
  @Test func `and whose features the host asks for`() throws {
    var host = HostSide()
    host.create(peer: 2)
    host.command(0x2016, hex("40 00"))
    host.received(hex("1b 10 00 00 48"))
    #expect(try told(host) == [Told(peer: 2)])
  }

  /// Somebody else may have asked for it.
  @Test(
    arguments: [
      (0x200A, "01", true), (0x200A, "00", false), (0x2039, "01 01 00 00 00 00", true), (0x2039, "00 00", false),
      (0x2039, "00 01 00 00 00 00", true),
    ] as [(UInt16, String, Bool)])
  func `while the host advertises`(last opcode: UInt16, _ parameters: String, isOn: Bool) throws {
    var host = HostSide()
    reset(&host)
    host.command(0x2039, hex("01 01 00 00 00 00"))
    host.command(opcode, hex(parameters))
    host.create(peer: 2)
    host.sent(hex("02 05 02"))
    #expect(try told(host) == [isOn ? Self.unknown : Told(peer: 2)])
  }

  /// ATT's own channel is there over Low Energy only.
  @Test func `beside one over BR/EDR that is attempted`() throws {
    var host = HostSide()
    reset(&host)
    host.create(peer: 2)
    host.command(0x0405, HostSide.address(3) + hex("18 cc 01 00 00 00 01"))
    host.sent(hex("02 05 02"))
    #expect(try told(host) == [Told(peer: 2)])
  }

  /// The controller tells who it is: the event came late, and was not lost.
  @Test func `as it seems, until it is reported`() throws {
    var host = HostSide()
    reset(&host)
    host.create(peer: 2)
    host.sent(hex("02 05 02"))
    host.connected(peer: 2)
    #expect(try summary(of: host.file()).connections.map { $0.address?.description.suffix(2) } == ["02"])
    #expect(try told(host) == [Told(peer: 2), Told(peer: 2)])
  }
}

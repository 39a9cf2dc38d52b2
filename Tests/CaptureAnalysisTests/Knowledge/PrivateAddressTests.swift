import BluetoothHost
import CaptureFiles
import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

@Suite struct `Private addresses` {
  private static let key = PrivateDevice.key
  private static let address = PrivateDevice.address
  private static let identity = PrivateDevice.identity

  private func connect(_ host: inout HostSide, _ address: [UInt8]) {
    host.leEvent(0x01, [0] + hex("40 00 00 01") + address + hex("18 00 00 00 48 00 00"))
  }

  /// The peer tells its key and its lasting address: Identity Information, Identity Address Information.
  private func pair(_ host: inout HostSide, on handle: UInt16 = 0x40, channel: UInt16 = 6) {
    host.l2cap(on: handle, .received, channel: channel, [0x08] + Self.key)
    host.l2cap(on: handle, .received, channel: channel, [0x09, 0x01] + Self.identity)
  }

  /// The connection ends, and another with the peer's other address begins, on which a rate comes.
  private func comeBack(_ host: inout HostSide, _ address: [UInt8]) {
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, address)
    host.notified([0x00, 70])
  }

  private func handles(_ host: HostSide) throws -> [UInt16: Int] { try InferredCapture(host).measurements }

  @Test func `resolved with the key from pairing`() throws {
    var host = HostSide()
    connect(&host, Self.identity)
    host.discoverHeartRate()
    pair(&host)
    comeBack(&host, Self.address)
    #expect(try handles(host) == [16: 1])
  }

  /// Devices of both kinds tell their keys where they pair first.
  @Test func `resolved with the key from pairing over BR-EDR`() throws {
    var host = HostSide()
    host.connectedClassic(0x0B)
    pair(&host, on: 0x0B, channel: 7)
    connect(&host, Self.identity)
    host.discoverHeartRate()
    comeBack(&host, Self.address)
    #expect(try handles(host) == [16: 1])
  }

  @Test func `what was learned under a private address is the device's own`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.discoverHeartRate()
    pair(&host)
    comeBack(&host, Self.identity)
    #expect(try handles(host) == [16: 1])
  }

  @Test func `a failure is made good under another address`() throws {
    var host = HostSide()
    host.giveKey()
    connect(&host, Self.address)
    host.disconnected(reason: 0x3E)
    connect(&host, Self.identity)
    host.discoverHeartRate()
    let findings = try host.findings(of: "connection-not-established")
    #expect(findings.map(\.severity) == [.warning], "\(findings.map(\.message))")
  }

  /// Rules that look at several connections ask when each begins.
  @Test func `of the connection that pairs, known from its beginning`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.discoverHeartRate()
    pair(&host)
    comeBack(&host, Self.identity)
    let peers = try InferredCapture(host).events.compactMap { event -> DeviceAddress? in
      if case .connected(let connected) = event.content { connected.peer.lastingAddress } else { nil }
    }
    #expect(peers.count == 2 && Set(peers).count == 1)
  }

  /// Two devices whose lasting addresses are zeros are not one.
  @Test func `no lasting address is nobody's`() throws {
    var host = HostSide()
    for (peer, first) in [(0x0A, 1), (0x0B, 2)] as [(UInt8, UInt8)] {
      connect(&host, [peer, 0, 0, 0, 0, 0x52])
      if peer == 0x0A { host.discoverHeartRate() }
      host.l2cap(.received, channel: 6, [0x08, first] + Self.key.dropFirst())
      host.l2cap(.received, channel: 6, hex("09 00 00 00 00 00 00 00"))
      host.notified([0x00, first])
      host.disconnected()
      host.wait(milliseconds: 2000)
    }
    let measurements = try InferredCapture(host).events.compactMap(\.content.heartRate?.reading.beatsPerMinute)
    #expect(measurements == [1])
  }

  /// Nor does a host that names none take from a device what is known of it.
  @Test func `no lasting address makes a private one no less a device's`() throws {
    var host = HostSide()
    host.command(0x2027, Array(repeating: 0, count: 7) + Self.key + Array(repeating: 0, count: 16))
    connect(&host, Self.address)
    host.discoverHeartRate()
    comeBack(&host, Self.address)
    #expect(try handles(host) == [16: 1])
  }

  @Test func `resolved with the key that the host gives its controller`() throws {
    var host = HostSide()
    host.giveKey()
    connect(&host, Self.identity)
    host.discoverHeartRate()
    comeBack(&host, Self.address)
    #expect(try handles(host) == [16: 1])
  }

  /// What was discovered under one private address holds though only the name was read under a later one.
  @Test func `all that was learned under private addresses is the device's own`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.discoverHeartRate()
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, Self.identity)
    host.sent(hex("08 01 00 ff ff 00 2a"))
    host.received(hex("09 05 03 00 41 42 43"))
    host.disconnected()
    host.wait(milliseconds: 2000)
    host.command(0x2027, [0x01] + hex("02 11 22 33 44 c5") + Self.key + Array(repeating: 0, count: 16))
    connect(&host, hex("02 11 22 33 44 c5"))
    host.notified([0x00, 70])
    #expect(try handles(host) == [16: 1])
  }

  /// What is discovered after it was told whose private address it is belongs to the device too, whatever was known of
  /// it under another one.
  @Test func `what is learned behind the pairing is the device's own`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.sent(hex("08 01 00 ff ff 00 2a"))
    host.received(hex("09 05 03 00 41 42 43"))
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, hex("01 02 03 04 05 46"))
    pair(&host)
    host.discoverHeartRate()
    comeBack(&host, Self.identity)
    #expect(try handles(host) == [16: 1])
  }

  /// What came before the key is the device's as well.
  @Test func `resolved with a key that comes on a later connection`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.notified([0x00, 70])
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, hex("01 02 03 04 05 46"))
    pair(&host)
    host.discoverHeartRate()
    host.notified([0x00, 71])
    #expect(try handles(host) == [16: 2])
  }

  /// Nothing tells that this one is the device's too.
  @Test func `not resolved with another device's key that comes on a later connection`() throws {
    var host = HostSide()
    connect(&host, hex("ab fb 0d 94 81 70"))
    host.notified([0x00, 70])
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, hex("01 02 03 04 05 46"))
    pair(&host)
    host.discoverHeartRate()
    host.notified([0x00, 71])
    let capture = try InferredCapture(host)
    #expect(capture.measurements == [16: 1])
    #expect(!capture.conclusions.identities.areLate)
  }

  /// Keys are carried to captures that are read after this one.
  @Test func `resolved with a key from another capture`() throws {
    var first = HostSide()
    connect(&first, Self.identity)
    first.giveKey()
    first.discoverHeartRate()
    var knowledge = CaptureKnowledge()
    knowledge.remember(try InferredCapture(first).conclusions)
    var second = HostSide()
    connect(&second, Self.address)
    second.notified([0x00, 70])
    #expect(try InferredCapture(second, knowledge).measurements == [16: 1])
  }

  /// A host knows a few; of many captures that are read one after another, all are remembered.
  @Test func `resolved though other captures held more keys than a host knows`() throws {
    var first = HostSide()
    for number in 0..<100 {
      let (identity, key) = ([UInt8(number)] + Self.identity.dropFirst(), [UInt8(number)] + Self.key.dropFirst())
      first.command(0x2027, [0x01] + identity + key + Array(repeating: 0, count: 16))
    }
    first.connected()
    var knowledge = CaptureKnowledge()
    knowledge.remember(try InferredCapture(first).conclusions)
    var second = HostSide()
    second.command(0x2027, [0x01] + hex("ee 11 22 33 44 c5") + Self.key + Array(repeating: 0, count: 16))
    connect(&second, hex("ee 11 22 33 44 c5"))
    second.discoverHeartRate()
    second.disconnected()
    second.wait(milliseconds: 2000)
    connect(&second, Self.address)
    second.notified([0x00, 70])
    #expect(try InferredCapture(second, knowledge).measurements == [16: 1])
  }

  /// The same number, but a public address: another device.
  @Test func `what another capture told of a random address does not hold for a public one`() throws {
    var first = HostSide()
    connect(&first, Self.identity)
    first.discoverHeartRate()
    var knowledge = CaptureKnowledge()
    knowledge.remember(try InferredCapture(first).conclusions)
    for (type, count) in [(UInt8(0), 0), (1, 1)] {
      var second = HostSide()
      second.leEvent(0x01, [0] + hex("40 00 00") + [type] + Self.identity + hex("18 00 00 00 48 00 00"))
      second.notified([0x00, 70])
      #expect(try InferredCapture(second, knowledge).measurements[16, default: 0] == count)
    }
  }

  @Test func `another device's private address is not`() throws {
    var host = HostSide()
    host.giveKey()
    connect(&host, Self.identity)
    host.discoverHeartRate()
    host.disconnected()
    host.wait(milliseconds: 2000)
    connect(&host, hex("ab fb 0d 94 81 70"))
    host.notified([0x00, 70])
    #expect(try handles(host).isEmpty)
  }
}

import CaptureFiles
import TestSupport
import Testing

@testable import CaptureAnalysis

/// A device has one table, under whatever address and by whatever adapter it is reached.
@Suite struct `A device's table` {
  private static let key = PrivateDevice.key
  private static let address = PrivateDevice.address
  private static let identity = PrivateDevice.identity

  /// A connection under an address, or under the lasting one behind a private one that the controller resolves.
  private func connect(
    _ host: inout HostSide, _ address: [UInt8], resolved: [UInt8]? = nil, on handle: UInt16 = 0x40
  ) {
    let parameters = [0] + handle.little + [0x00, resolved == nil ? 0x01 : 0x03] + address
    let privates = resolved.map { Array(repeating: 0, count: 6) + $0 } ?? []
    host.leEvent(resolved == nil ? 0x01 : 0x0A, parameters + privates + hex("18 00 00 00 48 00 00"))
  }

  /// A heart rate that says nothing of itself, and the end of the connection.
  private func measure(_ host: inout HostSide, on handle: UInt16 = 0x40) {
    host.notified(on: handle, [0x00, 70])
    host.disconnected(handle)
    host.wait(milliseconds: 2000)
  }

  private func count(_ octets: [UInt8]) throws -> Int { try InferredCapture(octets).measurements[16, default: 0] }

  /// Before the key comes, the table was found under a private address; or it is found when it has come.
  @Test(arguments: [0x40, 0x41] as [UInt16]) func `is its own when its key comes`(handle: UInt16) throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.discoverHeartRate()
    measure(&host)
    connect(&host, Self.identity, on: handle)
    host.l2cap(on: handle, .received, channel: 6, [0x08] + Self.key)
    host.l2cap(on: handle, .received, channel: 6, [0x09, 0x01] + Self.identity)
    measure(&host, on: handle)
    #expect(try count(host.file()) == 2)

    var later = HostSide()
    connect(&later, Self.identity, on: handle)
    measure(&later, on: handle)
    connect(&later, Self.address)
    later.giveKey()
    later.discoverHeartRate()
    measure(&later)
    #expect(try count(later.file()) == 2)
  }

  /// The lasting address is known by then, and what came first under a private one is the device's, too.
  @Test func `is its own for what came under another private address`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    measure(&host)
    connect(&host, hex("01 02 03 04 05 46"))
    host.discoverHeartRate()
    host.disconnected()
    connect(&host, Self.identity, resolved: hex("01 02 03 04 05 46"))
    host.giveKey()
    measure(&host)
    #expect(try count(host.file()) == 2)
  }

  /// Core 6.0, Vol 4, Part E, 7.7.65.10: Peer_Resolvable_Private_Address.
  @Test func `is its own when a controller tells whose a private address is`() throws {
    var host = HostSide()
    connect(&host, Self.address)
    host.discoverHeartRate()
    measure(&host)
    connect(&host, Self.identity, resolved: Self.address)
    measure(&host)
    #expect(try count(host.file()) == 2)
    // Of another one, nobody says so.
    var other = HostSide()
    connect(&other, Self.address)
    other.discoverHeartRate()
    measure(&other)
    connect(&other, Self.identity, resolved: hex("ab fb 0d 94 81 70"))
    measure(&other)
    #expect(try count(other.file()) == 1)
  }

  /// One adapter discovers it, while or after the other one gets its values.
  @Test(arguments: [true, false]) func `holds for all adapters, whichever finds it`(isOver: Bool) throws {
    var host = HostSide()
    connect(&host, Self.identity)
    host.notified([0x00, 70])
    if isOver { host.disconnected() }
    host.adapter = 1
    connect(&host, Self.identity)
    host.discoverHeartRate()
    measure(&host)
    if !isOver {
      host.adapter = 0
      host.notified([0x00, 71])
      host.disconnected()
    }
    #expect(try count(host.file(.btsnoopMonitor)) == (isOver ? 2 : 3))
  }

  /// One capture holds the table, under a private address, the other one the key.
  @Test(arguments: [true, false]) func `is told by two captures, in whatever order`(keyComesFirst: Bool) throws {
    var table = HostSide()
    connect(&table, Self.address)
    table.discoverHeartRate()
    measure(&table)
    var key = HostSide()
    key.giveKey()
    connect(&key, Self.identity)
    measure(&key)
    let told = try [table, key].map { try InferredCapture($0).conclusions }
    var together = Conclusions()
    for conclusions in keyComesFirst ? told.reversed() : told { together.fillIn(from: conclusions.ofDevices) }
    let help = try #require(told[1].help(from: PeerTables(of: together)))
    var knowledge = CaptureKnowledge()
    knowledge.remember(help)
    #expect(try InferredCapture(key, knowledge).measurements == [16: 1])
  }
}

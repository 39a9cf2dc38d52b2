import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// Handles are given to other peers, events come late, logs have holes: what belongs together stays together.
@Suite struct `Connections` {
  private func address(_ last: UInt8) -> DeviceAddress { DeviceAddress(0xC544_3322_1100 | UInt64(last), .random) }

  private func bpm(_ connection: AnalyzedConnection?) -> [UInt16?] {
    connection?.measurements.map(\.reading.beatsPerMinute) ?? []
  }

  /// What stands where no address is known, or was taken out, is nobody's: two that have it are two.
  @Test(arguments: [0x00, 0xFF] as [UInt8], [0, 1] as [UInt8])
  func `an address of no device`(octet: UInt8, kind: UInt8) throws {
    var host = HostSide()
    for handle in [0x40, 0x41, 0x42] as [UInt16] {
      let address = Array(repeating: octet, count: 6)
      host.leEvent(1, [0] + handle.little + [0, kind] + address + hex("18 00 00 00 48 00 00"))
      if handle < 0x42 { host.discoverHeartRate(on: handle, first: handle == 0x40 ? 14 : 50) }
    }
    for rate in [60, 61] as [UInt8] {
      host.notified(on: 0x40, attribute: 16, [0x06, rate])
      host.notified(on: 0x41, attribute: 52, [0x06, rate + 10])
      host.notified(on: 0x42, attribute: 16, [rate])
    }
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60, 61], [70, 71], []])
    #expect(connections.allSatisfy { $0.connected?.peer.address != nil })
  }

  @Test(arguments: Container.allCases)
  func `from its making to its end, in every file format`(container: Container) throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0x16, 72, 0xE8, 0x03])
    host.disconnected()
    let connections = try Analysis(host.file(container)).connections
    try #require(connections.count == 1)
    #expect(bpm(connections[0]) == [72])
    #expect(connections[0].connected?.peer.address == address(1))
    #expect(connections[0].connected?.role == .central && connections[0].connected?.isLowEnergy == true)
    #expect(connections[0].subscriptions.map(\.handle) == [17] && connections[0].subscriptions[0].valueHandle == 16)
    #expect(connections[0].disconnections == [HCIErrorCode(rawValue: 0x13)])
    #expect(connections[0].events.last?.content.kind == .disconnected)
  }

  @Test(arguments: [Container.btsnoopH4, .btsnoopMonitor])
  func `the strength of a signal`(container: Container) throws {
    var host = HostSide()
    host.connected()
    host.command(0x1405, hex("40 00"))
    host.event(0x0E, hex("01 05 14 00 40 00 c4"))
    // The last packet of all is looked at more closely.
    host.disconnected()
    let strengths = try Analysis(host.file(container)).connections.first?.events.compactMap { event in
      if case .rssi(let strength) = event.content { strength } else { nil }
    }
    #expect(strengths == [-60])
  }

  /// A controller without the command names no connection in its answer.
  @Test func `the strength of a signal that the controller cannot tell`() throws {
    var host = HostSide()
    host.connected()
    host.command(0x1405, hex("40 00"))
    host.event(0x0E, hex("01 05 14 01"))
    let events = try Analysis(host.file()).events
    #expect(!events.contains { $0.content.kind == .malformed || $0.content.kind == .rssi })
  }

  @Test(arguments: ConnectionCompleteForm.allCases)
  func `every form of the event that makes one`(form: ConnectionCompleteForm) throws {
    var host = HostSide()
    host.connected(0x123, peer: 9, form, isPeripheral: true)
    let connected = try #require(try Analysis(host.file()).connections.first?.connected)
    #expect(connected.handle == 0x123 && connected.role == .peripheral && connected.wasSeen)
    #expect(connected.peer.address == address(9))
    #expect(connected.parameters?.interval == 24 && connected.parameters?.supervisionTimeout == 72)
  }

  @Test func `a handle given to another peer after the disconnection`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.disconnected()
    host.wait(milliseconds: 5000)
    host.connected(peer: 2)
    host.discoverHeartRate(first: 30)
    host.notified(attribute: 32, [0x00, 70])
    // The first sensor's handle means nothing here.
    host.notified(attribute: 16, [0x00, 99])
    host.disconnected()
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60], [70]])
    #expect(connections.map { $0.connected?.peer.address } == [address(1), address(2)])
    #expect(connections.map { $0.disconnections.count } == [1, 1])
  }

  @Test func `a handle given to another peer, and the disconnection is not in the log`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.connected(peer: 2)
    host.discoverHeartRate(first: 30)
    host.notified(attribute: 32, [0x00, 70])
    host.notified(attribute: 16, [0x00, 99])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60], [70]])
    // Its end was not seen: the reason is unknown.
    #expect(connections.map { $0.disconnections } == [[nil], []])
  }

  /// The next connection's making may be reported before the last one's end; but the end of one whose peer was never
  /// heard, 3E, and one that comes later, is its own.
  @Test(arguments: [(0x08, 0, true), (0x3E, 0, false), (0x08, 500, false)] as [(UInt8, Int64, Bool)])
  func `a handle given to another peer before the disconnection`(reason: UInt8, later: Int64, isOfLast: Bool) throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.connected(peer: 2)
    host.wait(milliseconds: later)
    host.disconnected(reason: reason)
    host.wait(milliseconds: 2000)
    host.discoverHeartRate(first: 30)
    host.notified(attribute: 32, [0x00, 70])
    host.disconnected()
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == (isOfLast ? [[60], [70]] : [[60], [], [70]]))
    #expect(connections[1].disconnections.map(\.?.rawValue) == [isOfLast ? 0x13 : reason])
  }

  @Test func `an unfinished PDU does not reach into the next connection`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.fragment(.received, hex("0b 00 04 00 1b 10 00"))
    host.connected(peer: 1)
    host.fragment(.received, isContinuation: true, hex("00 3c 00 00 00 00 00 00"))
    host.notified([0x00, 61])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[], [61]])
  }

  @Test func `a request does not wait beyond its connection`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.sent(hex("0a 03 00"))
    host.disconnected()
    host.wait(milliseconds: 2000)
    host.connected(peer: 2)
    host.received(hex("0b 41 42"))
    let reads = try Analysis(host.file()).events.filter { $0.content.kind == .read }
    #expect(reads.isEmpty)
  }

  @Test func `crossed attribute handles`() throws {
    var host = HostSide()
    for (index, first) in [14, 22, 30].enumerated() {
      host.connected(0x40 + UInt16(index), peer: UInt8(index))
      host.discoverHeartRate(on: 0x40 + UInt16(index), first: UInt16(first))
    }
    for beat in 0..<3 as Range<UInt8> {
      host.notified(on: 0x40, attribute: 16, [0, 60 + beat])
      host.notified(on: 0x41, attribute: 16, [0, 99])
      host.notified(on: 0x41, attribute: 24, [0, 70 + beat])
      host.notified(on: 0x42, attribute: 24, [0, 99])
      host.notified(on: 0x42, attribute: 32, [0, 80 + beat])
      host.notified(on: 0x40, attribute: 32, [0, 99])
    }
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60, 61, 62], [70, 71, 72], [80, 81, 82]])
  }

  @Test func `fragments of several connections interleaved`() throws {
    var host = HostSide()
    for handle in [0x40, 0x41] as [UInt16] {
      host.connected(handle, peer: UInt8(handle))
      host.discoverHeartRate(on: handle)
    }
    host.fragment(on: 0x40, .received, hex("05 00 04"))
    host.fragment(on: 0x41, .received, hex("05 00 04 00 1b"))
    host.fragment(on: 0x40, .received, isContinuation: true, hex("00 1b 10 00 00"))
    host.fragment(on: 0x40, .sent, hex("03 00 04 00 0a 03"))
    host.fragment(on: 0x41, .received, isContinuation: true, hex("10 00 00 50"))
    host.fragment(on: 0x40, .received, isContinuation: true, hex("3c"))
    host.fragment(on: 0x40, .sent, isContinuation: true, hex("00"))
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60], [80]])
    #expect(connections.allSatisfy { $0.malformed.isEmpty })
  }

  /// Core 6.0, Vol 4, Part E, 5.4.2: what goes to all peripherals of a piconet is another stream.
  @Test(arguments: [Container.btsnoopH4, .pcapH4])
  func `a broadcast between the fragments of a PDU`(container: Container) throws {
    var host = HostSide()
    host.connectedClassic()
    host.openClassicATT(here: 0x41, there: 0x55)
    host.l2cap(.sent, channel: 1, hex("04 02 08 00 55 00 00 00 01 02 b9 00"))
    host.l2cap(.received, channel: 1, hex("04 03 08 00 41 00 00 00 01 02 a0 00"))
    host.l2cap(.sent, channel: 0x55, hex("08 01 00 ff ff 03 28"))
    host.l2cap(.received, channel: 0x41, hex("09 07 0f 00 10 10 00 37 2a"))
    host.fragment(.received, hex("07 00 41 00 1b 10"))
    // Connectionless data for PSM 1001: whole, and in two fragments.
    host.fragment(.received, isBroadcast: true, hex("04 00 02 00 01 10 aa bb"))
    host.fragment(.received, isBroadcast: true, hex("04 00 02 00 01"))
    host.fragment(.received, isContinuation: true, hex("00 16 49"))
    host.fragment(.received, isContinuation: true, isBroadcast: true, hex("10 aa bb"))
    host.fragment(.received, isContinuation: true, hex("01 04"))
    let connection = try #require(try Analysis(host.file(container)).connections.first)
    #expect(bpm(connection) == [73] && connection.malformed.isEmpty)
  }

  /// Core 6.0, Vol 3, Part A, 5.4: in other modes than the basic one PDUs are numbered. What is asked for may be refused, and
  /// another mode be asked for then.
  @Test(arguments: [true, false]) func `a BR-EDR channel in another mode is not read as if it were basic`(
    isRefused: Bool
  ) throws {
    var host = HostSide()
    host.connectedClassic()
    host.openClassicATT(here: 0x41, there: 0x55)
    host.l2cap(.sent, channel: 1, hex("04 02 0f 00 55 00 00 00 04 09 03 08 03 d0 07 e0 2e c8 00"))
    if isRefused {
      host.l2cap(.received, channel: 1, hex("05 02 11 00 41 00 00 00 01 00 04 09 00 00 00 00 00 00 00 00 00"))
      host.l2cap(.sent, channel: 1, hex("04 03 04 00 55 00 00 00"))
    }
    for pdu in ["08 01 00 ff ff 03 28", "09 07 0f 00 10 10 00 37 2a", "1b 10 00 00 49"] {
      let isSent = pdu.hasPrefix("08")
      // A number stands before it, and a check sequence behind it.
      let payload = isRefused ? hex(pdu) : hex("02 00") + hex(pdu) + hex("12 34")
      host.l2cap(isSent ? .sent : .received, channel: isSent ? 0x55 : 0x41, payload)
    }
    let connection = try #require(try Analysis(host.file()).connections.first)
    #expect(bpm(connection) == (isRefused ? [73] : []) && connection.malformed.isEmpty)
  }

  /// Core 6.0, Vol 3, Part A, 4.4: several requests are one where each but the last says that it goes on, and what is not
  /// told stays as it was.
  @Test(arguments: [true, false]) func `a BR-EDR channel whose mode is not told again`(isOneRequest: Bool) throws {
    var host = HostSide()
    host.connectedClassic()
    host.openClassicATT(here: 0x41, there: 0x55)
    for (direction, channel) in [(Direction.sent, "55"), (.received, "41")] {
      let flags = isOneRequest ? "01" : "00"
      host.l2cap(direction, channel: 1, hex("04 02 0f 00 \(channel) 00 \(flags) 00 04 09 03 08 03 d0 07 e0 2e c8 00"))
      host.l2cap(direction, channel: 1, hex("04 03 08 00 \(channel) 00 00 00 01 02 b9 00"))
    }
    for pdu in ["08 01 00 ff ff 03 28", "09 07 0f 00 10 10 00 37 2a", "1b 10 00 00 49"] {
      let isSent = pdu.hasPrefix("08")
      host.l2cap(isSent ? .sent : .received, channel: isSent ? 0x55 : 0x41, hex("02 00") + hex(pdu) + hex("12 34"))
    }
    let connection = try #require(try Analysis(host.file()).connections.first)
    #expect(bpm(connection).isEmpty && connection.malformed.isEmpty)
    #expect(try summary(of: host.file()).findings.isEmpty)
  }

  /// On a Low Energy link there are no broadcasts: the flag says nothing.
  @Test func `the flag of broadcasts on a Low Energy link`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.fragment(.received, isBroadcast: true, hex("05 00 04 00 1b 10 00 00 3c"))
    host.fragment(.received, isBroadcast: true, hex("05 00 04 00 1b 10"))
    host.fragment(.received, isContinuation: true, isBroadcast: true, hex("00 00 3d"))
    #expect(try bpm(Analysis(host.file()).connections.first) == [60, 61])
  }

  @Test func `reconnection without discovery`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.disconnected()
    host.wait(milliseconds: 60_000)
    // In between, another sensor had the handle.
    host.connected(peer: 2)
    host.discoverHeartRate(first: 30)
    host.disconnected()
    host.wait(milliseconds: 60_000)
    host.connected(0x40, peer: 1)
    host.write(attribute: 17, [1, 0])
    host.notified([0x00, 61])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60], [], [61]])
    let subscription = try #require(connections[2].subscriptions.first)
    #expect(subscription.valueHandle == 16 && subscription.uuid == .heartRateMeasurement)
  }

  /// The beginning of the capture is missing: what appears is a connection all the same.
  @Test func `a connection whose making is not in the capture`() throws {
    var host = HostSide()
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.disconnected(reason: 0x08)
    let connections = try Analysis(host.file()).connections
    try #require(connections.count == 1)
    #expect(connections[0].connected?.wasSeen == false && connections[0].connected?.role == nil)
    #expect(connections[0].connected?.peer.address == nil)
    #expect(bpm(connections[0]) == [60] && connections[0].disconnections == [HCIErrorCode(rawValue: 0x08)])
  }

  /// Controllers may hand data up before the event that tells of the connection.
  @Test func `data shortly before the connection's event belongs to it`() throws {
    var host = HostSide()
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.connected(peer: 1)
    host.notified([0x00, 61])
    host.disconnected()
    let connections = try Analysis(host.file()).connections
    try #require(connections.count == 1)
    #expect(bpm(connections[0]) == [60, 61])
    #expect(connections[0].peer?.address == address(1))
    #expect(connections[0].disconnections.count == 1)
  }

  @Test func `what those data teach is known on the next connection, too`() throws {
    var host = HostSide()
    host.discoverHeartRate()
    host.connected(peer: 1)
    host.disconnected()
    host.connected(peer: 1)
    host.notified([0x00, 61])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[], [61]])
  }

  @Test func `data long before a connection's event belongs to an earlier one`() throws {
    var host = HostSide()
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.wait(milliseconds: 30_000)
    host.connected(peer: 1)
    host.notified([0x00, 61])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60], []])
    #expect(connections.first?.disconnections == [nil])
  }

  /// The clock says that the handle's new connection was made before the old one's first packet, or at the same moment.
  @Test(arguments: [(0, 3_600_000), (0, 2000), (60_000, 60_000)] as [(Int64, Int64)])
  func `data before a clock was set back belong to an earlier connection`(pause: Int64, step: Int64) throws {
    var host = HostSide()
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.wait(milliseconds: pause)
    host.event(0x0F, [0, 1, 0, 0])
    host.wait(milliseconds: -step)
    host.connected(peer: 2)
    host.notified([0x00, 99])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60], []])
    #expect(connections.map { $0.connected?.peer.address } == [nil, address(2)])
  }

  /// Events and data come from two sources, whose times may differ by a little.
  @Test func `data that a clock puts shortly behind the connection's event belong to it`() throws {
    var host = HostSide()
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.wait(milliseconds: -600)
    host.connected(peer: 1)
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60]])
    #expect(connections.first?.peer?.address == address(1))
  }

  /// pcapng's Simple Packet Blocks: nothing tells how long a connection has been there.
  @Test func `without times, data before a connection's event are nobody's`() throws {
    var host = HostSide()
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.connected(peer: 2)
    host.notified([0x00, 99])
    let builder = PCAPNGBuilder()
    let file = host.packets.reduce(into: builder.section + builder.interface(linkType: 201)) { file, packet in
      file += builder.simple(PCAPBuilder.linkHeader(201, packet) + packet.octets)
    }
    let connections = try Analysis(file).connections
    #expect(connections.map { bpm($0) } == [[60], []])
    #expect(connections.map { $0.connected?.peer.address } == [nil, address(2)])
  }

  @Test func `data shortly after the disconnection belongs to the connection that ended`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.disconnected()
    host.notified([0x00, 61])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60, 61]])
  }

  @Test func `data long after the disconnection belongs to a connection that was not seen`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.disconnected()
    host.wait(milliseconds: 1500)
    host.discoverHeartRate(first: 30)
    host.notified(attribute: 32, [0x00, 61])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[], [61]])
    #expect(connections.map { $0.connected?.wasSeen } == [true, false])
  }

  /// A disconnection, and at once a connection with the same handle: late data of the first comes before it.
  @Test func `late data between two connections belongs to the first`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.disconnected()
    host.notified([0x00, 60])
    host.connected(peer: 2)
    host.discoverHeartRate(first: 30)
    host.notified(attribute: 32, [0x00, 70])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60], [70]])
    #expect(connections.map { $0.connected?.peer.address } == [address(1), address(2)])
  }

  @Test(arguments: Container.allCases.filter(\.tellsAdapter))
  func `two adapters with the same handles never mix`(container: Container) throws {
    var host = HostSide()
    for adapter in [0, 1] as [UInt16] {
      host.adapter = adapter
      host.connected(peer: UInt8(adapter))
      host.discoverHeartRate(first: adapter == 0 ? 14 : 30)
    }
    for beat in 0..<3 as Range<UInt8> {
      host.adapter = 0
      host.notified(attribute: 16, [0, 60 + beat])
      host.notified(attribute: 32, [0, 99])
      host.adapter = 1
      host.notified(attribute: 16, [0, 99])
      host.notified(attribute: 32, [0, 80 + beat])
    }
    host.adapter = 0
    host.disconnected()
    host.adapter = 1
    host.notified(attribute: 32, [0, 83])
    let connections = try Analysis(host.file(container)).connections
    #expect(connections.map { bpm($0) } == [[60, 61, 62], [80, 81, 82, 83]])
    #expect(connections.map { $0.connected?.adapter } == [0, 1])
    #expect(connections.map { $0.disconnections.count } == [1, 0])
  }

  /// The same peer on two adapters: what either discovers itself is its own.
  @Test func `two adapters and one peer`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.adapter = 1
    host.connected(peer: 1)
    host.discoverHeartRate(first: 30)
    host.notified(attribute: 32, [0, 80])
    host.notified(attribute: 16, [0, 99])
    host.adapter = 0
    host.notified(attribute: 16, [0, 60])
    host.notified(attribute: 32, [0, 99])
    let connections = try Analysis(host.file(.btsnoopMonitor)).connections
    #expect(connections.map { bpm($0) } == [[60], [80]])
  }

  /// The computer knows the server from an earlier day; the capture, from its other adapter.
  @Test func `a peer that another adapter discovered is known`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.disconnected()
    host.adapter = 1
    host.connected(peer: 1)
    host.notified(attribute: 16, [0, 60])
    host.connected(0x41, peer: 2)
    host.notified(on: 0x41, attribute: 16, [0, 99])
    let connections = try Analysis(host.file(.btsnoopMonitor)).connections
    #expect(connections.map { bpm($0) } == [[], [60], []])
  }

  @Test func `a reset ends all connections of its adapter`() throws {
    var host = HostSide()
    host.connected(0x40, peer: 1)
    host.connected(0x41, peer: 2)
    host.adapter = 1
    host.connected(0x40, peer: 3)
    host.adapter = 0
    host.event(0x0E, hex("01 03 0c 00"))
    let connections = try Analysis(host.file(.btsnoopMonitor)).connections
    #expect(connections.map { $0.disconnections } == [[nil], [nil], []])
  }

  @Test func `an adapter that is taken away ends its connections`() throws {
    var host = HostSide()
    host.connected()
    host.add(.deleteIndex, .sent, [])
    host.notified([0, 60])
    let connections = try Analysis(host.file(.btsnoopMonitor)).connections
    #expect(connections.first?.disconnections == [nil])
  }

  @Test func `a reset that fails ends nothing`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.event(0x0E, hex("01 03 0c 0c"))
    host.wait(milliseconds: 2000)
    host.notified([0, 60])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60]] && connections.first?.disconnections == [])
  }

  /// The next adapter has the number of one that was taken away: what comes from it is no late data of that one's.
  @Test(arguments: [false, true]) func `nothing comes late from an adapter that is gone`(isClosedBefore: Bool) throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.notified([0, 60])
    if isClosedBefore { host.add(.closeIndex, .sent, []) }
    host.add(.deleteIndex, .sent, [])
    host.notified([0, 99])
    host.connected(peer: 2)
    host.discoverHeartRate(first: 30)
    host.notified(attribute: 32, [0, 70])
    let connections = try Analysis(host.file(.btsnoopMonitor)).connections
    #expect(connections.map { bpm($0) } == [[60], [70]])
    #expect(connections.map { $0.connected?.peer.address } == [address(1), address(2)])
  }

  @Test func `a disconnection that fails ends nothing`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.event(0x05, hex("0c 40 00 16"))
    host.notified([0, 60])
    let connections = try Analysis(host.file()).connections
    #expect(connections.map { bpm($0) } == [[60]] && connections.first?.disconnections == [])
  }

  /// Without a direction in the file, a continuation follows the start before it.
  @Test func `fragments in a capture that does not tell directions`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0x16, 72, 0xE8, 0x03], split: [1, 4])
    host.sent(hex("12 11 00 01 00"), split: [5])
    host.received(hex("13"))
    host.notified([0x16, 73, 0xE8, 0x03], split: [8])
    let connections = try Analysis(host.file(.pcapH4)).connections
    #expect(connections.map { bpm($0) } == [[72, 73]])
    #expect(connections.first?.subscriptions.map(\.handle) == [17])
    #expect(connections.allSatisfy { $0.malformed.isEmpty })
  }

  /// Many connections, each in a handle of its own and in the same one: none is lost.
  @Test func `a thousand connections`() throws {
    var host = HostSide()
    for index in 0..<1000 {
      host.connected(UInt16(index % 300), peer: UInt8(index % 256))
      host.disconnected(UInt16(index % 300))
    }
    let connections = try Analysis(host.file()).connections
    #expect(connections.count == 1000)
    #expect(connections.allSatisfy { $0.disconnections == [HCIErrorCode(rawValue: 0x13)] })
  }
}

@Suite struct `Attempts to connect` {
  private struct Attempt: Equatable {
    let peer: DeviceAddress?
    let outcome: ConnectAttemptEvent.Outcome
  }

  private func outcomes(_ host: HostSide) throws -> [Attempt] {
    try Analysis(host.file()).events.compactMap {
      guard case .connectAttempt(let event) = $0.content else { return nil }
      return Attempt(peer: event.peer, outcome: event.outcome)
    }
  }

  private static let peer = DeviceAddress(0xC544_3322_1101, .random)

  private func create(_ host: inout HostSide) {
    host.create()
    host.event(0x0F, hex("00 01 0d 20"))
  }

  @Test func `begun and made`() throws {
    var host = HostSide()
    create(&host)
    host.connected()
    #expect(try outcomes(host) == [Attempt(peer: Self.peer, outcome: .begun)])
    #expect(try Analysis(host.file()).connections.count == 1)
  }

  @Test func `failed`() throws {
    var host = HostSide()
    create(&host)
    host.connected(status: 0x3E)
    #expect(
      try outcomes(host) == [
        Attempt(peer: Self.peer, outcome: .begun),
        Attempt(peer: Self.peer, outcome: .failed(HCIErrorCode(rawValue: 0x3E))),
      ])
    #expect(try Analysis(host.file()).connections.isEmpty)
  }

  @Test func `cancelled`() throws {
    var host = HostSide()
    create(&host)
    host.command(0x200E)
    host.event(0x0E, hex("01 0e 20 00"))
    host.connected(status: 0x02)
    #expect(
      try outcomes(host) == [
        Attempt(peer: Self.peer, outcome: .begun),
        Attempt(peer: Self.peer, outcome: .cancelled),
      ])
  }

  @Test func `refused at once`() throws {
    var host = HostSide()
    host.create()
    host.event(0x0F, hex("0c 01 0d 20"))
    #expect(
      try outcomes(host) == [
        Attempt(peer: Self.peer, outcome: .begun),
        Attempt(peer: Self.peer, outcome: .failed(HCIErrorCode(rawValue: 0x0C))),
      ])
  }

  private static let other = DeviceAddress(0xC544_3322_1102, .public)

  /// What becomes of a BR/EDR connection: this host's attempt makes it or fails, or the peer makes it.
  enum Fate: CaseIterable { case made, failed, madeByPeer }

  /// BR/EDR has attempts of its own: they begin and end beside the one over Low Energy.
  @Test(arguments: Fate.allCases)
  func `cancelled, after a BR/EDR connection that was`(_ fate: Fate) throws {
    var host = HostSide()
    create(&host)
    if fate != .madeByPeer {
      host.command(0x0405, HostSide.address(2) + hex("18 cc 01 00 00 00 01"))
      host.event(0x0F, hex("00 01 05 04"))
    }
    if fate == .failed {
      host.event(0x03, hex("04 00 00") + HostSide.address(2) + hex("01 00"))
    } else {
      host.connectedClassic(0x0B, peer: 2)
    }
    host.command(0x200E)
    host.event(0x0E, hex("01 0e 20 00"))
    host.leEvent(0x01, hex("02") + Array(repeating: 0, count: 17))
    var expected = [Attempt(peer: Self.peer, outcome: .begun), Attempt(peer: Self.peer, outcome: .cancelled)]
    if fate != .madeByPeer { expected.insert(Attempt(peer: Self.other, outcome: .begun), at: 1) }
    if fate == .failed { expected.insert(Attempt(peer: Self.other, outcome: .failed(.pageTimeout)), at: 2) }
    #expect(try outcomes(host) == expected)
  }

  /// Whatever becomes of it, it is not told of the device that is asked for beside it.
  @Test func `failed, while a BR/EDR connection is attempted`() throws {
    var host = HostSide()
    create(&host)
    host.command(0x0405, HostSide.address(2) + hex("18 cc 01 00 00 00 01"))
    host.event(0x0F, hex("00 01 05 04"))
    host.leEvent(0x01, hex("3e") + Array(repeating: 0, count: 17))
    host.connectedClassic(0x0B, peer: 2)
    #expect(
      try outcomes(host) == [
        Attempt(peer: Self.peer, outcome: .begun),
        Attempt(peer: Self.other, outcome: .begun),
        Attempt(peer: Self.peer, outcome: .failed(.connectionFailedToBeEstablished)),
      ])
    let roles = try Analysis(host.file()).events.compactMap { event in
      if case .connected(let made) = event.content { made.role } else { nil }
    }
    #expect(roles == [.central])
  }

  @Test func `cancelled, after a second one that was refused`() throws {
    var host = HostSide()
    create(&host)
    host.create(peer: 2)
    host.event(0x0F, hex("0c 01 0d 20"))
    host.command(0x200E)
    host.event(0x0E, hex("01 0e 20 00"))
    host.leEvent(0x01, hex("02") + Array(repeating: 0, count: 17))
    let second = DeviceAddress(0xC544_3322_1102, .random)
    #expect(
      try outcomes(host) == [
        Attempt(peer: Self.peer, outcome: .begun),
        Attempt(peer: second, outcome: .begun),
        Attempt(peer: second, outcome: .failed(.commandDisallowed)),
        Attempt(peer: Self.peer, outcome: .cancelled),
      ])
  }

  /// A phone that is a peripheral as well goes on with what it attempts.
  @Test func `cancelled, after a connection as a peripheral`() throws {
    var host = HostSide()
    create(&host)
    host.connected(0x41, peer: 2, isPeripheral: true)
    host.command(0x200E)
    host.event(0x0E, hex("01 0e 20 00"))
    host.leEvent(0x01, hex("02") + Array(repeating: 0, count: 17))
    #expect(
      try outcomes(host) == [
        Attempt(peer: Self.peer, outcome: .begun),
        Attempt(peer: Self.peer, outcome: .cancelled),
      ])
  }

  /// Over BR/EDR, the peer of a connection tells whether it is the one that was attempted.
  @Test func `go on beside a BR/EDR connection that another peer has asked for`() throws {
    var host = HostSide()
    host.command(0x0405, HostSide.address(2) + hex("18 cc 01 00 00 00 01"))
    host.event(0x0F, hex("00 01 05 04"))
    for peer in [1, 2] as [UInt8] { host.connectedClassic(UInt16(peer), peer: peer) }
    #expect(try Analysis(host.file()).connections.map { $0.connected?.role } == [nil, .central])
  }

  @Test func `for anyone on the accept list`() throws {
    var host = HostSide()
    host.command(0x2043, hex("01 01 00 00 00 00 00 00 00 01") + Array(repeating: 0, count: 16))
    #expect(try outcomes(host) == [Attempt(peer: nil, outcome: .begun)])
  }

  /// One in 40 events is used, of which the peripheral may sleep through one; the last one asked for is refused.
  @Test(arguments: [(40, 24 * 40), (500, 24 * 500)] as [(UInt16, UInt16)])
  func `use some of their events`(factor: UInt16, interval: UInt16) throws {
    var host = HostSide()
    host.connected()
    host.leEvent(0x23, hex("00 40 00") + factor.little + hex("01 00 00 00 58 02"))
    host.leEvent(0x23, hex("0c 40 00 01 00 00 00 00 00 58 02"))
    let told = try Analysis(host.file()).events.compactMap { event in
      if case .parameters(let change) = event.content { change.parameters } else { nil }
    }
    #expect(told.map(\.interval) == [interval] && told.map(\.latency) == [1])
    #expect(told.map(\.supervisionTimeout) == [600] && told.map(\.subrateFactor) == [factor])
  }
}

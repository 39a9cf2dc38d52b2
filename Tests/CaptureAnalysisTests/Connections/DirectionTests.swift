import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// Link type 187 has no direction: what is said tells which way it went.
@Suite struct `Captures without directions` {
  private func bpm(_ connection: AnalyzedConnection?) -> [UInt16?] {
    connection?.measurements.map(\.reading.beatsPerMinute) ?? []
  }

  /// Without a direction, a continuation belongs to what is unfinished, whatever began and ended in between.
  @Test func `fragments of one direction between those of the other, without directions`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.fragment(.received, hex("08 00 04 00 1b 10 00 16 48"))
    host.sent(hex("52 20 00 01"))
    host.fragment(.received, isContinuation: true, hex("00 03 10"))
    // Both ends have something unfinished: a piece is of the one that it finishes, or else of the one with room for it.
    host.fragment(.received, hex("07 00 04 00 1b 10 00"))
    host.fragment(.sent, hex("0b 00 04 00 12 20 00 01 02"))
    host.fragment(.received, isContinuation: true, hex("16 49 e8 03"))
    host.fragment(.received, hex("05 00 04 00 1b 10 00"))
    host.fragment(.sent, isContinuation: true, hex("03 04 05"))
    host.fragment(.sent, isContinuation: true, hex("06 07 08"))
    host.fragment(.received, isContinuation: true, hex("06 4a"))
    // Of one, not even the header is there: what would be no header does not continue it.
    host.fragment(.sent, hex("0b 00 04 00 12 20 00 01 02"))
    host.fragment(.received, hex("07"))
    host.fragment(.sent, isContinuation: true, hex("03 04 05 06"))
    host.fragment(.received, isContinuation: true, hex("00 04 00 1b 10 00 16 4b e8 03"))
    host.fragment(.sent, isContinuation: true, hex("07 08"))
    let directed = try Analysis(host.file()).connections
    let connections = try Analysis(host.file(.pcapH4)).connections
    #expect(connections.map { bpm($0) } == [[72, 73, 74, 75]])
    #expect(directed.map { bpm($0) } == [[72, 73, 74, 75]])
    #expect(connections.allSatisfy { $0.malformed.isEmpty })
  }

  /// A BR/EDR channel on PSM 001F, a discovery, a measurement; the host uses the Packet_Boundary_Flag 10 throughout.
  private func classic(
    isAskedByPeer: Bool = false, numbers: (local: UInt16, remote: UInt16) = (0x41, 0x55), flag: UInt16 = 0b10
  ) -> HostSide {
    var host = HostSide()
    let (local, remote) = numbers
    host.sentStart = flag
    host.connectedClassic()
    let (asking, answering): (Direction, Direction) = isAskedByPeer ? (.received, .sent) : (.sent, .received)
    let (source, destination) = isAskedByPeer ? (remote, local) : (local, remote)
    host.l2cap(asking, channel: 1, hex("02 01 04 00 1f 00") + source.little)
    host.l2cap(answering, channel: 1, hex("03 01 08 00") + destination.little + source.little + hex("00 00 00 00"))
    host.l2cap(.sent, channel: 1, hex("04 02 08 00") + remote.little + hex("00 00 01 02 b9 00"))
    host.l2cap(.received, channel: 1, hex("04 03 08 00") + local.little + hex("00 00 01 02 a0 00"))
    host.l2cap(.sent, channel: remote, hex("08 01 00 ff ff 03 28"))
    host.l2cap(.received, channel: local, hex("09 07 0f 00 10 10 00 37 2a"))
    host.l2cap(.received, channel: local, hex("1b 10 00 06 48"))
    host.l2cap(.sent, channel: remote, hex("0a 10 00"))
    host.l2cap(.received, channel: local, hex("0b 06 50"))
    host.l2cap(.received, channel: local, hex("1b 10 00 06 49"), split: [6])
    return host
  }

  /// Core 6.0, Vol 4, Part E, 5.4.2: what the host begins may carry the same flag as what it receives.
  @Test(arguments: [false, true], [0x55, 0x41] as [UInt16])
  func `BR/EDR: who answers and notifies is the server`(isAskedByPeer: Bool, remote: UInt16) throws {
    for flag in [0b10, 0b00] as [UInt16] {
      let host = classic(isAskedByPeer: isAskedByPeer, numbers: (0x41, remote), flag: flag)
      let connection = try #require(try Analysis(host.file(.pcapH4)).connections.first)
      #expect(bpm(connection) == [72, 73] && connection.measurements.allSatisfy { $0.server == .peer })
      let reads = connection.events.filter { $0.content.kind == .read }
      #expect(reads.count == 1 && connection.malformed.isEmpty)
    }
  }

  /// The peer's request comes before anything that would tell whose end has which number, but the host's PDUs can be
  /// told by their flag.
  @Test func `BR/EDR: what the host serves is not the peer's`() throws {
    var host = HostSide()
    host.connectedClassic()
    host.l2cap(.received, channel: 1, hex("02 01 04 00 1f 00 41 00"))
    host.l2cap(.sent, channel: 1, hex("03 01 08 00 41 00 41 00 00 00 00 00"))
    host.l2cap(.received, channel: 0x41, hex("08 01 00 ff ff 03 28"))
    host.l2cap(.sent, channel: 0x41, hex("09 07 0f 00 10 10 00 37 2a"))
    host.l2cap(.sent, channel: 0x41, hex("1b 10 00 06 48"))
    let connection = try #require(try Analysis(host.file(.pcapH4)).connections.first)
    #expect(bpm(connection) == [72] && connection.measurements.allSatisfy { $0.server == .local })
  }

  /// Once it is known whose end has which number, that tells who speaks, be the host a server as well.
  @Test func `BR/EDR: what both ends serve`() throws {
    var host = classic()
    host.l2cap(.received, channel: 0x41, hex("08 01 00 ff ff 03 28"))
    host.l2cap(.sent, channel: 0x55, hex("09 07 0f 00 10 10 00 37 2a"))
    host.l2cap(.sent, channel: 0x55, hex("1b 10 00 06 50"))
    let connection = try #require(try Analysis(host.file(.pcapH4)).connections.first)
    #expect(bpm(connection) == [72, 73, 80] && connection.measurements.map(\.server) == [.peer, .peer, .local])
  }

  /// There the flag 10 is the controller's alone.
  @Test func `Low Energy: a request with the controller's flag is the peer's`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.received(hex("0a 10 00"))
    host.sent(hex("0b 06 50"))
    host.notified([0x06, 72])
    let reads = try Analysis(host.file(.pcapH4)).events.compactMap { event -> ServerSide? in
      if case .read(let value) = event.content { value.server } else { nil }
    }
    #expect(reads == [.local])
  }

  /// What a writer makes of packets that gives all of them one direction.
  private func file(_ host: HostSide, all direction: Direction) -> [UInt8] {
    Container.btsnoopH4.file(
      host.packets.map { CapturedPacket($0.content, direction, $0.octets, time: $0.time, adapter: $0.adapter) })
  }

  /// Audio between them, of which nothing is read, does not make such a writer's word good.
  @Test(arguments: [RecordContent.synchronousData, .isochronousData])
  func `a writer that leaves the direction at what it was, with audio`(content: RecordContent) throws {
    var host = HostSide()
    host.subscribe()
    for rate in 60..<70 {
      host.notified([0, UInt8(rate)])
      host.wait(milliseconds: 1000)
      if rate == 63 { host.add(content, .received, hex("01 00 02 00 00")) }
    }
    for direction in [Direction.sent, .received] {
      let connections = try Analysis(file(host, all: direction)).connections
      #expect(connections.map { bpm($0) } == [Array(60..<70)])
      #expect(connections.allSatisfy { $0.measurements.allSatisfy { $0.server == .peer } })
    }
  }

  /// Where the capture begins amid a connection, the first command or event gives the writer away only behind data.
  @Test(arguments: [Direction.sent, .received])
  func `a writer that leaves the direction at what it was, found out late`(direction: Direction) throws {
    var host = HostSide()
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    for rate in 60..<80 {
      host.notified([0, UInt8(rate)])
      host.wait(milliseconds: 1000)
      guard rate == 70 else { continue }
      host.command(0x1405, hex("40 00"))
      host.event(0x0E, hex("07 01 05 14 00 40 00 c4"))
    }
    let capture = try InferredCapture(file(host, all: direction))
    let measurements = capture.events.compactMap { event -> HeartRateEvent? in
      if case .heartRate(let measurement) = event.content { measurement } else { nil }
    }
    #expect(measurements.map(\.reading.beatsPerMinute) == Array(60..<80))
    #expect(measurements.allSatisfy { $0.server == .peer && $0.handle == 16 })
  }

  /// Of all packets the same: events are never sent, and commands never received.
  @Test(arguments: Sample.all.filter { $0.name.hasSuffix(".btsnoop") }, [Direction.sent, .received])
  func `a writer that leaves the direction at what it was`(sample: Sample, direction: Direction) throws {
    let packets = try ReadCapture(sample.octets).records.filter(\.content.isPacket).map { record in
      CapturedPacket(record.content, direction, record.octets, time: record.time, adapter: record.adapter)
    }
    for container in [Container.btsnoopH4, .pcapDirection, .pcapngLittle] {
      let connections = try Analysis(container.file(packets)).connections
      #expect(connections.count == sample.truth.connections.count)
      for (found, truth) in zip(connections, sample.truth.connections) {
        #expect(found.measurements.map { $0.octets.map(Array.init) } == truth.measurements.map { hex($0.raw) })
        #expect(found.measurements.allSatisfy { $0.handle == truth.measurementHandle })
      }
    }
  }
}

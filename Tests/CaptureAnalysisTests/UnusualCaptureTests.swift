import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import GATTKit
import Octets
import Testing
import TestSupport

/// What phones' logs hold now and then: events cut short or missing, long advertising, sensors that are several or move.
@Suite struct `Unusual captures` {
  private func summary(_ host: HostSide) throws -> CaptureSummary {
    try TestSupport.summary(of: host.file(), listsMeasurements: true)
  }

  /// The rates of each connection.
  private func rates(_ host: HostSide) throws -> [[Int]] {
    try summary(host).connections.map { $0.heartRate?.measurements.map { Int($0.reading.beatsPerMinute ?? 0) } ?? [] }
  }

  /// A sensor with a measurement, whose handle is another's at once.
  private func oneThenAnother(_ making: (inout HostSide) -> Void) -> HostSide {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.notified([0x00, 70])
    host.disconnected(reason: 0x16)
    making(&host)
    host.discoverHeartRate(first: 30)
    host.notified(attribute: 32, [0x00, 120])
    host.notified(attribute: 16, [0x00, 99])
    return host
  }

  // MARK: Connections

  /// Role and address are behind the handle: with less than them, it is a connection all the same.
  @Test(arguments: 7...20)
  func `a Connection Complete that is cut makes a connection`(kept: Int) throws {
    let host = oneThenAnother { host in
      host.connected(peer: 2)
      host.cutLast(to: kept)
    }
    #expect(try rates(host) == [[70], [120]])
    let peer = try summary(host).connections[1].address
    #expect(peer == (kept >= 14 ? DeviceAddress(0xC544_3322_1102, .random) : nil))
  }

  @Test func `who asks for a connection sends what comes then on that`() throws {
    let host = oneThenAnother { host in
      host.create(peer: 2)
      host.event(0x0F, hex("00 01 0d 20"))
    }
    #expect(try rates(host) == [[70], [120]])
    // Whom it asked for is who is there.
    let peers = try summary(host).connections.map { $0.address?.description }
    #expect(peers == ["C5:44:33:22:11:01", "C5:44:33:22:11:02"])
  }

  /// Neither the making of the second nor its end is in the capture, and the third takes its handle within the second.
  @Test func `a connection that is asked for later is another`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.disconnected(reason: 0x16)
    host.create(peer: 2)
    host.discoverHeartRate()
    host.notified([0x00, 72])
    host.create(peer: 3)
    host.connected(peer: 3)
    host.discoverHeartRate()
    host.notified([0x00, 73])
    #expect(try rates(host) == [[], [72], [73]])
    let peers = try summary(host).connections.map { $0.address?.description.suffix(2) }
    #expect(peers == ["01", "02", "03"])
  }

  @Test func `headphones that are a sensor are none to their music`() throws {
    var host = HostSide()
    host.leEvent(0x01, hex("00 40 00 00 00 01 11 22 33 44 c5 18 00 00 00 48 00 00"))
    host.discoverHeartRate()
    host.notified([0x00, 70])
    host.connectedClassic(0x30)
    host.l2cap(on: 0x30, .sent, channel: 0x50, hex("80 60 00 00"))
    host.notified([0x00, 71])
    let connections = try summary(host).connections
    #expect(connections.map(\.lastingAddress?.description) == ["C5:44:33:22:11:01", "C5:44:33:22:11:01"])
    #expect(connections.map { $0.heartRate?.statistics.measurements } == [2, nil])
  }

  @Test func `the local host is no sensor to whom it does not serve`() throws {
    var host = HostSide()
    host.connectedClassic(0x30, peer: 3)
    host.connected(0x40, peer: 1, isPeripheral: true)
    host.received([0x10] + hex("01 00 ff ff 00 28"))
    host.sent([0x11, 0x06] + hex("0e 00 13 00 0d 18"))
    host.received([0x08] + hex("0e 00 13 00 03 28"))
    host.sent([0x09, 0x07] + hex("0f 00 10 10 00 37 2a"))
    let connections = try summary(host).connections
    #expect(connections.map { $0.heartRate?.server } == [nil, .local])
  }

  // MARK: Advertising

  /// An extended report of a device, whose data may go on in the next.
  private func report(_ data: [UInt8], goesOn: Bool, peer: UInt8 = 1, advertisingSet: UInt8 = 0) -> [UInt8] {
    [0x01, goesOn ? 0x20 : 0x00, 0x00, 0x01] + HostSide.address(peer) + [0x01, 0x00, advertisingSet, 0x7F, 0xC4]
      + hex("00 00 00") + Array(repeating: 0, count: 6) + [UInt8(data.count)] + data
  }

  private func advertised(_ host: HostSide, _ container: Container = .btsnoopH4) throws -> [AdvertisementEvent] {
    try Analysis(host.file(container)).events.compactMap {
      if case .advertising(let event) = $0.content { event } else { nil }
    }
  }

  private static let data = hex("02 01 06 05 ff 01 02 03 04 03 03 0d 18 06 09") + Array("Strap".utf8)

  @Test(arguments: 1..<20)
  func `advertising data in two reports are one`(first: Int) throws {
    var host = HostSide()
    host.leEvent(0x0D, report(Array(Self.data.prefix(first)), goesOn: true))
    // Others meanwhile: another set of the same device, another device, and what goes on for ever.
    host.leEvent(0x0D, report(hex("02 01 06"), goesOn: false, advertisingSet: 1))
    host.leEvent(0x0D, report(hex("03 03 0f 18"), goesOn: false, peer: 2))
    host.leEvent(0x0D, report(hex("02 01"), goesOn: true, peer: 3))
    host.leEvent(0x0D, report(Array(Self.data.dropFirst(first)), goesOn: false))
    let heard = try advertised(host)
    #expect(heard.map(\.name) == ["Strap"] && heard.first?.company == 0x0201)
  }

  @Test func `advertising data that two adapters hear are not mixed`() throws {
    var host = HostSide()
    for (data, goesOn) in [(Self.data.prefix(10), true), (Self.data.dropFirst(10), false)] {
      for adapter in 0...1 as ClosedRange<UInt16> {
        host.adapter = adapter
        host.leEvent(0x0D, report(Array(data), goesOn: goesOn))
      }
    }
    let heard = try advertised(host, .btsnoopMonitor)
    #expect(heard.map(\.name) == ["Strap"] && heard.first?.services == [.heartRateService])
  }

  /// Beside the list of services there was no room for it: it is sent unasked, and the rest to who asks.
  @Test func `the maker may stand in another packet than the service`() throws {
    var host = HostSide()
    for _ in 0..<2 {
      host.leEvent(0x0D, report(hex("02 01 06 05 ff 6b 00 03 04"), goesOn: false))
      host.leEvent(0x0D, report(hex("05 ff 4c 00 03 04"), goesOn: false, peer: 2))
      host.leEvent(0x0D, report(hex("03 03 0d 18 06 09") + Array("Strap".utf8), goesOn: false))
    }
    #expect(try advertised(host).map(\.company) == [nil, 0x6B])
  }

  /// Whoever gives no address cannot be connected to, and two of them are not one.
  @Test func `anonymous advertising is no device`() throws {
    var host = HostSide()
    var anonymous = report(Self.data, goesOn: false)
    anonymous.replaceSubrange(3..<10, with: hex("ff 00 00 00 00 00 00"))
    host.leEvent(0x0D, anonymous)
    #expect(try advertised(host).isEmpty)
  }

  @Test func `fewer reports than are said to be there are told`() throws {
    var host = HostSide()
    var two = report(Self.data, goesOn: false)
    two[0] = 2
    host.leEvent(0x0D, two)
    let events = try Analysis(host.file()).events
    #expect(events.contains { if case .malformed = $0.content { true } else { false } })
    #expect(try advertised(host).map(\.name) == ["Strap"])
  }

  /// Each hears the whole of it.
  @Test func `advertising data that two adapters hear are two`() throws {
    var host = HostSide()
    for (range, goesOn) in [(0..<9, true), (9..<Self.data.count, false)] {
      for adapter in [0, 1] as [UInt16] {
        host.adapter = adapter
        host.leEvent(0x0D, report(Array(Self.data[range]), goesOn: goesOn))
      }
    }
    let names = try Analysis(host.file(.btsnoopMonitor)).events.compactMap {
      if case .advertising(let event) = $0.content { event.name } else { nil }
    }
    #expect(names == ["Strap"])
  }

  /// A name in what looks like a structure only because its beginning is in the report before.
  @Test func `the second report begins no structure`() throws {
    var host = HostSide()
    host.leEvent(0x0D, report(hex("03 03 0d 18 0a ff 01 02"), goesOn: true))
    host.leEvent(0x0D, report([0x05, 0x09] + Array("EVIL".utf8) + [0x00], goesOn: false))
    #expect(try advertised(host).map(\.name) == [nil])
  }

  /// No advertiser has so much: what ends it is not read as if it were a beginning.
  @Test func `what ends data that are too long begins none`() throws {
    var host = HostSide()
    for _ in 0..<9 {
      host.leEvent(0x0D, report(Array(repeating: [2, 1, 6], count: 66).joined() + [1, 0], goesOn: true))
    }
    host.leEvent(0x0D, report(Self.data, goesOn: false))
    #expect(try advertised(host).isEmpty)
    host.leEvent(0x0D, report(Self.data, goesOn: false))
    #expect(try advertised(host).map(\.name) == ["Strap"])
  }

  @Test(arguments: [
    "03 03 0d 18", "03 02 0d 18", "05 05 0d 18 00 00", "05 04 0d 18 00 00",
    "11 07 fb 34 9b 5f 80 00 00 80 00 10 00 00 0d 18 00 00", "11 06 fb 34 9b 5f 80 00 00 80 00 10 00 00 0d 18 00 00",
  ])
  func `the heart rate service is advertised in any length`(list: String) throws {
    var host = HostSide()
    host.leEvent(0x0D, report(hex("02 01 06 " + list), goesOn: false))
    let heard = try advertised(host)
    #expect(heard.count == 1 && heard.first?.services == [.heartRateService])
  }

  /// The controller has resolved the address and tells both.
  @Test func `who advertised under a private address is known by its own`() throws {
    var host = HostSide()
    host.leEvent(0x0D, report(Self.data, goesOn: false, peer: 9))
    host.leEvent(
      0x0A,
      hex("00 40 00 00 03") + HostSide.address(1) + Array(repeating: 0, count: 6) + HostSide.address(9)
        + hex("18 00 00 00 48 00 00"))
    #expect(try Analysis(host.file()).connections.first?.peer?.name == "Strap")
  }

  // MARK: Measurements

  @Test func `two measurements of a server do not leap from one to the other`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.received([0x09, 0x07] + hex("20 00 10 21 00 37 2a"))
    host.sent([0x08] + hex("14 00 ff ff 03 28"))
    host.received([0x09, 0x07] + hex("20 00 10 21 00 37 2a"))
    for _ in 0..<10 {
      host.notified([0x00, 60])
      host.notified(attribute: 0x21, [0x00, 120])
      host.wait(milliseconds: 980)
    }
    let found = try summary(host).findings
    #expect(!found.contains { $0.rule == "heart-rate-jump" })
  }

  @Test func `the handle of a measurement that has moved is the new one`() throws {
    var host = HostSide()
    host.subscribe()
    host.notified([0x00, 60])
    host.received([0x1D] + hex("0a 00 01 00 ff ff"))
    host.sent([0x1E])
    host.sent([0x08] + hex("01 00 ff ff 03 28"))
    host.received([0x09, 0x07] + hex("09 00 20 0a 00 05 2a"))
    host.discoverHeartRate(first: 30)
    host.write(attribute: 33, [1, 0])
    host.notified(attribute: 32, [0x00, 61])
    let session = try summary(host).connections.first?.heartRate
    #expect(session?.statistics.measurements == 2)
    #expect(session?.measurementHandle == 32 && session?.configurationHandle == 33)
  }

  /// A vendor's UUID of which the capture has kept the first octets is not the measurement's; one on the Base may be.
  @Test(arguments: [("01 02 03 04", 0), ("fb 34 9b 5f", 12)])
  func `what is kept of a UUID tells what it is not`(start: String, count: Int) throws {
    var host = HostSide()
    host.connected()
    host.sent([0x08] + hex("0b 00 0d 00 03 28"))
    host.received([0x09, 0x15] + hex("0b 00 10 0c 00 \(start) 80 00 00 80 00 10 00 00 37 2a 00 00"))
    host.cutLast(to: 8 + 2 + 5 + 4)
    host.write(attribute: 13, [1, 0])
    for beat in 0..<12 as Range<UInt8> {
      host.notified(attribute: 12, [0x16, 70 + beat % 3] + (UInt16(61_440 / 71) + UInt16(beat)).little)
      host.wait(milliseconds: 990)
    }
    let analysis = try Analysis(host.file())
    #expect(analysis.measurements.count <= count)
    let inferred = analysis.events.contains { if case .inferred = $0.content { true } else { false } }
    #expect(inferred == (count > 0))
  }

  // MARK: Findings

  private func rules(_ host: HostSide) throws -> Set<String> { try Set(summary(host).findings.map(\.rule)) }

  @Test func `headers alone tell of no PDU that is too long`() throws {
    var host = HostSide()
    host.connected()
    for handle in 1..<6 as Range<UInt8> {
      host.sent([0x52, handle, 0] + Array(repeating: 7, count: 40))
      host.received([0x0B] + Array(repeating: 7, count: 40))
    }
    #expect(try rules(host).contains("pdu-exceeds-mtu"))
    host.keepOnly(8)
    #expect(try !rules(host).contains("pdu-exceeds-mtu"))
  }

  @Test(arguments: [true, false])
  func `nobody need answer on a link that ends unseen`(isSeen: Bool) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.sent([0x0A] + hex("13 00"))
    host.wait(milliseconds: 60_000)
    if isSeen { host.disconnected() }
    host.connected(peer: 2)
    #expect(try rules(host).contains("att-timeout") == isSeen)
  }

  /// What it advertises is all there is of it.
  @Test func `a peer that nobody asked anything is the sensor all the same`() throws {
    var host = HostSide()
    host.leEvent(0x02, [1, 0, 1] + HostSide.address(1) + hex("07 06 09 53 74 72 61 70 c4"))
    host.connected()
    host.disconnected()
    let connection = try #require(try summary(host).connections.first)
    #expect(connection.server == .peer && connection.sensor.name == "Strap")
  }

  @Test func `a packet that ends within its header is told`() throws {
    var host = HostSide()
    host.subscribe()
    host.add(.aclData, .received, [0x40, 0x20, 0x03])
    let malformed = try Analysis(host.file()).events.filter { $0.content.kind == .malformed }
    #expect(malformed.map(\.frame) == [host.packets.count] && malformed.allSatisfy { $0.connection == nil })
  }

  @Test func `no length is told over a step of the clock`() throws {
    var host = HostSide()
    host.connected()
    host.time -= 3_600_000_000
    host.discoverHeartRate()
    host.notified([0x00, 60])
    host.disconnected()
    let summary = try summary(host)
    let end = summary.findings.first { $0.rule == "sensor-hung-up" }
    #expect(end?.message == "the sensor ended the connection")
    #expect(summary.connections.first?.secondsToFirstMeasurement == nil)
    #expect(summary.findings.contains { $0.rule == "clock-jump" })
  }
}

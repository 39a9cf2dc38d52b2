import CaptureAnalysis
import CaptureFiles
import Octets
import Testing
import TestSupport

/// A pcapng of several interfaces: what befalls one of them says nothing of another.
@Suite struct `Other interfaces` {
  private let kind = PCAPNGBuilder()
  private static let ethernet: UInt16 = 1
  private static let adapter: UInt16 = 201

  /// A sensor on each adapter that measures, is silent for nine seconds, and measures again.
  private func silences(on adapters: [UInt16]) -> HostSide {
    var host = HostSide()
    func each(_ body: (inout HostSide) -> Void) {
      for adapter in adapters {
        host.adapter = adapter
        body(&host)
      }
    }
    each { $0.subscribe() }
    for measurement in 0..<40 {
      each { $0.notified([0x06, UInt8(70 + measurement % 2)]) }
      host.wait(milliseconds: measurement == 19 ? 9000 : 1000 - 10 * Int64(adapters.count))
    }
    return host
  }

  /// A file of the packets of a host, with a packet of another interface in the middle of the silence.
  private func file(_ host: HostSide, _ interfaces: [UInt16], with packet: [UInt8]) -> [UInt8] {
    let end = (host.packets.first?.time ?? 0) + 25_000_000
    let blocks = host.packets.map { (kind.record($0, interface: UInt32($0.adapter)), isLate: $0.time > end) }
    let header = kind.section + interfaces.flatMap { kind.interface(linkType: $0) }
    return header + blocks.filter { !$0.isLate }.flatMap(\.0) + packet + blocks.filter(\.isLate).flatMap(\.0)
  }

  private func stamp(_ seconds: UInt64) -> UInt64 { UInt64(CapturedPacket.start) + seconds * 1_000_000 }

  private func rules(_ octets: [UInt8]) throws -> [String] {
    try summary(of: octets).findings.map { "\($0.rule) \($0.connection.map(String.init) ?? "-")" }
  }

  /// Packets that were lost on a network are no measurements: the silence is judged, and no loss is told.
  @Test func `that are no Bluetooth lose none of its packets`() throws {
    let host = silences(on: [0])
    let frame = Array(repeating: 0x5A as UInt8, count: 60)
    let option = kind.option(4, UInt64(9).little)
    for packet in [
      kind.enhanced(frame, interface: 1, stamp: stamp(25), options: option),
      kind.old(frame, interface: 1, drops: 9, stamp: stamp(25)),
    ] {
      let octets = file(host, [Self.adapter, Self.ethernet], with: packet)
      #expect(try rules(octets) == ["notification-gap 1"])
      #expect(try summary(of: octets).facts.droppedRecords == 0)
    }
  }

  /// What one adapter lost are none of another's packets: a silence there is one all the same.
  @Test func `that lose packets excuse no silence on another`() throws {
    let option = kind.option(4, UInt64(9).little)
    for lossy in [0, 1] as [UInt32] {
      let packet = kind.enhanced(
        hex("00 00 00 01 04 0e 04 01 14 0c 00"), interface: lossy, stamp: stamp(25), options: option)
      let octets = file(silences(on: [0, 1]), [Self.adapter, Self.adapter], with: packet)
      #expect(try rules(octets) == ["notification-gap \(2 - lossy)", "packets-dropped -"])
    }
  }

  /// What a capture comes to that is read again where that tells more.
  private func readAgain(_ octets: [UInt8]) throws -> CaptureSummary {
    func read(_ knowledge: CaptureKnowledge) throws -> Analyzer<SummaryBuilder> {
      var analyzer = Analyzer(into: SummaryBuilder(listsMeasurements: false), knowing: knowledge)
      try deliver(octets, .whole) { (span, isLast) throws(ParsingError) in try analyzer.read(span, isLast: isLast) }
      return analyzer
    }
    var knowledge = CaptureKnowledge()
    let analyzer = try knowledge.learnGrounds(from: read(knowledge), { $0.conclusions }) { try read($0) }
    return analyzer.receiver.summary(path: "", facts: analyzer.facts)
  }

  /// As when files that were rotated are merged whose snapshot lengths differ: each has an interface, without a name.
  @Test func `are one adapter where each begins as another ends`() throws {
    var host = HostSide()
    host.subscribe()
    for measurement in 0..<40 {
      host.notified([0x06, UInt8(70 + measurement % 2)])
      host.wait(milliseconds: 990)
    }
    let start = host.packets[0].time
    /// - Parameter interface: That of a packet, by the seconds since the first one.
    func connections(
      _ count: Int, names: [String] = [], later: Int64 = 0, beside: [CapturedPacket] = [],
      _ interface: (Int64) -> UInt32
    ) throws -> [Int?] {
      let header = (0..<count).flatMap { index in
        let name = index < names.count ? kind.option(2, Array(names[index].utf8)) : []
        return kind.interface(linkType: Self.adapter, snapshotLength: 65_535 - UInt32(index), options: name)
      }
      let packets = host.packets.map { packet in
        var packet = packet
        packet.adapter = UInt16(interface((packet.time - start) / 1_000_000))
        if packet.adapter > 0 { packet.time += later * 1_000_000 }
        return packet
      }
      let all = (packets + beside).sorted { $0.time < $1.time }
      let records = all.flatMap { kind.record($0, interface: UInt32($0.adapter)) }
      let summary = try readAgain(kind.section + header + records)
      return summary.connections.filter { $0.heartRate != nil }.map { $0.heartRate?.statistics.measurements }
    }
    #expect(try connections(2) { $0 < 20 ? 0 : 1 } == [40])
    #expect(try connections(3) { $0 < 10 ? 0 : $0 < 20 ? 1 : 2 } == [40])
    #expect(try connections(2, later: 5) { $0 < 20 ? 0 : 1 } == [40])
    // After a longer pause, it is another time's; with a name, or heard again, another adapter.
    #expect(try connections(2, later: 11) { $0 < 20 ? 0 : 1 } != [40])
    #expect(try connections(2, names: ["bluetooth0", "bluetooth1"]) { $0 < 20 ? 0 : 1 } != [40])
    #expect(try connections(2) { $0 < 20 || $0 > 30 ? 0 : 1 } != [40])
    // Of two that begin where it ends, nobody knows which goes on with it.
    #expect(try connections(3) { $0 < 20 ? 0 : 1 + UInt32($0 % 2) } != [40])
    // One that is heard all the while is neither.
    var other = HostSide()
    other.adapter = 2
    other.connected(peer: 9)
    for _ in 0..<80 {
      other.event(0x0E, hex("01 14 0c 00"))
      other.wait(milliseconds: 490)
    }
    #expect(try connections(3, beside: other.packets) { $0 < 20 ? 0 : 1 } == [40])
  }

  /// A short snapshot length on a network cuts nothing of Bluetooth.
  @Test func `that are cut cut nothing of Bluetooth`() throws {
    let host = silences(on: [0])
    let cut = kind.enhanced(Array(repeating: 0x5A, count: 60), original: 1500, interface: 1, stamp: stamp(25))
    let octets = file(host, [Self.adapter, Self.ethernet], with: cut)
    #expect(try summary(of: octets).facts.truncatedRecords == 0 && rules(octets) == ["notification-gap 1"])
    var half = host
    half.keepOnly(15)
    let message = try summary(of: file(half, [Self.adapter, Self.ethernet], with: cut)).findings
      .first { $0.rule == "packets-truncated" }?.message
    #expect(message?.contains(" of \(host.packets.count) packets ") == true)
  }

  /// Of an adapter that is heard no more, what was found up to there holds, as if its file had ended there.
  /// - Parameter end: When another one, heard at the beginning too, is heard last, in milliseconds.
  @Test(arguments: [1, 39_000, 80_000] as [Int64])
  func `that go on take nothing from one that is captured no more`(end: Int64) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    for _ in 0..<40 {
      host.wait(milliseconds: 990)
      host.event(0x0E, hex("01 14 0c 00"))
    }
    let message = try #require(host.findings().first).message
    #expect(message.contains(" in the 40 s "), "\(message)")
    var other = HostSide()
    other.adapter = 1
    for time in [0, end] {
      other.wait(milliseconds: time)
      other.event(0x0E, hex("01 14 0c 00"))
    }
    let packets = (host.packets + other.packets).sorted { $0.time < $1.time }
    let records = packets.map { kind.record($0, interface: UInt32($0.adapter)) }
    // What is heard on a network says nothing of an adapter.
    let frame = kind.enhanced(Array(repeating: 0x5A, count: 60), interface: 2, stamp: stamp(79))
    let header = kind.section + [Self.adapter, Self.adapter, Self.ethernet].flatMap { kind.interface(linkType: $0) }
    let octets = header + records.dropLast().joined() + (end > 79_000 ? frame : []) + (records.last ?? [])
    let found = try summary(of: octets)
    #expect(found.findings.map(\.rule) == ["never-subscribed"] && found.findings.first?.message == message)
  }

  /// Two files that were merged: whose interfaces have no names, of them each is captured for as long as its file went on.
  @Test func `that go on blame nobody on one that is not captured any more`() throws {
    let host = silences(on: [0, 1])
    let end = (host.packets.first?.time ?? 0) + 15_000_000
    func name(_ adapter: UInt32) -> [UInt8] { kind.option(2, Array("bluetooth\(adapter)".utf8)) }
    func interface(_ adapter: UInt32, isNamed: Bool) -> [UInt8] {
      kind.interface(linkType: Self.adapter, options: isNamed ? name(adapter) : [])
    }
    let early = host.packets.filter { $0.time < end }
    let late = host.packets.filter { $0.time >= end && $0.adapter == 1 }
    for isNamed in [false, true] {
      let header = kind.section + interface(0, isNamed: isNamed) + interface(1, isNamed: isNamed)
      let before = header + early.flatMap { kind.record($0, interface: UInt32($0.adapter)) }
      let together = before + late.flatMap { kind.record($0, interface: 1) }
      let stopped = try summary(of: together).findings.filter { $0.rule == "notification-gap" && $0.connection == 1 }
      // What has a name was captured with the other, to the end.
      #expect(stopped.map { $0.message.contains("stop for good") } == (isNamed ? [true] : []))
      guard isNamed else { continue }
      let section = kind.section + interface(1, isNamed: true) + late.flatMap { kind.record($0, interface: 0) }
      #expect(try rules(before + section) == ["notification-gap 2"])
    }
  }
}

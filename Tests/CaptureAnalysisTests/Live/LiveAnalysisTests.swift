import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import Octets
import Testing
import TestSupport

/// A live capture while it is read.
private struct Live {
  private var analyzer: Analyzer<EventForwarder>
  private let list: EventList
  private var rest = ContiguousArray<UInt8>()

  private final class EventList { var events: [Event] = [] }

  init(knowing knowledge: CaptureKnowledge = CaptureKnowledge()) {
    let list = EventList()
    self.list = list
    analyzer = Analyzer(
      into: EventForwarder(selection: .all, start: nil) { list.events.append($0) }, isLive: true, knowing: knowledge)
  }

  var events: [Event] { list.events }
  var facts: CaptureFacts { analyzer.facts }
  var measurements: [Event] { events.filter { $0.content.heartRate != nil } }

  mutating func read(_ octets: [UInt8], isLast: Bool = false) throws {
    rest += octets
    let shown = rest
    rest.removeFirst(try analyzer.read(shown.span, isLast: isLast))
  }

  mutating func beginAgain(isGap: Bool) {
    rest = []
    analyzer.beginAgain(isGap: isGap)
  }
}

@Suite struct `Live analysis` {
  private let monitor = Container.btsnoopMonitor

  /// What the monitor says of an adapter: New, Delete, Open and Close Index.
  private func index(_ opcode: UInt32, _ adapter: UInt32, at time: Int64) -> [UInt8] {
    BTSnoopBuilder.record(
      opcode == 0 ? [0, 1] + HostSide.address(9) + Array("hci0\0\0\0\0".utf8) : [], flags: adapter << 16 | opcode,
      time: time)
  }

  private func records(_ host: HostSide, from first: Int = 0) -> [UInt8] {
    host.packets[first...].flatMap(monitor.record)
  }

  @Test func `knows connections that were there before`() throws {
    var knowledge = CaptureKnowledge()
    let peer = DeviceAddress(0xC544_3322_1101, .random)
    knowledge.connections = [KnownConnection(adapter: 1, handle: 0x40, peer: peer, isLowEnergy: true, role: .central)]
    var host = HostSide()
    host.adapter = 1
    host.notified([0x16, 70])
    host.adapter = 0
    host.notified([0x16, 71])
    host.adapter = 1
    host.disconnected()
    host.wait(milliseconds: 5000)
    host.notified([0x16, 72])
    var live = Live(knowing: knowledge)
    try live.read(monitor.header + records(host))
    let connected = live.events.compactMap { if case .connected(let event) = $0.content { event } else { nil } }
    #expect(connected.map(\.adapter) == [1, 0, 1] && connected.allSatisfy { !$0.wasSeen })
    // Neither another adapter's, nor what takes the handle later.
    #expect(connected.map(\.peer.address) == [peer, nil, nil])
    #expect(connected.map(\.role) == [.central, nil, nil] && connected.map(\.isLowEnergy) == [true, nil, nil])
  }

  /// Both ends of a connection on one computer: every PDU comes twice, once for each adapter.
  @Test func `keeps two adapters apart that talk to each other`() throws {
    var host = HostSide()
    host.connected(peer: 2)
    host.adapter = 1
    host.connected(peer: 1, isPeripheral: true)
    host.adapter = 0
    let made = host.packets.count
    host.discoverHeartRate()
    for beat in UInt8(0)..<50 { host.notified([0x00, 60 + beat % 3]) }
    // What one adapter sends, the other receives a little later.
    let both = host.packets[made...].flatMap { packet in
      var other = packet
      (other.adapter, other.direction, other.time) = (1, packet.direction.opposite, packet.time + 1000)
      return [packet, other]
    }
    var live = Live()
    try live.read(monitor.header + (host.packets[..<made] + both).flatMap(monitor.record), isLast: true)
    let connected = live.events.compactMap { if case .connected(let event) = $0.content { event } else { nil } }
    #expect(connected.map(\.adapter) == [0, 1] && connected.map(\.role) == [.central, .peripheral])
    for connection in 1...2 {
      #expect(live.measurements.filter { $0.connection == connection }.count == 50)
    }
    let servers = live.measurements.map { $0.content.heartRate?.server }
    #expect(servers.filter { $0 == .peer }.count == 50 && servers.filter { $0 == .local }.count == 50)
  }

  /// Delete Index and Close Index: nobody may say that the connections are over.
  @Test func `knows what adapters are called, and where`() throws {
    let adapters = try Analysis(monitor.header + index(0, 3, at: CapturedPacket.start)).events.compactMap {
      if case .adapter(let adapter) = $0.content { adapter } else { nil }
    }
    #expect(adapters.map(\.name) == ["hci0"] && adapters.map(\.index) == [3])
    #expect(adapters.map(\.address) == [DeviceAddress(0xC544_3322_1109, .public)])
  }

  @Test(arguments: [UInt32(1), 9]) func `ends connections with their adapter`(opcode: UInt32) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 70])
    var live = Live()
    try live.read(monitor.header + index(0, 0, at: host.time) + index(8, 0, at: host.time) + records(host))
    try live.read(index(opcode, 1, at: host.time))
    #expect(!live.events.contains { $0.content.kind == .disconnected })
    try live.read(index(opcode, 0, at: host.time))
    #expect(live.events.last?.content.kind == .disconnected && live.events.last?.connection == 1)
    // It comes back, and the handle is another connection's.
    let told = host.packets.count
    host.wait(milliseconds: 5000)
    host.connected(peer: 7)
    host.notified([0x00, 71])
    try live.read(index(0, 0, at: host.time) + index(8, 0, at: host.time) + records(host, from: told))
    #expect(live.events.last { $0.content.kind == .connected }?.connection == 2)
    // Another peer: what the first one's handles are says nothing of its own.
    #expect(live.measurements.map(\.connection) == [1])
  }

  /// The clock is set, either way, or the machine sleeps: connections go on.
  @Test(arguments: [-3600, -86_400 * 365, 3600, 86_400 * 30] as [Int64])
  func `bears a clock that leaps`(seconds: Int64) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    for _ in 0..<10 { host.notified([0x00, 70]) }
    host.time += seconds * 1_000_000
    for _ in 0..<10 { host.notified([0x00, 71], split: [6]) }
    host.disconnected()
    host.connected(peer: 2)
    host.discoverHeartRate()
    host.notified([0x00, 72])
    var live = Live()
    try live.read(monitor.header)
    for packet in host.packets { try live.read(monitor.record(packet)) }
    #expect(live.measurements.map(\.connection) == Array(repeating: 1, count: 20) + [2])
    #expect(!live.events.contains { $0.content.kind == .malformed })
  }

  /// A file that was rotated goes on where the other ended, in any format; behind a gap what was unfinished is lost.
  @Test(arguments: [false, true], [Container.btsnoopH4, .pcapDirection, .pcapngBig, .btsnoopMonitor])
  func `goes on in another file`(isGap: Bool, container: Container) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 70])
    // The last packet is the first piece of a PDU, and its second piece begins the other file.
    host.notified([0x00, 71], split: [6])
    host.notified([0x00, 72])
    let cut = host.packets.count - 2
    var live = Live()
    try live.read(monitor.header + host.packets[..<cut].flatMap(monitor.record))
    live.beginAgain(isGap: isGap)
    try live.read(container.header + host.packets[cut...].flatMap(container.record), isLast: true)
    #expect(live.measurements.count == (isGap ? 2 : 3) && live.facts.records == host.packets.count)
    // Records are counted on, and one connection they are all of.
    #expect(live.measurements.last?.frame == host.packets.count && live.measurements.last?.connection == 1)
    #expect(live.facts.isComplete && live.facts.format == container.formatName)
  }

  /// However long nothing came: it is the same host, and its connections last.
  @Test(arguments: [false, true], [Container.btsnoopMonitor, .pcapMonitor, .pcapngBig])
  func `goes on in another file after a pause`(isGap: Bool, container: Container) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 70])
    var live = Live()
    try live.read(host.file(container))
    host.wait(milliseconds: 120_000)
    host.notified([0x00, 71])
    live.beginAgain(isGap: isGap)
    try live.read(container.header + container.record(host.packets[host.packets.count - 1]), isLast: true)
    #expect(live.measurements.map(\.connection) == [1, 1])
  }

  /// Damage is passed over as soon as records go on behind it, however few.
  @Test(arguments: [Container.btsnoopMonitor, .btsnoopH4, .pcapDirection, .pcapngLittle])
  func `does not wait behind damage`(container: Container) throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0x00, 70])
    var live = Live()
    try live.read(host.file(container))
    #expect(live.measurements.count == 1)
    try live.read(Array(repeating: 0xE7, count: 100))
    let told = host.packets.count
    for beat in UInt8(0)..<4 { host.notified([0x00, 71 + beat]) }
    for packet in host.packets[told...] { try live.read(container.record(packet)) }
    #expect(live.measurements.count == 5 && live.facts.skippedOctets == 100)
  }
}

@Suite struct `Pauses` {
  /// A sensor that is switched on, and twenty measurements, one a second.
  private static var sensor: HostSide {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<20 {
      host.wait(milliseconds: 990)
      host.notified([0x00, 70])
    }
    return host
  }

  /// What rules say while nothing comes, and what they say when it is over.
  @Test func `are gaps as soon as they are long enough`() throws {
    let host = Self.sensor
    var diagnosis = Diagnosis(RuleSettings())
    func messages(_ octets: [UInt8]) throws -> [String] {
      for event in try Analysis(octets).events { diagnosis.note(event) }
      return diagnosis.takeFindings().filter { $0.rule == "notification-gap" }.map(\.message)
    }
    #expect(try messages(host.file()).isEmpty)
    func found(after seconds: Double) -> [Finding] {
      let last = host.packets.count
      let time = Timestamp(microseconds: (host.packets.last?.time ?? 0) + Int64(seconds * 1_000_000))
      diagnosis.pause(until: Moment(frame: last, time: time))
      return diagnosis.takeFindings()
    }
    #expect(found(after: 2.4).isEmpty)
    let gap = try #require(found(after: 3).first)
    #expect(gap.rule == "notification-gap" && gap.message == "3 s without a measurement so far, usually 1 s")
    #expect(gap.frame == host.packets.count && gap.connection == 1)
    // Once is enough, until it is over.
    #expect(found(after: 10).isEmpty)
  }

  /// A gap that was told while it lasted is not counted twice: how long it became is no other fault.
  @Test func `that were told are told whole`() throws {
    var host = Self.sensor
    let last = host.packets.count
    var diagnosis = Diagnosis(RuleSettings())
    let before = try Analysis(host.file()).events
    for event in before { diagnosis.note(event) }
    let time = Timestamp(microseconds: host.time + 3_000_000)
    diagnosis.pause(until: Moment(frame: last, time: time))
    host.wait(milliseconds: 8000)
    for _ in 0..<3 {
      host.notified([0x00, 70])
      host.wait(milliseconds: 990)
    }
    for event in try Analysis(host.file()).events where event.moment.frame > last { diagnosis.note(event) }
    let gaps = diagnosis.takeFindings().filter { $0.rule == "notification-gap" }
    #expect(gaps.map(\.severity) == [.warning, .info])
    #expect(gaps.map(\.frame) == [last, last])
    #expect(gaps.last?.message == "8 s without a measurement, usually 1 s")
  }

  /// What is wrong with each value is said after ten seconds, once, and how long it was in the end.
  @Test(
    arguments: [
      ("measurement-malformed", [0x10, 70, 1], "broken values in a row", 24),
      ("contact-lost", [0x04, 70], "contact lost for", 24),
      ("heart-rate-zero", [0x00, 0], "heart rates of 0", 24), ("rr-vanished", [0x00, 71], "no RR-Intervals for", 24),
      ("heart-rate-jump", [0x00, 140], "from 70 to 140 bpm at once, twice what it was, for", 1),
    ] as [(rule: String, value: [UInt8], words: String, count: Int)])
  func `are when what lasts is told`(fault: (rule: String, value: [UInt8], words: String, count: Int)) throws {
    var host = HostSide()
    host.subscribe()
    func measure(_ value: [UInt8], times: Int) {
      for _ in 0..<times {
        host.notified(value)
        host.wait(milliseconds: 990)
      }
    }
    measure([0x16, 70, 0x5A, 3], times: 20)
    let start = host.packets.count + 1
    var diagnosis = Diagnosis(RuleSettings())
    var told = 0
    func findings() throws -> [Finding] {
      for event in try Analysis(host.file()).events where event.moment.frame > told { diagnosis.note(event) }
      told = host.packets.count
      diagnosis.pause(until: Moment(frame: told, time: Timestamp(microseconds: host.time)))
      return diagnosis.takeFindings().filter { $0.rule == fault.rule }
    }
    measure(fault.value, times: 8)
    #expect(try findings().isEmpty)
    measure(fault.value, times: 8)
    let soFar = try findings()
    #expect(soFar.map(\.frame) == [start] && soFar.allSatisfy { $0.severity > .info })
    #expect(soFar.first?.message.contains(fault.words) == true && soFar.first?.message.hasSuffix(", so far") == true)
    measure(fault.value, times: 8)
    #expect(try findings().isEmpty)
    measure([0x16, 70, 0x5A, 3], times: 8)
    let whole = try findings()
    #expect(whole.map(\.frame) == [start] && whole.map(\.severity) == [.info] && whole.first?.count == fault.count)
  }

  /// Switched off by the last record there is: nothing is due.
  @Test(arguments: [true, false])
  func `behind a switch-off are no gaps`(isAnswered: Bool) throws {
    var host = Self.sensor
    if isAnswered { host.write(attribute: 17, [0, 0]) } else { host.sent(hex("52 11 00 00 00")) }
    var diagnosis = Diagnosis(RuleSettings())
    for event in try Analysis(host.file()).events { diagnosis.note(event) }
    let time = Timestamp(microseconds: host.time + 5_000_000)
    diagnosis.pause(until: Moment(frame: host.packets.count, time: time))
    #expect(diagnosis.takeFindings().filter { $0.rule == "notification-gap" }.isEmpty)
  }

  /// Nothing was due before they were switched on again.
  @Test func `are no gaps where notifications were off`() throws {
    var host = Self.sensor
    host.write(attribute: 17, [0, 0])
    host.wait(milliseconds: 60_000)
    host.write(attribute: 17, [1, 0])
    var diagnosis = Diagnosis(RuleSettings())
    for event in try Analysis(host.file()).events { diagnosis.note(event) }
    let time = Timestamp(microseconds: host.time + 3_000_000)
    diagnosis.pause(until: Moment(frame: host.packets.count, time: time))
    #expect(diagnosis.takeFindings().filter { $0.rule == "notification-gap" }.isEmpty)
  }
}

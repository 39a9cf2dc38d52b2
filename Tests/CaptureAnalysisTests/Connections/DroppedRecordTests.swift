import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import Octets
import Testing
import TestSupport

/// Records that the capture itself says it lost, by the drops that btsnoop counts.
@Suite struct `Dropped records` {
  /// What is found in any capture that has lost some; a rate that fits one octet may be left alone in two.
  private static let expected: Set = ["packets-dropped", "setup-missing", "needless-uint16"]

  /// Every so many records one is lost, or three in a row: the sensor is blamed for none of it.
  @Test(
    arguments: Sample.all.filter {
      // Where the making of a connection is lost, and the end of the one before it is not there either, nothing tells
      // that its handle is another's.
      $0.name.hasSuffix(".btsnoop") && $0.name != "handle-reused-no-disconnection.btsnoop"
    })
  func `make no other findings`(sample: Sample) throws {
    let octets = try sample.octets
    let records = records(of: octets)
    let rules = Set(try findings(octets).map(\.rule))
    for (stride, length) in [(4, 1), (7, 1), (11, 3), (23, 1), (50, 5)] {
      for offset in 0..<3 {
        let left = octets[..<16] + dropping(records) { ($0 + offset) % stride < length }
        let others = Set(try findings(Array(left)).map(\.rule)).subtracting(rules).subtracting(Self.expected)
        #expect(others == [], "\(length) of \(stride) from \(offset)")
      }
    }
  }

  /// Half of one value and half of another are none.
  @Test func `between the pieces of two values join no halves`() throws {
    let (first, second) = (hex("1b 10 00 16 48 00 04 01 04"), hex("1b 10 00 16 49 10 04 11 04"))
    var host = HostSide()
    host.subscribe()
    for value in [first, second] {
      host.received(value, split: [10])
      host.wait(milliseconds: 1000)
    }
    let octets = host.file()
    let records = records(of: octets)
    let count = records.count
    let left = Array(octets[..<16] + dropping(records) { [count - 3, count - 2].contains($0) })
    #expect(try measurements(octets) == 2 && measurements(left) == 0)
  }

  /// What is answered with the same is one failure, and behind a loss the next one's.
  @Test func `may hide that another pairing has begun`() throws {
    var host = HostSide()
    host.connected()
    host.l2cap(.sent, channel: 6, hex("01 03 00 01 10 01 01"))
    host.l2cap(.received, channel: 6, hex("05 03"))
    host.l2cap(.sent, channel: 6, hex("01 03 00 01 10 01 01"))
    host.l2cap(.received, channel: 6, hex("05 03"))
    let octets = host.file()
    func failures(_ octets: [UInt8]) throws -> Int {
      try Analysis(octets).events.count {
        if case .pairing(let pairing) = $0.content, case .failed = pairing.step { true } else { false }
      }
    }
    #expect(try failures(octets) == 2)
    #expect(try failures(Array(octets[..<16] + dropping(records(of: octets)) { $0 == 3 })) == 2)
    host = HostSide()
    host.connected()
    for direction in [.received, .sent] as [Direction] { host.l2cap(direction, channel: 6, hex("05 03")) }
    #expect(try failures(host.file()) == 1)
  }

  /// The answer to what the peer asked for may be missing, and so may its next request, which the host then answers.
  @Test(arguments: [false, true]) func `may hide that other parameters were asked for`(isLost: Bool) throws {
    var host = HostSide()
    host.connected()
    host.leEvent(0x06, hex("40 00 06 00 0c 00 00 00 c8 00"))
    host.discoverHeartRate()
    host.command(0x2020, hex("40 00 06 00 0c 00 00 00 c8 00 00 00 00 00"))
    let octets = host.file()
    let left = Array(octets[..<16] + dropping(records(of: octets)) { $0 == 4 })
    let requests = try Analysis(isLost ? left : octets).events.compactMap { event in
      if case .parameterRequest(let request) = event.content { request } else { nil }
    }
    #expect(requests.map(\.step) == [.asked, .accepted])
    #expect(requests.map { $0.request?.intervalMaximum } == [12, isLost ? nil : 12])
  }

  /// What the peer is asked that has the handle then.
  enum Question: CaseIterable { case mtu, read, configuration }

  /// The end of one connection and the making of the next on its handle are lost: what its peer is asked says nothing of
  /// the one before.
  @Test(arguments: Question.allCases)
  func `may hide that a handle is another's`(question: Question) throws {
    var host = HostSide()
    host.connected()
    host.sent(hex("02 00 01"))
    host.received(hex("03 b9 00"))
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    for _ in 0..<5 {
      host.notified([0x16, 0x48, 0x00, 0x04])
      host.wait(milliseconds: 990)
    }
    let lost = host.packets.count
    host.disconnected()
    host.wait(milliseconds: 40_000)
    host.connected(peer: 2)
    switch question {
    case .mtu:
      host.sent(hex("02 05 02"))
      host.received(hex("03 f7 00"))
    case .read:
      host.sent(hex("0a 10 00"))
      host.received([0x0B] + Array("Model".utf8))
    case .configuration: host.write(attribute: 16, [1, 0])
    }
    let octets = host.file()
    let left = Array(octets[..<16] + dropping(records(of: octets)) { $0 == lost || $0 == lost + 1 })
    #expect(try findings(left).map(\.rule) == ["packets-dropped"])
  }

  /// Of two holes in which a connection says nothing, the second one hides that its handle is another's, though another
  /// connection alone was heard between.
  @Test func `are learnt of by who was silent meanwhile`() throws {
    var host = HostSide()
    for handle in [0x40, 0x41] as [UInt16] {
      host.connected(handle, peer: UInt8(handle))
      host.sent(on: handle, hex("02 00 01"))
      host.received(on: handle, hex("03 b9 00"))
    }
    var lost: Set<Int> = []
    for hole in 0..<2 {
      host.wait(milliseconds: 30_000)
      lost.insert(host.packets.count)
      if hole == 0 {
        host.received(on: 0x41, hex("1b 03 00 05"))
      } else {
        host.disconnected()
        host.wait(milliseconds: 2000)
        lost.insert(host.packets.count)
        host.connected(peer: 2)
      }
      host.received(on: 0x41, hex("1b 03 00 05"))
    }
    host.wait(milliseconds: 200)
    host.sent(hex("02 05 02"))
    host.received(hex("03 f7 00"))
    let octets = host.file()
    let left = Array(octets[..<16] + dropping(records(of: octets)) { lost.contains($0) })
    let summary = try summary(of: left)
    #expect(summary.findings.map(\.rule).filter { $0 != "silent-connection" } == ["packets-dropped"])
  }

  /// Where many are lost, and many connections open, each is told to those of which something came since the one before;
  /// to tell all of them would take long.
  @Test func `are not told of each time to connections that say nothing`() throws {
    var host = HostSide()
    let (connections, packets) = (100, 1000)
    for handle in 1...UInt16(connections) { host.connected(handle, peer: UInt8(handle)) }
    let begun = host.packets.count
    for _ in 0..<packets { host.notified(on: 1, [0x00, 70]) }
    let octets = host.file()
    let left = Array(octets[..<16] + dropping(records(of: octets)) { $0 >= begun && $0 % 2 == 0 })
    let events = try Analysis(left, selection: EventSelection([.connected, .dialogue])).events
    let told = events.filter { if case .dialogue(.lost) = $0.content { true } else { false } }
    let counts = Dictionary(grouping: told, by: \.connection).mapValues(\.count)
    #expect(counts.count == connections)
    #expect(counts[1] == packets / 2)
    #expect(counts.allSatisfy { $0.key == 1 || $0.value <= 2 }, "\(counts)")
  }

  /// A connection that was silent while records were lost learns of it when it is heard again, though room was made for others
  /// in between.
  @Test func `are learnt of by who was silent while others found room`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    var lost: Set<Int> = []
    for handle in 0x100..<0x100 + 2100 as Range<UInt16> {
      host.connected(handle, peer: UInt8(handle % 90) + 2)
      // The second time, the first connection was not heard since.
      if handle < 0x102 {
        lost.insert(host.packets.count)
        host.notified(on: handle, [0x00, 70])
      }
      host.disconnected(handle)
    }
    host.notified([0x00, 71])
    let octets = host.file()
    let left = Array(octets[..<16] + dropping(records(of: octets)) { lost.contains($0) })
    let selection = EventSelection([.heartRate, .dialogue])
    let told = try Analysis(left, selection: selection).events.filter { $0.connection == 1 }.compactMap { event in
      switch event.content {
      case .dialogue(.lost): "lost"
      case .heartRate: "heart rate"
      default: nil
      }
    }
    #expect(told == ["lost", "lost", "heart rate"])
  }

  private func records(of octets: [UInt8]) -> [ArraySlice<UInt8>] {
    let places = BTSnoopBuilder.recordPlaces(of: octets)
    return zip(places, places.dropFirst() + [octets.count]).map { octets[$0..<$1] }
  }

  /// Records without some of them, which those behind count.
  private func dropping(_ records: [ArraySlice<UInt8>], where isLost: (Int) -> Bool) -> [UInt8] {
    var (left, drops): ([UInt8], UInt32) = ([], 0)
    for (place, record) in records.enumerated() {
      if isLost(place) {
        drops += 1
      } else {
        let start = record.startIndex
        let counted = (0..<4).map { UInt8(truncatingIfNeeded: drops >> (24 - 8 * UInt32($0))) }
        left += record[start..<start + 12] + counted + record[(start + 16)...]
      }
    }
    return left
  }

  private func findings(_ octets: [UInt8]) throws -> [Finding] { try summary(of: octets).findings }

  private func measurements(_ octets: [UInt8]) throws -> Int {
    try summary(of: octets).connections.reduce(0) { $0 + ($1.heartRate?.statistics.measurements ?? 0) }
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit
import TestSupport
import Testing

@testable import CaptureAnalysis

/// The end of a connection is not in the capture, nor what took its handle: nobody's heart rate is another's.
@Suite struct `Connections whose end was lost` {
  /// Who measured what: the last octet of the peer's address, nil where it is not known, and the rates.
  private struct Told: Equatable {
    let peer: UInt8?
    let bpm: [UInt16]
  }

  private func told(_ octets: [UInt8]) throws -> [Told] {
    let events = try InferredCapture(octets).events
    let ids = events.compactMap(\.connection).reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
    return ids.map { id in
      var told = (peer: UInt8?.none, bpm: [UInt16]())
      for event in events where event.connection == id {
        switch event.content {
        case .connected(let connected): told.peer = connected.peer.address.map { UInt8(truncatingIfNeeded: $0.number) }
        case .heartRate(let measurement): told.bpm.append(measurement.reading.beatsPerMinute ?? 0)
        default: break
        }
      }
      return Told(peer: told.peer, bpm: told.bpm)
    }
  }

  /// A file in which some records are lost.
  private func file(_ host: HostSide, without lost: some Collection<Int>, _ kind: LossKind) -> [UInt8] {
    var file = BTSnoopBuilder.header(dataLink: 1002)
    for (place, packet) in host.packets.enumerated() {
      var record = BTSnoopBuilder.h4(packet)
      if lost.contains(place) {
        if kind == .damaged { file += Array(repeating: 0xFF, count: record.count) }
        continue
      }
      // The cumulative drops.
      if kind == .counted { record[15] = UInt8(lost.count { $0 < place }) }
      file += record
    }
    return file
  }

  enum LossKind: CaseIterable { case counted, damaged, unnoticed }

  /// A strap that has sent two values when it ends, and what takes its handle.
  private func swapped(
    exchangesMTU: Bool = true, wait: Int64 = 4000, version: UInt8? = nil, hasBattery: Bool = false,
    _ next: (inout HostSide) -> Void
  ) -> (host: HostSide, lost: Range<Int>) {
    var host = HostSide()
    host.connected(peer: 1)
    if let version { host.event(0x0C, hex("00 40 00 0a \(version.hexadecimal) 00 01 00")) }
    if exchangesMTU {
      host.sent(hex("02 05 02"))
      host.received(hex("03 b9 00"))
    }
    host.discoverHeartRate()
    if hasBattery {
      host.sent(hex("08 16 00 19 00 03 28"))
      host.received(hex("09 07 17 00 12 18 00 19 2a"))
    }
    host.write(attribute: 17, [1, 0])
    for rate in [60, 61] as [UInt8] {
      host.notified([0, rate])
      host.wait(milliseconds: 990)
    }
    let lost = replace(&host, wait: wait)
    next(&host)
    return (host, lost)
  }

  /// A connection ends, and another one takes its handle.
  /// - Returns: Which packets tell that.
  private func replace(_ host: inout HostSide, wait: Int64 = 4000) -> Range<Int> {
    let start = host.packets.count
    host.disconnected()
    host.wait(milliseconds: wait)
    host.connected(peer: 2)
    return start..<host.packets.count
  }

  /// As clients do that look for one of their own accord.
  private func discoverCharacteristic(_ host: inout HostSide) {
    host.sent(hex("08 0e 00 13 00 03 28"))
    host.received(hex("09 07 0f 00 10 10 00 37 2a"))
  }

  /// A client asks for the MTU once on a connection.
  @Test(arguments: LossKind.allCases) func `and whose successor exchanges the MTU`(kind: LossKind) throws {
    let (host, lost) = swapped { host in
      host.sent(hex("02 05 02"))
      host.received(hex("03 b9 00"))
      host.discoverHeartRate()
      for rate in [90, 91] as [UInt8] { host.notified([0, rate]) }
    }
    let isKnown = kind != .unnoticed
    let expected = [Told(peer: 1, bpm: [60, 61]), Told(peer: nil, bpm: [90, 91])]
    #expect(try told(file(host, without: lost, kind)) == (isKnown ? expected : [Told(peer: 1, bpm: [60, 61, 90, 91])]))
  }

  /// What a host asks when it has connected.
  private static func begin(_ host: inout HostSide, name: String, first: UInt16, exchangesMTU: Bool = true) {
    if exchangesMTU {
      host.sent(hex("02 05 02"))
      host.received(hex("03 b9 00"))
    }
    host.discoverHeartRate(first: first)
    host.readName(name)
  }

  /// Where nothing shows that records are missing, one thing that is odd shows nothing; two do.
  @Test(arguments: [
    (exchangesMTU: true, name: "Strap B", first: 14, isAnother: true),
    (exchangesMTU: true, name: "Strap A", first: 20, isAnother: true),
    (exchangesMTU: false, name: "Strap B", first: 16, isAnother: true),
    (exchangesMTU: true, name: "Strap A", first: 14, isAnother: false),
    (exchangesMTU: false, name: "Strap B", first: 14, isAnother: false),
    (exchangesMTU: false, name: "Strap A", first: 20, isAnother: false),
  ])
  func `and nothing shows that it was`(exchangesMTU: Bool, name: String, first: UInt16, isAnother: Bool) throws {
    var host = HostSide()
    host.connected(peer: 1)
    Self.begin(&host, name: "Strap A", first: 14)
    for rate in [60, 61] as [UInt8] {
      host.notified(attribute: 16, [0, rate])
      host.wait(milliseconds: 990)
    }
    let lost = replace(&host)
    Self.begin(&host, name: name, first: first, exchangesMTU: exchangesMTU)
    host.notified(attribute: first + 2, [0, 90])
    let expected =
      isAnother
      ? [Told(peer: 1, bpm: [60, 61]), Told(peer: nil, bpm: [90])] : [Told(peer: 1, bpm: [60, 61, 90])]
    #expect(try told(file(host, without: lost, .unnoticed)) == expected)
    // Where the host's first question is gone as well, the others tell.
    if first == 16 {
      #expect(try told(file(host, without: lost.lowerBound..<lost.upperBound + 1, .unnoticed)) == expected)
    }
    // Where it is known that something is missing, it is another one once, however much shows it.
    if isAnother { #expect(try told(file(host, without: lost, .counted)) == expected) }
  }

  /// Once it is known to be another one, what comes soon after shows no third: a host that asks again, another name.
  @Test func `once, however much shows it`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    Self.begin(&host, name: "Strap A", first: 14)
    host.notified([0, 60])
    let lost = replace(&host)
    for _ in 0..<2 { Self.begin(&host, name: "Strap B", first: 20) }
    host.notified(attribute: 22, [0, 90])
    #expect(
      try told(file(host, without: lost, .unnoticed)) == [Told(peer: 1, bpm: [60]), Told(peer: nil, bpm: [90])])
  }

  /// The peer's name tells, but not that more of it is read once the ATT_MTU has grown.
  @Test(arguments: [("Strap B", true), ("Strap A", false), ("Strap A, the long one", false)])
  func `and whose successor has another name`(name: String, isAnother: Bool) throws {
    func read(_ name: String, _ host: inout HostSide) {
      host.sent(hex("0a 03 00"))
      host.received([0x0B] + Array(name.utf8))
    }
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.sent(hex("08 01 00 05 00 03 28"))
    host.received(hex("09 07 02 00 02 03 00 00 2a"))
    read("Strap A", &host)
    host.notified([0, 60])
    let lost = replace(&host)
    read(name, &host)
    host.notified([0, 90])
    let expected =
      isAnother ? [Told(peer: 1, bpm: [60]), Told(peer: nil, bpm: [])] : [Told(peer: 1, bpm: [60, 90])]
    #expect(try told(file(host, without: lost, .counted)) == expected)
  }

  /// So it has, where nothing but the answer is in the capture.
  @Test func `and whose successor has exchanged the MTU`() throws {
    let (host, lost) = swapped { host in
      host.sent(hex("02 05 02"))
      host.received(hex("03 b9 00"))
      host.notified([0, 90])
    }
    let left = file(host, without: lost.lowerBound..<lost.upperBound + 1, .counted)
    #expect(try told(left) == [Told(peer: 1, bpm: [60, 61]), Told(peer: nil, bpm: [])])
    let summary = try summary(of: left)
    #expect(summary.connections.map(\.mtu) == [nil])
  }

  /// What it sends before that is its own too.
  @Test func `and whose successor sends before it gives itself away`() throws {
    let (host, lost) = swapped(exchangesMTU: false) { host in
      host.notified(attribute: 32, [0, 89])
      host.discoverHeartRate(first: 30)
      for rate in [90, 91] as [UInt8] { host.notified(attribute: 32, [0, rate]) }
    }
    let expected = [Told(peer: 1, bpm: [60, 61]), Told(peer: nil, bpm: [89, 90, 91])]
    #expect(try told(file(host, without: lost, .counted)) == expected)
  }

  /// Nothing notifies at handle 50: the whole table was told.
  private func sendingWhereNothingIs(_ values: Int, wait: Int64) -> (host: HostSide, lost: Range<Int>) {
    var host = HostSide()
    host.subscribe()
    host.sent(hex("10 14 00 ff ff 00 28"))
    host.received(hex("01 10 14 00 0a"))
    for rate in [60, 61] as [UInt8] {
      host.notified([0, rate])
      host.wait(milliseconds: 990)
    }
    let lost = replace(&host, wait: wait)
    for rate in 90..<90 + UInt8(values) {
      host.notified(attribute: 50, [0x16, rate, 0x9A, 0x02])
      host.wait(milliseconds: 990)
    }
    return (host, lost)
  }

  /// It sends values from where the one before has nothing; one such may be damaged. However soon it was made.
  @Test(arguments: [4000, 20] as [Int64], [LossKind.counted, .damaged])
  func `and whose successor sends from elsewhere`(wait: Int64, kind: LossKind) throws {
    for values in [1, 6] {
      var (host, lost) = sendingWhereNothingIs(values, wait: wait)
      let told = try told(file(host, without: lost, kind))
      #expect(told.map(\.bpm.count) == (values == 1 ? [2] : [2, 6]), "\(values)")
      // Without a hole it is odd, and no other connection.
      (host, lost) = sendingWhereNothingIs(values, wait: wait)
      #expect(try self.told(file(host, without: lost, .unnoticed)).count == 1)
    }
  }

  /// A server that has another table, and has not said that it changed.
  @Test(arguments: [
    ["10 01 00 ff ff 00 28", "11 06 14 00 19 00 0d 18", "08 14 00 19 00 03 28", "09 07 15 00 10 16 00 37 2a"],
    ["06 01 00 ff ff 00 28 0d 18", "07 14 00 19 00", "08 14 00 19 00 03 28", "09 07 15 00 10 16 00 37 2a"],
    ["10 01 00 ff ff 00 28", "11 06 0e 00 13 00 0f 18", "06 01 00 ff ff 00 28 0d 18", "07 14 00 19 00"],
  ])
  func `and whose successor has another table`(dialogue: [String]) throws {
    let (host, lost) = swapped(exchangesMTU: false) { host in
      for pair in stride(from: 0, to: dialogue.count, by: 2) {
        host.sent(hex(dialogue[pair]))
        host.received(hex(dialogue[pair + 1]))
      }
      if dialogue[3].hasPrefix("07") {
        host.sent(hex("08 14 00 19 00 03 28"))
        host.received(hex("09 07 15 00 10 16 00 37 2a"))
      }
      host.notified(attribute: 22, [0, 90])
    }
    let expected = [Told(peer: 1, bpm: [60, 61]), Told(peer: nil, bpm: [90])]
    #expect(try told(file(host, without: lost, .counted)) == expected)
  }

  /// Which services a server has is asked once, before it measures.
  @Test func `and whose successor is discovered from the beginning`() throws {
    let (host, lost) = swapped(exchangesMTU: false) { host in
      host.discoverHeartRate()
      host.notified([0, 90])
    }
    #expect(
      try told(file(host, without: lost, .counted)) == [Told(peer: 1, bpm: [60, 61]), Told(peer: nil, bpm: [90])])
    #expect(try told(file(host, without: lost, .unnoticed)) == [Told(peer: 1, bpm: [60, 61, 90])])
  }

  /// What has not measured yet may have been told by half, but not where a discovery begins anew.
  @Test(arguments: [
    ["10 01 00 ff ff 00 28", "11 06 0f 00 14 00 0d 18"], ["06 01 00 ff ff 00 28 0d 18", "07 0f 00 14 00"],
  ])
  func `and whose successor is discovered before either has measured`(dialogue: [String]) throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    let lost = replace(&host)
    host.sent(hex(dialogue[0]))
    host.received(hex(dialogue[1]))
    host.sent(hex("08 0f 00 14 00 03 28"))
    host.received(hex("09 07 10 00 10 11 00 37 2a"))
    host.notified(attribute: 17, [0, 90])
    #expect(
      try told(file(host, without: lost, .counted)) == [Told(peer: 1, bpm: []), Told(peer: nil, bpm: [90])])
  }

  /// PacketLogger's files have no header: of two in one, nothing but the time shows where the second begins.
  @Test func `where the next file's time is earlier`() throws {
    let (host, lost) = swapped { host in
      host.sent(hex("02 05 02"))
      host.received(hex("03 b9 00"))
      host.discoverHeartRate()
      host.notified([0, 90])
    }
    var packets = host.packets
    for place in lost.upperBound..<packets.count { packets[place].time -= 7_200_000_000 }
    packets.removeSubrange(lost)
    let expected = [Told(peer: 1, bpm: [60, 61]), Told(peer: nil, bpm: [90])]
    #expect(try told(Container.packetLoggerLittle.file(packets)) == expected)
  }

  /// The rest of a discovery whose beginning is in the hole too: it declares a measurement where the location was.
  @Test func `and whose successor declares something else`() throws {
    let (host, lost) = swapped(exchangesMTU: false) { host in
      host.sent(hex("08 11 00 18 00 03 28"))
      host.received(hex("09 07 12 00 10 13 00 37 2a"))
      host.notified(attribute: 19, [0, 90])
    }
    let expected = [Told(peer: 1, bpm: [60, 61]), Told(peer: nil, bpm: [90])]
    #expect(try told(file(host, without: lost, .counted)) == expected)
  }

  /// What it has told before ends at 0013, whether it has measured then or not.
  @Test(
    arguments: [("0a 1b 00", "0b 01"), ("12 19 00 01 00", "13")], [([60, 61], true), ([], true), ([60, 61], false)])
  func `and whose successor has more than was there`(
    dialogue: (String, String), before: (rates: [UInt16], isEndTold: Bool)
  ) throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    if before.isEndTold {
      host.sent(hex("10 14 00 ff ff 00 28"))
      host.received(hex("01 10 14 00 0a"))
    }
    for rate in before.rates.map(UInt8.init) {
      host.notified([0, rate])
      host.wait(milliseconds: 990)
    }
    let lost = replace(&host)
    host.sent(hex(dialogue.0))
    host.received(hex(dialogue.1))
    let told = try told(file(host, without: lost, .counted))
    #expect(told == [Told(peer: 1, bpm: before.rates)] + (before.isEndTold ? [Told(peer: nil, bpm: [])] : []))
  }

  /// What is learnt must not hang on what is told: nobody asks for what is written.
  @Test(arguments: [("0a 1b 00", "0b 01"), ("12 19 00 01 00", "13"), ("12 19 00 01 02 03", "13")])
  func `whoever asks for nothing learns so too`(dialogue: (String, String)) throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.discoverHeartRate()
    host.sent(hex("10 14 00 ff ff 00 28"))
    host.received(hex("01 10 14 00 0a"))
    host.notified([0, 60])
    let lost = replace(&host)
    host.sent(hex(dialogue.0))
    host.received(hex(dialogue.1))
    var analyzer = Analyzer(into: EventForwarder(selection: []) { _ in })
    let octets = ContiguousArray(file(host, without: lost, .counted))
    _ = try analyzer.read(octets.span, isLast: true)
    #expect(analyzer.conclusions.lostEnds.count == 1)
  }

  /// Nobody has said where its services end: the last handle of all is behind nothing.
  @Test func `are none where an attribute has the last handle`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.notified([0, 60])
    let lost = host.packets.count..<host.packets.count + 2
    for _ in lost { host.notified([0, 61]) }
    host.wait(milliseconds: 4000)
    host.sent(hex("0a ff ff"))
    host.received(hex("0b 01"))
    #expect(try told(file(host, without: lost, .counted)).count == 1)
  }

  /// Where the one had its battery's level, the other has its heart rate. A level of two octets that is no heart rate shows
  /// nothing.
  @Test(arguments: [true, false]) func `and whose successor's battery beats`(isHeartRate: Bool) throws {
    let (host, lost) = swapped(exchangesMTU: false, hasBattery: true) { host in
      for rate in 90..<100 as Range<UInt8> {
        host.notified(attribute: 24, isHeartRate ? [0x16, rate] + (61_440 / UInt16(rate)).little : [rate, 0])
        host.wait(milliseconds: 990)
      }
    }
    let other = isHeartRate ? [Told(peer: nil, bpm: Array(90..<100))] : []
    #expect(try told(file(host, without: lost, .counted)) == [Told(peer: 1, bpm: [60, 61])] + other)
  }

  /// A controller is of one version and one maker.
  @Test(arguments: [(0x0F, true), (0x3B, false)] as [(UInt8, Bool)])
  func `and whose successor's controller is another`(company: UInt8, isOther: Bool) throws {
    let (host, lost) = swapped(exchangesMTU: false, version: 0x3B) { host in
      host.event(0x0C, hex("00 40 00 0a \(company.hexadecimal) 00 01 00"))
      discoverCharacteristic(&host)
      host.notified([0, 90])
    }
    let expected = [Told(peer: 1, bpm: [60, 61]), Told(peer: nil, bpm: [90])]
    #expect(try told(file(host, without: lost, .counted)) == (isOther ? expected : [Told(peer: 1, bpm: [60, 61, 90])]))
  }

  /// What else an exchange behind the hole may be, if there is one.
  enum Other: CaseIterable { case nothing, changedTable, lateExchange }

  /// Nothing shows it, or it may be another thing: a table that has changed, a client that asks again long after.
  @Test(arguments: Other.allCases)
  func `as far as anything shows`(other: Other) throws {
    let (host, lost) = swapped { host in
      switch other {
      case .nothing: break
      case .changedTable:
        host.received(hex("1d 0a 00 01 00 ff ff"))
        host.sent(hex("1e"))
        host.sent(hex("08 01 00 ff ff 03 28"))
        host.received(hex("09 07 09 00 20 0a 00 05 2a"))
        host.discoverHeartRate(first: 30)
        host.notified(attribute: 32, [0, 90])
        return
      case .lateExchange:
        host.event(0x0F, hex("00 01 00 00"))
        host.wait(milliseconds: 20_000)
        host.sent(hex("02 05 02"))
        host.received(hex("03 b9 00"))
      }
      host.notified([0, 90])
    }
    #expect(try told(file(host, without: lost, .counted)).map(\.bpm) == [[60, 61, 90]])
  }

  /// Its end is in the capture, behind the hole: what comes then cannot have begun there.
  @Test func `are none where the end is there`() throws {
    var host = HostSide()
    host.connected(peer: 1)
    host.sent(hex("02 05 02"))
    host.received(hex("03 b9 00"))
    host.discoverHeartRate()
    host.notified([0, 60])
    host.wait(milliseconds: 990)
    let lost = host.packets.count..<host.packets.count + 1
    host.notified([0, 61])
    host.wait(milliseconds: 990)
    host.notified([0, 62])
    host.disconnected()
    host.received(hex("03 b9 00"))
    #expect(try told(file(host, without: lost, .counted)) == [Told(peer: 1, bpm: [60, 62])])
  }

  /// One peer, one connection: the earlier one has ended.
  @Test(arguments: [false, true]) func `and whose peer connects again on another handle`(isTaken: Bool) throws {
    let (host, lost) = swapped { host in
      discoverCharacteristic(&host)
      host.notified([0, 90])
      host.connected(0x41, peer: 1)
      host.notified(on: 0x41, [0, 62])
      if isTaken { host.notified([0, 91]) }
    }
    let left = file(host, without: lost, .counted)
    let ends = try InferredCapture(left).events.filter { $0.content.kind == .disconnected }.map(\.connection)
    #expect(ends == [1])
    // Without what came behind it, it was the peer's until then.
    let expected =
      isTaken
      ? [Told(peer: 1, bpm: [60, 61]), Told(peer: nil, bpm: [90, 91]), Told(peer: 1, bpm: [62])]
      : [Told(peer: 1, bpm: [60, 61, 90]), Told(peer: 1, bpm: [62])]
    #expect(try told(left) == expected)
  }

  /// Some hosts ask twice, one upon the other: meanwhile no other connection can have been made.
  @Test func `are none between two exchanges that follow at once`() throws {
    var host = HostSide()
    host.connected()
    for _ in 0..<2 {
      host.sent(hex("02 05 02"))
      host.received(hex("03 b9 00"))
      host.command(0x1405, [0x40, 0])
    }
    host.discoverHeartRate()
    host.notified([0, 60])
    #expect(try told(file(host, without: 3..<4, .counted)) == [Told(peer: 1, bpm: [60])])
  }

  /// A strap that goes on, and is discovered once more; its values are lost.
  /// - Parameters:
  ///   - isHeard: Whether a value between them is not.
  ///   - values: How many come behind them, one a second.
  private func rediscovered(losing count: Int, isHeard: Bool = false, values: Int = 0) -> (HostSide, lost: [Int]) {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    func measure(_ host: inout HostSide, _ count: Int = 1) -> Range<Int> {
      let first = host.packets.count
      for _ in 0..<count {
        host.notified([0, 60])
        host.wait(milliseconds: 990)
      }
      return first..<first + count
    }
    _ = measure(&host, 3)
    var lost = Array(measure(&host, count))
    if isHeard {
      _ = measure(&host)
      lost += measure(&host)
    }
    _ = measure(&host, values)
    // Somebody else talks, and shows that records are missing.
    host.command(0x1405, [0x41, 0])
    host.discoverHeartRate()
    host.notified([0, 60])
    return (host, lost)
  }

  /// An end is one record, and a making another.
  @Test(arguments: [(1, false, 1), (2, false, 2), (1, true, 1), (3, true, 2)] as [(Int, Bool, Int)])
  func `are none where fewer records are missing than tell of it`(lost: Int, isHeard: Bool, count: Int) throws {
    let (host, places) = rediscovered(losing: lost, isHeard: isHeard)
    #expect(try told(file(host, without: places, .counted)).count == count)
  }

  /// One record is missing twice, and nothing of the connection comes between.
  @Test func `may have ended in one hole, and their successors begun in the next`() throws {
    var host = HostSide()
    host.connected()
    host.discoverHeartRate()
    host.notified([0, 60])
    host.wait(milliseconds: 990)
    let lost = [host.packets.count, host.packets.count + 2]
    for _ in 0..<4 { host.command(0x1405, [0x41, 0]) }
    host.wait(milliseconds: 990)
    host.discoverHeartRate()
    host.notified([0, 61])
    #expect(try told(file(host, without: lost, .counted)).map(\.bpm) == [[60], [61]])
  }

  /// Who sends values is subscribed to, or bonded: then it does so for a moment before it is asked.
  @Test(arguments: [(2, 2), (5, 1)], [LossKind.counted, .damaged])
  func `are none where values go on`(values: (seconds: Int, count: Int), kind: LossKind) throws {
    let (host, lost) = rediscovered(losing: 2, values: values.seconds)
    #expect(try told(file(host, without: lost, kind)).count == values.count)
  }

  /// It talks right before the hole and right behind it, and says later what is usually said first.
  @Test(arguments: [(40, 1), (3000, 2)] as [(Int64, Int)])
  func `are none where nobody fell silent`(milliseconds: Int64, count: Int) throws {
    var host = HostSide()
    host.connected()
    for isAgain in [false, true] {
      host.sent(hex("02 05 02"))
      host.received(hex("03 b9 00"))
      if isAgain { break }
      host.discoverHeartRate()
      host.wait(milliseconds: milliseconds)
      host.notified([0, 60])
      host.wait(milliseconds: 2000)
    }
    host.notified([0, 61])
    let lost = host.packets.count - 6
    #expect(try told(file(host, without: lost..<lost + 2, .counted)).count == count)
  }

  /// Some controllers report the making of a connection in two forms; the enhanced one tells whose the address is.
  @Test(arguments: [false, true], [false, true])
  func `are none where a making is reported twice`(isEnhancedFirst: Bool, isPrivate: Bool) throws {
    let used: [UInt8] = isPrivate ? [9, 8, 7, 6, 5, 0x45] : HostSide.address(1)
    let parameters = hex("18 00 00 00 48 00 00")
    let legacy = hex("00 40 00 00 01") + used + parameters
    let enhanced =
      hex("00 40 00 00") + [isPrivate ? 3 : 1] + HostSide.address(1) + Array(repeating: 0, count: 6)
      + (isPrivate ? used : Array(repeating: 0, count: 6)) + parameters
    var host = HostSide()
    for form in isEnhancedFirst ? [10, 1] : [1, 10] as [UInt8] { host.leEvent(form, form == 1 ? legacy : enhanced) }
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    host.notified([0, 60])
    let summary = try summary(of: host.file(), listsMeasurements: true)
    #expect(summary.connections.count == 1 && summary.findings.isEmpty)
    #expect(summary.connections.first?.lastingAddress?.number == 0xC544_3322_1101)
    #expect(summary.connections.first?.heartRate?.measurements.count == 1)
  }

  /// Whoever was the central of one connection and is the peripheral of the next has two, whatever addresses they tell.
  @Test func `is one where another making follows at once, in another role`() throws {
    var host = HostSide()
    for role in [0, 1] as [UInt8] {
      host.leEvent(0x01, hex("00 40 00") + [role, 1, 9, 8, 7, role, 5, 0x45] + hex("18 00 00 00 48 00 00"))
    }
    host.notified([0, 60])
    let roles = try Analysis(host.file()).connections.map { $0.connected?.role }
    #expect(roles == [.central, .peripheral])
  }
}

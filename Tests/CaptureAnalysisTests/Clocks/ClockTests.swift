import BluetoothHost
import CaptureAnalysis
import CaptureFiles
import Octets
import Testing
import TestSupport

@Suite struct `Clocks` {
  private func findings(_ octets: [UInt8], _ rule: String) throws -> [Finding] {
    try summary(of: octets).findings.filter { $0.rule == rule }
  }

  /// Events at these seconds from the start.
  private func capture(_ seconds: [Double], _ container: Container = .btsnoopH4) -> [UInt8] {
    var host = HostSide()
    for second in seconds {
      host.time = CapturedPacket.start + Int64(second * 1_000_000)
      host.event(0x0F, [0, 1, 0, 0])
    }
    return host.file(container)
  }

  /// What began by the old clock and ends by the new one.
  @Test func `that are set back leave no length of time below zero`() throws {
    var host = HostSide()
    host.subscribe()
    for (index, value) in [[0x06, 60], [0x04, 60], [0x04, 0], [0x04, 0], [0x04, 0], [0x06, 60]].enumerated() {
      host.notified(value.map(UInt8.init))
      host.wait(milliseconds: index == 3 ? -3_599_000 : 1000)
    }
    let messages = try host.findings().map(\.message)
    #expect(messages.contains("contact lost for 4 s (4 measurements)"), "\(messages)")
    #expect(!messages.contains { $0.contains("for -") || $0.contains("in -") }, "\(messages)")
  }

  /// An hour that no clock has counted is none. Where the leap is of no zone, what went by meanwhile is not known.
  @Test(arguments: [(3_600_000, 50), (-3_600_000, 50), (34_560_000_000, 49)])
  func `that leap make nothing last longer or shorter`(milliseconds: Int64, length: Int) throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<60 {
      host.notified(second < 10 ? [0x06, 60] : [0x04, UInt8(60 + second % 3)])
      host.wait(milliseconds: second == 30 ? milliseconds + 990 : 990)
    }
    host.notified([0x06, 60])
    let findings = try host.findings()
    let messages = Dictionary(grouping: findings, by: \.rule).mapValues { $0.map(\.message) }
    #expect(messages["contact-lost"] == ["contact lost for \(length) s (50 measurements)"], "\(messages)")
    let offBody = "50 heart rates above 0 in \(length - 1) s without skin contact"
    #expect(messages["heart-rate-off-body"] == [offBody], "\(messages)")
  }

  /// Of what leaps while a connection says nothing, it learns all at once.
  @Test func `that leap while others speak make nothing last longer`() throws {
    var host = HostSide()
    host.connected()
    host.connected(0x41, peer: 2)
    host.discoverHeartRate()
    host.write(attribute: 17, [1, 0])
    for second in 0..<60 {
      host.notified(second < 10 ? [0x06, 60] : [0x04, UInt8(60 + second % 3)])
      host.wait(milliseconds: 990)
      guard second == 30 else { continue }
      for leap: Int64 in [7_200_000, -3_600_000, 34_560_000_000] {
        host.wait(milliseconds: leap)
        host.received(on: 0x41, hex("1b 03 00 05"))
      }
    }
    host.notified([0x06, 60])
    let octets = host.file()
    let messages = try summary(of: octets).findings.filter { $0.rule == "contact-lost" }.map(\.message)
    #expect(messages == ["contact lost for 50 s (50 measurements)"])
    let steps = try Analysis(octets, selection: EventSelection([.connected, .dialogue])).events.filter {
      if case .dialogue(.clockStep) = $0.content { $0.connection != nil } else { false }
    }
    let counts = Dictionary(grouping: steps, by: \.connection).mapValues(\.count)
    #expect(counts == [1: 2, 2: 3], "\(counts)")
  }

  /// What is asked before a leap and answered behind it has not waited.
  @Test func `that leap keep nobody waiting`() throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<30 {
      if second == 15 { host.l2cap(.received, channel: 5, hex("12 01 08 00 18 00 28 00 00 00 48 00")) }
      host.wait(milliseconds: second == 15 ? 3_600_020 : 0)
      if second == 15 { host.l2cap(.sent, channel: 5, hex("13 01 02 00 00 00")) }
      host.notified([0x06, UInt8(60 + second % 3)])
      host.wait(milliseconds: 990)
    }
    let rules = try host.rules()
    #expect(rules == ["clock-jump"])
  }

  /// An app that asks for something every half hour.
  @Test func `that go on by half an hour each time do so by a timer`() throws {
    let seconds = (0..<10).flatMap { turn -> [Double] in
      let start = Double(turn) * 1800.5
      return [start, start + 0.5]
    }
    let summary = try summary(of: capture(seconds))
    #expect(summary.findings.isEmpty && summary.facts.duration == 16_205 && !summary.facts.hasClockSteps)
  }

  /// A sensor that measures once in half an hour.
  @Test func `that go on by half an hour from one value to the next do so by its timer`() throws {
    var host = HostSide()
    host.subscribe()
    for rate in 60..<70 as Range<UInt8> {
      host.notified([0, rate])
      host.wait(milliseconds: 1_800_000)
    }
    #expect(try findings(host.file(), "clock-jump").isEmpty)
  }

  /// Nobody who measures once a second makes a pause of whole hours, and once more.
  @Test(arguments: [1800, 3600, 5400, 7200, 86_400] as [Int64], [2, 3])
  func `that leap by the same hours again while somebody speaks are told each time`(seconds: Int64, count: Int) throws {
    var host = HostSide()
    host.subscribe()
    for second in 0..<40 as Range<UInt8> {
      host.notified([0, 60 + second % 3])
      host.wait(milliseconds: 990)
      if second >= 10, second < 10 + 5 * count, second % 5 == 0 { host.wait(milliseconds: seconds * 1000) }
    }
    let summary = try summary(of: host.file())
    #expect(summary.findings.map(\.rule) == Array(repeating: "clock-jump", count: count))
    #expect(try #require(summary.facts.duration) < 45)
  }

  @Test(arguments: [
    (3600.2, "forward by 1 h 00 min, as when the device changed its time zone"),
    (-3599.0, "back by 1 h 00 min, as when the device changed its time zone"),
    (1800.5, "forward by 30 min, as when the device changed its time zone"),
    (-19_798, "back by 5 h 30 min, as when the device changed its time zone"),
    (-2, "back by 2 s, as when its clock was set"), (-125, "back by 2 min 05 s, as when its clock was set"),
    (-3539, "back by 58 min 59 s, as when its clock was set"), (-7139, "back by 1 h 59 min, as when its clock was set"),
    (-90_000_000, "back by 1041 days, as when its clock was set"),
    (1_700_000_000, "forward by 19675 days, as when its clock was set"),
  ])
  func `that leap are found`(step: Double, words: String) throws {
    for container in [Container.btsnoopH4, .pcapDirection, .pcapngBig, .packetLoggerLittle] {
      // A sixty-fifth year from now does not fit into every format.
      guard abs(step) < 1e9 || container == .btsnoopH4 else { continue }
      let octets = capture([0, 1, 2, 3, 4, 4 + step, 5 + step, 6 + step, 7 + step, 8 + step], container)
      let found = try findings(octets, "clock-jump")
      #expect(found.count == 1 && found.first?.frame == 6 && found.first?.severity == .warning)
      #expect(found.first?.message.contains(words) == true, "\(found.map(\.message))")
      #expect(found.first?.time?.microseconds == CapturedPacket.start + Int64((4 + step) * 1_000_000))
    }
  }

  /// Pauses, and packets of two sources that are out of order by a little.
  @Test(arguments: [0, 60, 1700, 1810, 4000, 86_300, 200_000, -0.9])
  func `that go on are not`(step: Double) throws {
    #expect(try findings(capture([0, 1, 2, 2 + step, 3 + step]), "clock-jump").isEmpty)
  }

  /// pcapng's Simple Packet Blocks do not say when they came, nor do frames without a packet, such as Custom Blocks.
  @Test func `are those of other packets where one does not say when it came`() throws {
    var host = HostSide()
    host.subscribe()
    for rate in [60, 61, 62] as [UInt8] {
      host.wait(milliseconds: 1000)
      host.notified([0, rate])
    }
    let builder = PCAPNGBuilder()
    let last = host.packets.count - 1
    var file = builder.section + builder.interface(linkType: 201)
    for (index, packet) in host.packets.enumerated() {
      if index == last { file += builder.block(0xBAD, [1, 2, 3, 4]) }
      file +=
        index == 0 || index == last
        ? builder.simple(PCAPBuilder.linkHeader(201, packet) + packet.octets) : builder.record(packet)
    }
    let summary = try summary(of: file)
    #expect(summary.findings.isEmpty, "\(summary.findings.map(\.message))")
    #expect(summary.facts.firstTime?.microseconds == host.packets[1].time)
    #expect(summary.facts.lastTime?.microseconds == host.packets[last - 1].time)
  }

  /// A sensor that notifies every second, then for ten seconds or so nothing or nobody, a step of the clock, and on.
  private func measuring(_ step: Double, before: (inout HostSide) -> Void = { _ in }) throws -> [Finding] {
    var host = HostSide()
    host.subscribe()
    for second in 0..<60 {
      if second == 30 {
        before(&host)
        host.time += Int64(step * 1_000_000)
      }
      host.notified([0, 60 + UInt8(second % 3)])
      host.wait(milliseconds: 1000)
    }
    return try host.findings()
  }

  /// Nobody who measures every second is silent for hours, and neither breaks off nor is looked for.
  @Test(arguments: [(8230.0, "forward by 2 h 17 min"), (3600, "forward by 1 h 00 min"), (-40, "back by 39 s")])
  func `that leap between two measurements are no gap`(step: Double, words: String) throws {
    let found = try measuring(step)
    #expect(found.map(\.rule) == ["clock-jump"], "\(found.map(\.message))")
    #expect(found.first?.message.contains(words) == true && found.first?.frame == 40)
  }

  /// Measurements that wait for each other, two by two: how often they are taken is told by their mean, from the step on.
  @Test(arguments: [8230, -40, -7200] as [Double])
  func `that leap between two bundles`(step: Double) throws {
    var host = HostSide()
    host.subscribe()
    host.event(0x3E, hex("03 00 40 00 40 06 00 00 80 0c"))
    for bundle in 0..<60 {
      if bundle == 30 { host.time += Int64(step * 1_000_000) }
      // A silence of eight seconds, and all that was taken meanwhile behind it.
      for second in 0..<(bundle == 50 ? 10 : 2) as Range<UInt8> {
        host.notified([0, 60 + second % 3])
        host.wait(milliseconds: 5)
      }
      host.wait(milliseconds: bundle == 49 ? 9990 : 1990)
    }
    let found = try host.findings()
    let rules = ["interval-slower-than-measurements", "clock-jump", "notification-gap", "notification-burst"]
    #expect(Set(found.map(\.rule)) == Set(rules), "\(found.map(\.message))")
    let burst = try #require(found.first { $0.rule == "notification-burst" })
    #expect(burst.message == "10 measurements at once after 10 s of silence, as many as were due: held back on the air")
  }

  /// Less than an hour may be silence; and so may be more, where nobody has spoken for a while.
  @Test func `that go on during a silence are a gap`() throws {
    #expect(try measuring(1000).map(\.rule) == ["notification-gap"])
    #expect(
      try measuring(8230) {
        $0.wait(milliseconds: 20_000); $0.event(0x0F, [0, 1, 0, 0])
      }.map(\.rule) == ["notification-gap"])
  }

  @Test(arguments: Sample.all) func `of samples are sound`(sample: Sample) throws {
    #expect(try findings(sample.octets, "clock-jump").isEmpty)
  }

  /// Wherever the clock is set, that alone is found, and every measurement stays.
  @Test(arguments: Sample.all.filter { $0.name.hasSuffix(".btsnoop") })
  func `that leap anywhere in samples make no other findings`(sample: Sample) throws {
    let octets = try sample.octets
    let records = BTSnoopBuilder.recordPlaces(of: octets)
    let whole = try summary(of: octets)
    let rules = Set(whole.findings.map(\.rule))
    for part in 1..<10 {
      for step in [-7200, -40, 10_200] as [Int64] {
        let set = try summary(of: setting(octets, records[(records.count * part / 10)...], by: step * 1_000_000))
        let others = Set(set.findings.map(\.rule)).subtracting(rules).subtracting(["clock-jump"])
        #expect(others == [], "\(part) of 10, \(step) s")
        #expect(
          set.connections.map { $0.heartRate?.statistics.measurements }
            == whole.connections.map { $0.heartRate?.statistics.measurements })
      }
    }
  }

  /// A btsnoop file with another time in some of its records.
  private func setting(_ octets: [UInt8], _ records: ArraySlice<Int>, by step: Int64) -> [UInt8] {
    var octets = octets
    for record in records {
      let time = octets[record + 16..<record + 24].reduce(Int64(0)) { $0 << 8 | Int64($1) } + step
      for place in 0..<8 { octets[record + 16 + place] = UInt8(truncatingIfNeeded: time >> (56 - 8 * place)) }
    }
    return octets
  }

  @Test func `that leap again and again are one finding`() throws {
    let seconds = (0..<1000).map { Double($0) + ($0 % 2 == 0 ? 0 : 7200) }
    let found = try findings(capture(seconds), "clock-jump")
    #expect(found.count == 1 && found.first?.count == 999)
    #expect(found.first?.frame == 2 && found.first?.lastFrame == 1000)
    #expect(found.first?.message.contains("999 times, first forward by 2 h 00 min") == true)
  }

  /// A clock that is set is not set back with the next record.
  @Test(arguments: [(-90_000_000.0, "back by 1041 days"), (900_000, "forward by 10 days")])
  func `that leap in one record alone did not leap`(step: Double, words: String) throws {
    for container in [Container.btsnoopH4, .pcapDirection, .packetLoggerLittle] {
      var host = HostSide()
      host.connected()
      for second in 0..<10 {
        host.notified([0x06, 60])
        host.time = CapturedPacket.start + Int64((Double(second) + (second == 5 ? step : 0)) * 1_000_000)
      }
      let found = try findings(host.file(container), "clock-jump")
      let message = "this record alone leaps \(words), and the next one is back: its time is damaged, most likely"
      #expect(found.map(\.message) == [message])
      #expect(found.first?.frame == 8)
    }
  }

  @Test func `that leap twice in a row are told twice`() throws {
    let found = try findings(capture([0, 1, 2, -98, -200, -199]), "clock-jump")
    #expect(found.map(\.frame) == [4, 5])
  }

  /// What PacketLogger notes of days before is no packet.
  @Test(arguments: [OctetOrder.little, .big]) func `do not begin with notes`(order: OctetOrder) throws {
    let builder = PacketLoggerBuilder(order)
    let before = CapturedPacket.start - 3 * 86_400_000_000
    let packets = (0..<6).map {
      CapturedPacket(.event, .received, [0x0F, 4, 0, 1, 0, 0], time: CapturedPacket.start + Int64($0))
    }
    var octets = builder.record(type: 0xFC, Array("note".utf8), time: before)
    for packet in packets { octets += builder.record(packet) }
    octets += builder.record(type: 0xFD, Array("note".utf8), time: before)
    let facts = try Analysis(octets).facts
    #expect(facts.records == 8 && facts.packets == 6)
    #expect(facts.firstTime?.microseconds == CapturedPacket.start)
    #expect(facts.lastTime?.microseconds == CapturedPacket.start + 5)
    #expect(try findings(octets, "clock-jump").isEmpty)
  }
}

@Suite struct `Ways of logging` {
  private func messages(_ host: HostSide) throws -> [String: String] {
    let findings = try host.findings()
    return Dictionary(findings.map { ($0.rule, $0.message) }) { $1 }
  }

  @Test(arguments: [
    (20, "snapshot length set: long values are cut away, the RR-Intervals of 3 measurements among them"),
    (16, "RR-Intervals are counted, but their values in 3 measurements, names and most of a discovery are cut away"),
    (14, "as Android's default log keeps them: heart rates and contact are there and RR-Intervals are counted"),
    (13, "as Android's filtered log keeps them: heart rates and contact are there"),
    (11, "as the capture's snapshot length set: heart rates are cut away"), (4, "nothing of what was said"),
    (1, "nothing of what was said"),
  ])
  func `are told by what they keep`(kept: Int, words: String) throws {
    var host = HostSide()
    host.subscribe()
    host.keptACLOctets = kept
    for _ in 0..<3 { host.notified([0x16, 72, 0x00, 0x04, 0x00, 0x04, 0x00, 0x04, 0x00, 0x04, 0x00, 0x04]) }
    let message = try #require(try messages(host)["packets-truncated"])
    #expect(message.hasPrefix("3 of \(host.packets.count) packets"))
    #expect(message.contains("no more than \(kept) octet\(kept == 1 ? "" : "s"), "), "\(message)")
    #expect(message.contains(words), "\(message)")
  }

  /// A rate of two octets ends where one of one octet is kept.
  @Test(arguments: [
    ([0x17, 72, 0, 0x00, 0x04], "the heart rates and RR-Intervals of 3 measurements, names and most of a discovery"),
    ([0x07, 72, 0], "the heart rates of 3 measurements, names and most of a discovery"),
  ])
  func `are not said to keep rates that are cut away`(value: [UInt8], words: String) throws {
    var host = HostSide()
    host.subscribe()
    host.keptACLOctets = 13
    for _ in 0..<3 { host.notified(value) }
    let message = try #require(try messages(host)["packets-truncated"])
    #expect(message.hasSuffix("as Android's filtered log keeps them: \(words) are cut away"), "\(message)")
  }

  /// As much is kept of each packet as the measurements need.
  @Test(arguments: [
    ([0x16, 72, 0x00, 0x04], 15, "long values, names and most of a discovery are cut away"),
    ([0x06, 72], 14, "long values, names and most of a discovery are cut away"),
    ([0x16, 72, 0x00, 0x04], 20, "long values are cut away"),
  ])
  func `are not said to lack intervals that are there`(value: [UInt8], kept: Int, words: String) throws {
    var host = HostSide()
    host.subscribe()
    host.keptACLOctets = kept
    for _ in 0..<3 { host.notified(value) }
    host.sent(hex("0a 03 00"))
    host.received([0x0B] + Array("A name that is long".utf8))
    let message = try #require(try messages(host)["packets-truncated"])
    #expect(message.hasSuffix(": \(words)"), "\(message)")
  }

  /// What was cut of another connection, or by chance, tells no way of logging where longer packets of ATT are whole behind
  /// it.
  @Test(arguments: [5, 14, 19], [false, true])
  func `are no way of logging where others are whole`(kept: Int, areMeasurements: Bool) throws {
    var host = HostSide()
    host.subscribe()
    host.connectedClassic(0x41, peer: 2)
    for second in 0..<9 {
      host.notified([0x16, 72, 0x00, 0x04, 0x00, 0x04, 0x00, 0x04, 0x00, 0x04, 0x00, 0x04])
      if second == 4 {
        if !areMeasurements { host.l2cap(on: 0x41, .received, channel: 0x47, Array(repeating: 1, count: 40)) }
        host.cutLast(to: kept)
      }
      host.wait(milliseconds: 990)
    }
    let summary = try summary(of: host.file())
    #expect(summary.facts.truncatedACLPackets == 1 && summary.facts.keptACLOctets == nil)
    let message = try #require(try messages(host)["packets-truncated"])
    let isOther = !areMeasurements && kept >= 8
    let words = isOther ? "and none of ATT" : "while longer ones of ATT are whole"
    #expect(message.contains("no more than \(kept) octets, \(words)"), "\(message)")
    #expect(message.hasSuffix("the RR-Intervals of 1 measurement are cut away") == (areMeasurements && kept > 11))
  }

  /// Over BR/EDR, ATT has a dynamic channel.
  @Test func `are no way of logging where ATT over BR EDR is cut`() throws {
    var host = HostSide()
    host.connectedClassic()
    host.openClassicATT(there: 0x60)
    for _ in 0..<3 {
      host.l2cap(.received, channel: 0x40, hex("1b 10 00 16 48 00 04"))
      host.cutLast(to: 14)
    }
    let message = try #require(try messages(host)["packets-truncated"])
    #expect(message.contains("; of ACL packets no more than 14 octets") && !message.contains("ATT"), "\(message)")
  }

  /// Wherever it stands.
  @Test func `are no way of logging where none of ATT is cut`() throws {
    var host = HostSide()
    host.subscribe()
    for _ in 0..<9 { host.notified([0x16, 72, 0x00, 0x04]) }
    host.connectedClassic(0x41, peer: 2)
    for _ in 0..<9 {
      host.l2cap(on: 0x41, .received, channel: 0x47, Array(repeating: 1, count: 40))
      host.cutLast(to: 14)
    }
    let facts = try summary(of: host.file()).facts
    #expect(facts.truncatedACLPackets == 9 && !facts.truncatesATT && facts.keptACLOctets == nil)
  }

  /// What a log keeps whole is signalling, or shorter than what it keeps, or from before it began to cut.
  @Test func `are a way of logging where only others are whole`() throws {
    var host = HostSide()
    host.subscribe()
    host.sent(hex("0a 03 00"))
    host.received([0x0B] + Array("A name that is long".utf8))
    for second in 0..<9 {
      host.notified([0x16, 72, 0x00, 0x04, 0x00, 0x04])
      host.cutLast(to: 14)
      host.wait(milliseconds: 990)
      host.notified([0x06, 72])
      if second == 4 { host.l2cap(.received, channel: 0x05, hex("12 01 08 00 10 00 20 00 00 00 58 02")) }
      if second == 6 { host.l2cap(.received, channel: 0x47, Array(repeating: 4, count: 40)) }
    }
    #expect(try summary(of: host.file()).facts.keptACLOctets == 14)
  }

  /// The word stands behind the headers of RFCOMM, at the end of the packet; anywhere else it is what someone said.
  @Test(arguments: [(1, "1 payload was"), (2, "2 payloads were")])
  func `that replace payloads are found`(count: Int, words: String) throws {
    var host = HostSide()
    host.connectedClassic()
    let word = Array("PROHIBITED".utf8)
    for _ in 0..<count { host.l2cap(.received, channel: 0x47, [0x09, 0xFF, 0x15, 0x01] + word) }
    host.l2cap(.received, channel: 0x47, word + [0x00])
    host.l2cap(.received, channel: 0x47, Array("HIBITED".utf8))
    host.notified(word)
    let messages = try messages(host)
    #expect(messages.keys.sorted() == ["payloads-replaced"])
    #expect(messages["payloads-replaced"]?.hasPrefix("\(words) replaced by the word PROHIBITED") == true)
  }
}

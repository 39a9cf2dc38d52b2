import CaptureFiles
import Octets
import Testing
import TestSupport

@testable import CaptureAnalysis

/// Clocks that are put forward in spring and turned back in autumn, in the log of a device that writes local time.
struct ClockChange: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// When, in seconds since 1970.
  let seconds: Int64
  /// How far ahead of UTC the clocks are, in minutes.
  let offsets: (before: Int64, behind: Int64)

  /// As `date -d` has them with the zone's name in TZ.
  static let all = [
    ClockChange(testDescription: "Berlin, spring", seconds: 1_774_746_000, offsets: (60, 120)),
    ClockChange(testDescription: "Berlin, autumn", seconds: 1_792_890_000, offsets: (120, 60)),
    ClockChange(testDescription: "New York, spring", seconds: 1_772_953_200, offsets: (-300, -240)),
    ClockChange(testDescription: "New York, autumn", seconds: 1_793_512_800, offsets: (-240, -300)),
    ClockChange(testDescription: "Lord Howe Island, spring", seconds: 1_791_041_400, offsets: (630, 660)),
    ClockChange(testDescription: "Lord Howe Island, autumn", seconds: 1_775_314_800, offsets: (660, 630)),
  ]

  private func offset(_ utc: Int64) -> Int64 {
    (utc < seconds * 1_000_000 ? offsets.before : offsets.behind) * 60_000_000
  }

  var zone: TimeZoneRule { TimeZoneRule(name: "there") { offset($0.microseconds) } }

  /// What the clocks show, in microseconds.
  func wall(_ utc: Int64) -> Int64 { utc + offset(utc) }
}

@Suite struct `Changes of summer time` {
  /// A sensor that measures every second, some seconds before and behind the change.
  private func host(_ change: ClockChange, before: Int64 = 60, silence: Int64 = 0) -> HostSide {
    var host = HostSide()
    host.time = (change.seconds - before) * 1_000_000
    host.subscribe()
    for second in 0..<(before + 60) {
      host.notified([0x06, UInt8(60 + second % 3)])
      host.wait(milliseconds: 990)
      if second == before / 2 { host.wait(milliseconds: silence * 1000) }
    }
    return host
  }

  private func local(_ host: HostSide, _ change: ClockChange, _ container: Container = .packetLoggerLittle) -> [UInt8] {
    container.file(
      host.packets.map { packet in
        var packet = packet
        packet.time = change.wall(packet.time)
        return packet
      })
  }

  private func summary(_ octets: [UInt8], _ zone: TimeZoneRule?) throws -> CaptureSummary {
    var analyzer = Analyzer(
      into: SummaryBuilder(listsMeasurements: true), knowing: CaptureKnowledge(zone: zone))
    try deliver(octets, .whole) { (span, isLast) throws(ParsingError) in try analyzer.read(span, isLast: isLast) }
    return analyzer.receiver.summary(path: "", facts: analyzer.facts)
  }

  private func times(_ summary: CaptureSummary) -> [Timestamp] {
    summary.connections.flatMap { $0.heartRate?.measurements.map(\.time) ?? [] }
  }

  /// What goes back by more than the hour that is shown twice was set, and is of the first of both times.
  @Test func `are not what sets a clock back by half a day`() throws {
    let change = ClockChange.all[1]
    var host = HostSide()
    for seconds in [36_000, 36_001, 36_002, 36_003, 36_004, -1800] as [Int64] {
      host.time = (change.seconds + seconds) * 1_000_000
      host.event(0x0F, [0, 1, 0, 0])
    }
    let facts = try summary(local(host, change), change.zone).facts
    #expect(facts.lastTime?.microseconds == (change.seconds - 1800) * 1_000_000)
  }

  /// Where the zone is known, the clock has not leapt: all is as in the same capture in UTC.
  @Test(arguments: ClockChange.all, [0, 600, 3000] as [Int64])
  func `are none in UTC`(change: ClockChange, silence: Int64) throws {
    let host = host(change, silence: silence)
    let utc = try summary(host.file(.packetLoggerLittle), .utc)
    for container in [Container.packetLoggerLittle, .packetLoggerBig] {
      let read = try summary(local(host, change, container), change.zone)
      #expect(read.facts.clock == .utc && !read.facts.hasClockSteps)
      #expect(read.facts.firstTime == utc.facts.firstTime && read.facts.lastTime == utc.facts.lastTime)
      #expect(read.facts.duration == utc.facts.duration)
      #expect(times(read) == times(utc) && times(read).count == 120)
      #expect(read.findings.map(\.message) == utc.findings.map(\.message))
    }
    let plain = try summary(local(host, change), nil)
    #expect(plain.facts.clock == .local && (silence > 0 || plain.facts.hasClockSteps))
  }

  /// The capture begins in the hour that is shown twice.
  @Test(arguments: ClockChange.all, [10, 1500] as [Int64])
  func `tell where a capture begins`(change: ClockChange, before: Int64) throws {
    let host = host(change, before: before)
    var start: CaptureStart?
    let forwarder = EventForwarder(selection: [], start: { start = $0 }) { _ in }
    var analyzer = Analyzer(into: forwarder, knowing: CaptureKnowledge(zone: change.zone))
    try deliver(local(host, change), .whole) { (span, isLast) throws(ParsingError) in
      try analyzer.read(span, isLast: isLast)
    }
    #expect(start?.time == Timestamp(microseconds: (change.seconds - before) * 1_000_000) && start?.clock == .utc)
    #expect(!analyzer.facts.hasClockSteps)
  }

  /// A packet that is a little late, and notes of another time, turn no clock back.
  @Test func `are not seen where times are out of order`() throws {
    let change = ClockChange.all[1]
    let builder = PacketLoggerBuilder()
    let host = host(change, before: 1500)
    let octets = host.packets.enumerated().flatMap { index, packet in
      var packet = packet
      packet.time = change.wall(packet.time)
      let note = builder.record(type: 0xFC, hex("41 42"), time: packet.time - 1_200_000_000)
      if index % 100 == 60 { packet.time -= 1_500_000 }
      return (index % 100 == 50 ? note : []) + builder.record(packet)
    }
    let read = try summary(octets, change.zone)
    #expect(!read.facts.hasClockSteps)
    #expect(read.facts.lastTime == host.packets.last.map { Timestamp(microseconds: $0.time) })
  }

  /// What is meant of an hour that is shown twice is all of it; of one that is never shown, what lies around it. In seconds
  /// from the change, written as the clocks of before go on, and read.
  @Test(
    arguments: [
      (1, -600, -600, 3000), (1, -3660, -3660, -3660), (1, 0, 3600, 3600), (3, -1800, -1800, 1800), (5, -1, -1, 1799),
      (0, 1800, -1800, 1800), (0, -1, -1, -1), (0, 3600, 0, 0), (2, 0, -3600, 0),
    ] as [(Int, Int64, Int64, Int64)])
  func `leave out nothing of what is meant`(place: Int, written: Int64, from: Int64, to: Int64) {
    let change = ClockChange.all[place]
    func stamp(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: (change.seconds + seconds) * 1_000_000) }
    let limit = TimeLimit.written(stamp(written + change.offsets.before * 60), offset: nil)
    var filter = EventFilter()
    (filter.from, filter.to, filter.zone) = (limit, limit, change.zone)
    let part = FilterWindow(filter, CaptureStart(time: stamp(-7200), clock: .utc)).part
    #expect(part?.from == stamp(from) && part?.to == stamp(to))
  }

  /// The later of two times that are shown twice may be meant first; but not of any others. In seconds from the change.
  @Test(
    arguments: [
      (1, 3000, 600, false), (1, 3000, -600, true), (1, 4200, 600, true), (3, 3000, 600, false), (0, 600, -4200, true),
    ] as [(Int, Int64, Int64, Bool)])
  func `may turn an order round`(place: Int, from: Int64, to: Int64, isKnown: Bool) {
    let change = ClockChange.all[place]
    // As the clocks of behind go on.
    func limit(_ seconds: Int64) -> TimeLimit {
      let stamp = Timestamp(microseconds: (change.seconds + seconds + change.offsets.behind * 60) * 1_000_000)
      return .written(stamp, offset: nil)
    }
    #expect(limit(to).isKnown(toBeBefore: limit(from), in: change.zone) == isKnown)
    #expect(limit(to).isKnown(toBeBefore: limit(from), in: nil))
  }
}

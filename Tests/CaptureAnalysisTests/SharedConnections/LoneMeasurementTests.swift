import CaptureAnalysis
import CaptureFiles
import Testing
import TestSupport

/// What only one of two logs of a connection has, and why.
@Suite struct `Measurements of one log only` {
  /// A minute and a half, of which two measurements never arrive.
  private func session(_ change: (inout BothLogs, Int) -> Void = { _, _ in }) -> BothLogs {
    var logs = BothLogs()
    logs.connect(at: 0)
    for second in 1...90 {
      change(&logs, second)
      logs.measure(BothLogs.value(second), at: Int64(second) * 1000, arrives: second != 50 && second != 80)
    }
    logs.disconnect(at: 91_500)
    return logs
  }

  private func shared(_ logs: BothLogs, _ filter: EventFilter = EventFilter()) throws -> SharedConnection {
    try #require(
      try sharedConnections(logs.phones[0].file(), logs.sensor.file(), (.automatic, .automatic), filter).first)
  }

  /// The clocks are seven seconds apart, and so are the parts: nothing of that is lost.
  @Test(arguments: [(40.2, nil, 2), (nil, 60.5, 1), (45, 70.01, 1), (78.5, 82, 0)] as [(Double?, Double?, Int)])
  func `what a filter leaves out is not lost`(from: Double?, to: Double?, lone: Int) throws {
    let logs = session()
    let whole = try shared(logs)
    #expect(whole.matched == 88 && whole.lone.second.count == 2 && whole.uncovered == (0, 0))
    func limit(_ seconds: Double) -> TimeLimit {
      .written(Timestamp(microseconds: CapturedPacket.start + Int64(seconds * 1_000_000)), offset: 0)
    }
    var filter = EventFilter()
    (filter.from, filter.to) = (from.map(limit), to.map(limit))
    let part = try shared(logs, filter)
    #expect(part.lone.first.isEmpty && part.lone.second.count == lone && part.uncovered == (0, 0))
    #expect((1..<88).contains(part.matched))
    #expect(part.clock.offset == whole.clock.offset && part.clock.uncertainty == whole.clock.uncertainty)
  }

  /// The phone's log counts records that it lost, fewer at another place than the sensor has sent there.
  @Test func `what a log has lost is not lost on the way`() throws {
    let logs = session()
    var drops: UInt32 = 0
    let octets = logs.phones[0].file()
    let places = BTSnoopBuilder.recordPlaces(of: octets)
    var file = Array(octets[..<16])
    for (number, range) in zip(places, places.dropFirst() + [octets.count]).enumerated() {
      // The ten behind the connection's beginning.
      guard !(30..<40).contains(number) else {
        drops += 1
        continue
      }
      let counted = (0..<4).map { UInt8(truncatingIfNeeded: drops >> (24 - 8 * UInt32($0))) }
      file += octets[range.0..<range.0 + 12] + counted + octets[(range.0 + 16)..<range.1]
    }
    let shared = try #require(try sharedConnections(file, logs.sensor.file()).first)
    #expect(shared.lone.second.count == 12 && shared.unlogged == (0, 10))
    let other = try #require(try sharedConnections(logs.sensor.file(), file).first)
    #expect(other.lone.first.count == 12 && other.unlogged == (10, 0))
  }

  /// Forward, back, and by an hour.
  @Test(arguments: [2000, -2000, -800, 30_000, 3_600_000] as [Int64])
  func `a clock that is set is no delay`(step: Int64) throws {
    let logs = session { logs, second in if second == 60 { logs.phonesAhead += step } }
    let shared = try shared(logs)
    #expect(shared.matched == 88 && shared.lone.second.count == 2 && shared.uncovered == (0, 0))
    #expect(shared.longestDelay < 0.1 && abs(shared.clock.offset - 7) < 0.05)
    let change = try #require(shared.clockChanges.first)
    #expect(shared.clockChanges.count == 1 && abs(change.seconds + Double(step) / 1000) < 0.05)
    let behind = BothLogs.value(60)
    let frames = [logs.phones[0], logs.sensor].map { side in
      side.packets.firstIndex { $0.octets.suffix(behind.count).elementsEqual(behind) }.map { $0 + 1 }
    }
    #expect(frames == [change.records.first.frame, change.records.second.frame])
  }

  /// Rates that hardly change are like their neighbours: over the place where a clock was set some are paired that are two,
  /// more than are found where it is put right.
  @Test(arguments: [(2, 6, 15, 60), (8, 6, 15, 40), (10, 3, 30, 60)])
  func `a clock that is set among like values`(seed: Int, steadiness: Int, lost: Int, count: Int) throws {
    var state = seed
    func random(_ count: Int) -> Int {
      state = (state &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
      return (state >> 16) % count
    }
    var logs = BothLogs()
    logs.connect(at: 0)
    var (rate, arrived) = (70 as UInt8, 0)
    for second in 1...count {
      if second == count / 2 { logs.phonesAhead += 2000 }
      let change = random(steadiness)
      rate = change == 0 ? rate - 1 : change == 1 ? rate + 1 : rate
      let arrives = random(100) >= lost
      arrived += arrives ? 1 : 0
      logs.measure([0, rate], at: Int64(second) * 1000, arrives: arrives)
    }
    logs.disconnect(at: Int64(count + 1) * 1000)
    let shared = try shared(logs)
    #expect(shared.clockChanges.count == 1 && abs((shared.clockChanges.first?.seconds ?? 0) + 2) < 0.05)
    #expect((arrived - 1...arrived).contains(shared.matched) && abs(shared.clock.offset - 7) < 0.05)
  }

  /// Some come late at once, and then the next ones in time.
  @Test func `what is held back is no clock that is set`() throws {
    var logs = BothLogs()
    logs.connect(at: 0)
    for second in 1...90 {
      let late = (40..<52).contains(second) ? Int64(52 - second) * 1000 + 3 * Int64(second - 40) : 15
      logs.measure(BothLogs.value(second), at: Int64(second) * 1000, after: late)
    }
    logs.disconnect(at: 91_500)
    let shared = try shared(logs)
    #expect(shared.clockChanges.isEmpty && shared.matched == 90 && shared.longestDelay > 11)
  }
}

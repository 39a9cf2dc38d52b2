import CaptureFiles

/// Two logs laid beside one another, whose clocks bear out that what both have was once.
struct TimedLogs {
  /// How their clocks differ, of which each counts from where its own log begins.
  let clock: ClockDifference
  /// How much later the second log begins by its clock than the first one by its own, in seconds.
  let apart: Double
  /// Whether both are in one capture, which one clock has timed.
  let hasOneClock: Bool
  /// How much later the second log has what both have, in seconds.
  let delays: [Double]
  /// How much later it has most of that.
  let usualDelay: Double
  /// The places of what only one of them has, though the other's log covers the time.
  let lone: (first: [Int], second: [Int])
  /// What tells that they are of one connection.
  let evidence: SharedEvidence

  /// Of the side that has fewer, so many must be the other's too.
  private static let leastShare = 0.8
  /// And so near, in the middle, to what the clocks say, in seconds: sensors on one heart have like values, but not then.
  private static let mostScatter = 0.3

  /// - Returns: Nil if what is alike in them was not at one time, or too little is.
  init?(_ laid: LaidLogs) {
    let (one, other, entries, pairs) = (laid.one, laid.other, laid.entries, laid.pairs)
    // What the sensor sends comes from the end where it is the local host.
    let sightings = laid.sightings(way: one.way(to: other))
    let rough = SampleStatistics.quantile(sightings.map(\.difference), 0.5) ?? 0
    let exchanged = Self.sightings(one, other, near: rough)
    guard let difference = ClockDifference(sightings + exchanged, interval: laid.interval) else { return nil }
    apart = other.origin.seconds(since: one.origin)
    hasOneClock = one.side.capture == other.side.capture
    clock = hasOneClock ? .none.moved(by: -apart) : difference

    let clocks = TwoClocks(clock, since: (sightings + exchanged).map(\.time).min() ?? 0)
    let delays = pairs.map { clocks.delay(entries.first[$0.first].time, entries.second[$0.second].time) }
    let usual = SampleStatistics.quantile(delays, 0.5) ?? 0
    let scatter = SampleStatistics.quantile(delays.map { ($0 - usual).magnitude }, 0.5) ?? 0
    guard scatter <= max(Self.mostScatter, laid.interval) else { return nil }
    (self.delays, usualDelay) = (delays, usual)

    lone = laid.lone(by: clocks)
    let fewer = pairs.count + min(lone.first.count, lone.second.count)
    guard Double(pairs.count) >= Self.leastShare * Double(fewer) else { return nil }

    evidence = SharedEvidence(
      one, other, clocks, aheadBy: difference.moved(by: apart).offset, pairs: pairs,
      values: pairs.map { entries.first[$0.first].fingerprint }, exchanged: exchanged.count,
      lone: (
        lone.first.map { clocks.second(at: entries.first[$0].time) }, lone.second.map { entries.second[$0].time }
      ))
  }
}

// MARK: - What is laid side by side

extension TimedLogs {
  /// Requests and responses that both saw.
  private static func sightings(
    _ one: LoggedConnection, _ other: LoggedConnection, near offset: Double
  ) -> [ClockDifference.Sighting] {
    let areOneEnd = one.way(to: other) == nil
    let second = other.side.behaviour.exchange.entries
    var left = Dictionary(grouping: second.indices) { Alike(second[$0]) }.mapValues { $0[...] }
    var sightings: [ClockDifference.Sighting] = []
    var next = 0
    for entry in one.side.behaviour.exchange.entries {
      let time = one.seconds(at: entry.moment)
      let alike = Alike(fingerprint: entry.fingerprint, isSent: entry.isSent == areOneEnd)
      while let place = left[alike]?.first {
        let difference = other.seconds(at: second[place].moment) - time
        if difference - offset > longestWay { break }
        left[alike]?.removeFirst()
        guard place >= next, difference - offset >= -longestWay else { continue }
        sightings.append(
          ClockDifference.Sighting(
            time: time, difference: difference, isForward: areOneEnd ? nil : entry.isSent, isExchanged: true))
        next = place + 1
        break
      }
    }
    return sightings
  }

  /// What is the same in the two logs of a PDU.
  private struct Alike: Hashable {
    let fingerprint: UInt64
    let isSent: Bool

    init(_ entry: ATTExchange.Entry) { self.init(fingerprint: entry.fingerprint, isSent: entry.isSent) }

    init(fingerprint: UInt64, isSent: Bool) { (self.fingerprint, self.isSent) = (fingerprint, isSent) }
  }

  /// No request takes longer from one end to the other, in seconds.
  private static let longestWay = 2.0
}

extension ClockDifference {
  /// The same with clocks that read from another origin.
  func moved(by seconds: Double) -> ClockDifference {
    ClockDifference(offset: offset + seconds, uncertainty: uncertainty, drift: drift)
  }

  /// That of a clock and itself.
  fileprivate static var none: ClockDifference { ClockDifference(offset: 0, uncertainty: 0, drift: nil) }

  private init(offset: Double, uncertainty: Double?, drift: Double?) {
    self.offset = offset
    self.uncertainty = uncertainty
    self.drift = drift
  }
}

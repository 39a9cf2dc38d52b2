import CaptureFiles

/// A connection that two sides of a comparison hold: logged on both of its ends, or twice on one.
public struct SharedConnection: Sendable {
  /// The places of the two sides among those that are compared.
  public let sides: (first: Int, second: Int)
  /// The connection as each of them has it.
  public let connections: (first: SensorBehaviour.SideConnection, second: SensorBehaviour.SideConnection)
  /// How their clocks differ.
  public let clock: ClockDifference
  /// Whether both are in one capture, which one clock has timed.
  public let hasOneClock: Bool
  /// Where one of the clocks was set, in order. `clock` is how they differed before.
  public let clockChanges: [ClockChange]
  /// How many measurements both have: those of which a filter leaves that of one at least.
  public let matched: Int
  /// Measurements that only one of them has, though the other's log covers the time.
  public let lone: (first: [Measurement], second: [Measurement])
  /// How many of those the other's log may have lost, for it lost records there.
  public let unlogged: (first: Int, second: Int)
  /// How many measurements each of them has from times that the other's log does not cover.
  public let uncovered: (first: Int, second: Int)
  /// The longest that a measurement took longer than most, in seconds: held back on the air.
  public let longestDelay: Double
  /// How much speaks for it, whatever a filter leaves of it.
  let weight: Int
  /// Whether a filter leaves anything of it.
  var isShown: Bool { matched > 0 || !lone.first.isEmpty || !lone.second.isEmpty }

  /// Fewer measurements in common are chance.
  static let leastMatched = 8
  /// Of the side that has fewer, so many must be the other's too.
  private static let leastShare = 0.8
  /// And so near, in the middle, to what the clocks say, in seconds: sensors on one heart have like values, but not then.
  private static let mostScatter = 0.3

  /// Lays two logs beside one another.
  /// - Returns: Nil if they are not of one connection, or too little tells that they are.
  init?(_ sides: (first: Int, second: Int), _ one: LoggedConnection, _ second: LoggedConnection) {
    guard let laid = LaidLogs(one, second), laid.pairs.count >= Self.leastMatched else { return nil }
    let (other, entries, pairs, interval) = (laid.other, laid.entries, laid.pairs, laid.interval)

    // What the sensor sends comes from the end where it is the local host.
    let sightings = laid.sightings(way: one.way(to: other))
    let rough = SampleStatistics.quantile(sightings.map(\.difference), 0.5) ?? 0
    let exchanged = Self.sightings(one, other, near: rough)
    guard let difference = ClockDifference(sightings + exchanged, interval: interval) else { return nil }
    let apart = other.origin.seconds(since: one.origin)
    let hasOneClock = one.side.capture == other.side.capture
    let clock = hasOneClock ? .none.moved(by: -apart) : difference

    let clocks = TwoClocks(clock, since: (sightings + exchanged).map(\.time).min() ?? 0)
    let delays = pairs.map { clocks.delay(entries.first[$0.first].time, entries.second[$0.second].time) }
    let usual = SampleStatistics.quantile(delays, 0.5) ?? 0
    let scatter = SampleStatistics.quantile(delays.map { ($0 - usual).magnitude }, 0.5) ?? 0
    guard scatter <= max(Self.mostScatter, interval) else { return nil }

    let (loneFirst, loneSecond) = laid.lone(by: clocks)
    let fewer = min(pairs.count + loneFirst.count, pairs.count + loneSecond.count)
    guard Double(pairs.count) >= Self.leastShare * Double(fewer) else { return nil }

    // In the times that the captures show.
    self.clock = clock.moved(by: apart)
    let evidence = SharedEvidence(
      one, other, clocks, aheadBy: difference.moved(by: apart).offset, pairs: pairs,
      values: pairs.map { entries.first[$0.first].fingerprint }, exchanged: exchanged.count,
      lone: (
        loneFirst.map { clocks.second(at: entries.first[$0].time) }, loneSecond.map { entries.second[$0].time }
      ))
    guard evidence.isEnough else { return nil }

    self.sides = sides
    connections = (one.side, other.side)
    self.hasOneClock = hasOneClock
    clockChanges = other.clockChanges.sorted { $0.records.second < $1.records.second }
    weight = pairs.count - loneFirst.count - loneSecond.count
    // All of both has told what is what; of that, the part is told which was asked for.
    let shownPairs = pairs.indices.filter { one.isShown(pairs[$0].first) || other.isShown(pairs[$0].second) }
    matched = shownPairs.count
    longestDelay = shownPairs.map { (delays[$0] - usual).magnitude }.max() ?? 0
    lone = (
      loneFirst.filter(one.isShown).map { one.measurements[$0] },
      loneSecond.filter(other.isShown).map { other.measurements[$0] }
    )
    let orders = (pairs.map(\.first), pairs.map(\.second))
    unlogged = (
      loneFirst.count { one.isShown($0) && other.mayLack($0, as: orders.0, orders.1) },
      loneSecond.count { other.isShown($0) && one.mayLack($0, as: orders.1, orders.0) }
    )
    let known = (Set(orders.0 + loneFirst), Set(orders.1 + loneSecond))
    uncovered = (
      one.measurements.indices.count { !known.0.contains($0) && one.isShown($0) },
      other.measurements.indices.count { !known.1.contains($0) && other.isShown($0) }
    )
  }
}

/// Two clocks, each in seconds from an origin of its own.
struct TwoClocks {
  /// How far the second one was ahead at a time of the first.
  private let offset: Double
  private let begin: Double
  /// How far it gains, in seconds a second.
  private let slope: Double

  init(_ difference: ClockDifference, since begin: Double) {
    offset = difference.offset
    self.begin = begin
    slope = (difference.drift ?? 0) / 1_000_000
  }

  /// How far the second one is ahead. What it gains in that time is nothing: of either clock the time will do.
  private func ahead(at time: Double) -> Double { offset + slope * (time - begin) }

  /// What the second one shows when the first one shows a time.
  func second(at first: Double) -> Double { first + ahead(at: first) }

  /// What the first one shows when the second one shows a time.
  func first(at second: Double) -> Double { second - ahead(at: second) }

  /// How much later by the second one than by the first one something was.
  func delay(_ first: Double, _ second: Double) -> Double { second - first - ahead(at: first) }
}

// MARK: - What is laid side by side

extension SharedConnection {
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
  fileprivate func moved(by seconds: Double) -> ClockDifference {
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

import BluetoothHost
import CaptureFiles

/// A connection that two sides of a comparison hold: logged on both of its ends, or twice on one.
public struct SharedConnection: Sendable {
  /// The places of the two sides among those that are compared.
  public let sides: (first: Int, second: Int)
  /// The connection as each of them has it.
  public let connections: (first: SensorBehaviour.SideConnection, second: SensorBehaviour.SideConnection)
  /// How their clocks differ.
  public let clock: ClockDifference
  /// How many measurements both have.
  public let matched: Int
  /// Measurements that only one of them has, though the other's log covers the time.
  public let lone: (first: [Measurement], second: [Measurement])
  /// How many measurements each of them has from times that the other's log does not cover.
  public let uncovered: (first: Int, second: Int)
  /// The longest that a measurement took longer than most, in seconds: held back on the air.
  public let longestDelay: Double

  /// Fewer measurements in common are chance.
  private static let leastMatched = 8
  /// Of the side that has fewer, so many must be the other's too.
  private static let leastShare = 0.8
  /// And so near, in the middle, to what the clocks say, in seconds: sensors on one heart have like values, but not then.
  private static let mostScatter = 0.3
  /// As many measurements are laid side by side, those of all pairs of connections together.
  private static let mostWork = 1_000_000
  /// More measurements than these are not laid side by side.
  private static let mostMeasurements = 200_000

  /// The connections that any two of the sides share.
  static func all(in sides: [SensorBehaviour]) -> [SharedConnection] {
    let candidates = sides.map { side in
      side.connections.indices.compactMap { Candidate(side.connections[$0].summary, at: $0) }
    }
    var shared: [SharedConnection] = []
    var work = 0
    for first in sides.indices {
      for second in sides.indices.dropFirst(first + 1) {
        for one in candidates[first] {
          for other in candidates[second] where one.mayBe(other) {
            work += one.measurements + other.measurements
            // Each of a long list against each of another is no comparison but an attack on time.
            if work > mostWork { return shared }
            let pair = (sides[first].connections[one.place], sides[second].connections[other.place])
            if let found = SharedConnection((first, second), pair.0, pair.1) { shared.append(found) }
          }
        }
      }
    }
    return shared
  }

  /// A connection with enough measurements, and what tells at once whether it may be another one: of many, all pairs are
  /// looked at.
  private struct Candidate {
    /// Where it stands among its side's.
    let place: Int
    let measurements: Int
    /// The address of the sensor, where that is the peer and its address is known.
    private let sensor: DeviceAddress?

    init?(_ connection: ConnectionSummary, at place: Int) {
      measurements = connection.heartRate?.measurements.count ?? 0
      guard (leastMatched...mostMeasurements).contains(measurements) else { return nil }
      self.place = place
      sensor = connection.server == .peer ? connection.address : nil
    }

    /// Whether nothing that is known of the two speaks against it.
    func mayBe(_ other: Candidate) -> Bool {
      sensor.flatMap { sensor in other.sensor.map { $0 == sensor } } ?? true
    }
  }

  private init?(
    _ sides: (first: Int, second: Int), _ one: SensorBehaviour.SideConnection, _ other: SensorBehaviour.SideConnection
  ) {
    guard let first = one.summary.heartRate.map({ Array($0.measurements) }), !first.isEmpty,
      let second = other.summary.heartRate.map({ Array($0.measurements) }), !second.isEmpty
    else { return nil }
    let origins = (first[0].time, second[0].time)
    let entries = Self.entries(first, second, origins)
    let interval = Self.longestInterval(one.summary, other.summary)
    guard let alignment = SequenceAlignment(entries.first, entries.second, interval: interval) else { return nil }
    let pairs = alignment.pairs
    guard pairs.count >= Self.leastMatched else { return nil }

    // What the sensor sends comes from the end where it is the local host.
    let way = Self.way(from: one.summary, to: other.summary)
    let sightings = pairs.filter { alignment.isCertain($0.first, $0.second) }.map { pair in
      ClockDifference.Sighting(
        time: entries.first[pair.first].time,
        difference: entries.second[pair.second].time - entries.first[pair.first].time, isForward: way)
    }
    let rough = SampleTests.quantile(sightings.map(\.difference), 0.5) ?? 0
    let exchanged = Self.sightings(
      one.behaviour.exchange.entries, other.behaviour.exchange.entries, origins, near: rough, areOneEnd: way == nil)
    guard let clock = ClockDifference(sightings + exchanged, interval: interval) else { return nil }

    let clocks = TwoClocks(clock, since: (sightings + exchanged).map(\.time).min() ?? 0)
    let delays = pairs.map { clocks.delay(entries.first[$0.first].time, entries.second[$0.second].time) }
    let usual = SampleTests.quantile(delays, 0.5) ?? 0
    let scatter = SampleTests.quantile(delays.map { ($0 - usual).magnitude }, 0.5) ?? 0
    guard scatter <= max(Self.mostScatter, interval) else { return nil }

    let paired = (Set(pairs.map(\.first)), Set(pairs.map(\.second)))
    let (covered, others) = (Self.span(one, origins.0), Self.span(other, origins.1))
    let loneFirst = first.indices.filter { index in
      !paired.0.contains(index) && others.contains(clocks.second(at: entries.first[index].time))
    }
    let loneSecond = second.indices.filter { index in
      !paired.1.contains(index) && covered.contains(clocks.first(at: entries.second[index].time))
    }
    let fewer = min(pairs.count + loneFirst.count, pairs.count + loneSecond.count)
    guard Double(pairs.count) >= Self.leastShare * Double(fewer) else { return nil }

    self.sides = sides
    connections = (one, other)
    // In the times that the captures show.
    let apart = origins.1.seconds(since: origins.0)
    self.clock = clock.moved(by: apart)
    matched = pairs.count
    lone = (loneFirst.map { first[$0] }, loneSecond.map { second[$0] })
    uncovered = (first.count - matched - loneFirst.count, second.count - matched - loneSecond.count)
    longestDelay = delays.map { ($0 - usual).magnitude }.max() ?? 0
  }
}

/// Two clocks, each in seconds from an origin of its own.
private struct TwoClocks {
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
  /// The longest connection interval that either saw, in seconds.
  private static func longestInterval(_ one: ConnectionSummary, _ other: ConnectionSummary) -> Double {
    (one.parameters + other.parameters).map(\.parameters.intervalMilliseconds).max().map { $0 / 1000 } ?? 0
  }

  /// The values of both, as far as both captures kept them.
  private static func entries(
    _ first: [Measurement], _ second: [Measurement], _ origins: (Timestamp, Timestamp)
  ) -> (first: [SequenceAlignment.Entry], second: [SequenceAlignment.Entry]) {
    let cut = (first + second).filter { $0.octets.count < $0.length }.map(\.octets.count).min() ?? .max
    func entry(_ measurement: Measurement, _ origin: Timestamp) -> SequenceAlignment.Entry {
      let kept = measurement.octets.prefix(cut)
      let length = [UInt8(truncatingIfNeeded: measurement.length), UInt8(truncatingIfNeeded: measurement.length >> 8)]
      return SequenceAlignment.Entry(
        fingerprint: ATTExchange.fingerprint(length + kept), time: measurement.time.seconds(since: origin))
    }
    return (first.map { entry($0, origins.0) }, second.map { entry($0, origins.1) })
  }

  /// Which way measurements go between the two ends; nil if both logs are of one end.
  private static func way(from one: ConnectionSummary, to other: ConnectionSummary) -> Bool? {
    one.server == other.server ? nil : one.server == .local
  }

  /// Requests and responses that both saw.
  private static func sightings(
    _ first: [ATTExchange.Entry], _ second: [ATTExchange.Entry], _ origins: (Timestamp, Timestamp), near offset: Double,
    areOneEnd: Bool
  ) -> [ClockDifference.Sighting] {
    var sightings: [ClockDifference.Sighting] = []
    var next = 0
    for entry in first {
      let time = entry.moment.time.seconds(since: origins.0)
      var place = next
      while place < second.count {
        let difference = second[place].moment.time.seconds(since: origins.1) - time
        if difference - offset > longestWay { break }
        let isSame =
          second[place].fingerprint == entry.fingerprint && (second[place].isSent == entry.isSent) == areOneEnd
        if isSame, (difference - offset).magnitude <= longestWay {
          sightings.append(
            ClockDifference.Sighting(
              time: time, difference: difference, isForward: areOneEnd ? nil : entry.isSent, isExchanged: true))
          next = place + 1
          break
        }
        place += 1
      }
    }
    return sightings
  }

  /// No request takes longer from one end to the other, in seconds.
  private static let longestWay = 2.0

  /// The time that a capture covers of the connection, from an origin on.
  private static func span(_ side: SensorBehaviour.SideConnection, _ origin: Timestamp) -> ClosedRange<Double> {
    let begin = side.summary.first.time.seconds(since: origin)
    let end = (side.summary.closed?.time ?? side.facts.lastTime)?.seconds(since: origin) ?? begin
    return begin...max(begin, end)
  }
}

extension ClockDifference {
  /// The same with clocks that read from another origin.
  fileprivate func moved(by seconds: Double) -> ClockDifference {
    ClockDifference(offset: offset + seconds, uncertainty: uncertainty, drift: drift)
  }

  private init(offset: Double, uncertainty: Double?, drift: Double?) {
    self.offset = offset
    self.uncertainty = uncertainty
    self.drift = drift
  }
}

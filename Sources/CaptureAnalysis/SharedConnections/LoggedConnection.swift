import BluetoothHost
import CaptureFiles
import GATTKit

/// A connection as one log of it shows it: what is laid beside another one's.
struct LoggedConnection {
  let side: SensorBehaviour.SideConnection
  let measurements: [Measurement]
  /// When the first measurement came: times count from there.
  let origin: Timestamp
  /// The records of the measurements that a filter leaves; nil if it leaves all.
  private let shownPlaces: Set<RecordPlace>?
  /// The records behind which records were lost that may have been of the connection, in order.
  private let losses: [Moment]
  /// Where its clock, or that of the log beside it, was set.
  private(set) var clockChanges: [ClockChange] = []

  /// All of the connection, whatever a filter leaves out of it.
  var summary: ConnectionSummary { side.whole }

  /// - Returns: Nil if there is no measurement.
  init?(_ side: SensorBehaviour.SideConnection) {
    measurements = side.whole.heartRate.map { Array($0.measurements) } ?? []
    guard let first = measurements.first else { return nil }
    self.side = side
    origin = first.time
    let shown = side.summary.heartRate?.measurements ?? MeasurementList()
    losses = side.behaviour.losses.sorted()
    shownPlaces = shown.count < measurements.count ? Set(shown.map(\.moment.place)) : nil
  }

  /// Whether a filter leaves a measurement, by its place.
  func isShown(_ place: Int) -> Bool { shownPlaces?.contains(measurements[place].moment.place) ?? true }

  /// A moment by the log's clock, in seconds, as if nobody had set it.
  func seconds(at moment: Moment) -> Double {
    clockChanges.reduce(moment.time.seconds(since: origin)) { $1.records.second <= moment ? $0 - $1.seconds : $0 }
  }

  /// From a record on, the log's clock is read otherwise: it is the second of two.
  mutating func putRight(_ change: ClockChange) { clockChanges.append(change) }

  /// Whether records were lost between two of its measurements, by their places; nil: from its beginning, to its end.
  private func hasLoss(after first: Int?, before second: Int?) -> Bool {
    let begin = first.map { place in losses.firstPlace { $0 > measurements[place].moment } } ?? 0
    guard begin < losses.count else { return false }
    return second.map { losses[begin] <= measurements[$0].moment } ?? true
  }

  /// The values, of which no more octets count than both logs kept.
  func entries(keeping octets: Int) -> [SequenceAlignment.Entry] {
    measurements.map { measurement in
      let length = [UInt8(truncatingIfNeeded: measurement.length), UInt8(truncatingIfNeeded: measurement.length >> 8)]
      let kept = ContiguousArray(length + measurement.octets.prefix(octets))
      return SequenceAlignment.Entry(fingerprint: fingerprint(of: kept.span), time: seconds(at: measurement.moment))
    }
  }

  /// The fewest octets that were kept of a measurement that is cut; nil where all are whole.
  var leastKept: Int? { measurements.filter { $0.octets.count < $0.length }.map(\.octets.count).min() }

  /// The longest connection interval, in seconds; nil if none was seen.
  var longestInterval: Double? { summary.parameters.map(\.parameters.intervalMilliseconds).max().map { $0 / 1000 } }

  /// How long a silent peer is waited for at most, in seconds.
  var longestTimeout: Double {
    summary.parameters.map(\.parameters.supervisionTimeoutMilliseconds).max().map { Double($0) / 1000 }
      ?? Self.mostTimeout
  }

  /// The longest that Low Energy allows.
  private static let mostTimeout = Double(PeripheralPreferredConnectionParameters.timeouts.upperBound) / 100

  /// The time that the log covers of the connection.
  var covered: ClosedRange<Double> {
    let begin = seconds(at: summary.first)
    let last = side.facts.lastTime.map { Moment(frame: .max, time: $0, member: .max) }
    let end = (summary.closed ?? last).map(seconds) ?? begin
    return begin...max(begin, end)
  }

  /// When the connection was made; nil if that was not seen.
  var opening: Double? { summary.wasOpened && summary.first.time.isTold ? seconds(at: summary.first) : nil }

  /// When it ended; nil if that was not seen.
  var ending: Double? { summary.end.flatMap { $0.isUnseen ? nil : summary.closed }.map(seconds) }

  /// Between which times the log shows it: from its first packet to its last measurement, or its end.
  var shown: ClosedRange<Double> {
    let last = measurements.last.map { seconds(at: $0.moment) } ?? 0
    let first = min(seconds(at: summary.first), last)
    return first...max(first, ending ?? last)
  }
}

// MARK: - With another log

extension LoggedConnection {
  /// Which way measurements go from its end to that of another log; nil if both logs are of one end.
  func way(to other: LoggedConnection) -> Bool? {
    summary.server == other.summary.server ? nil : summary.server == .local
  }

  /// Whether its log may have lost a measurement that only another log has.
  /// - Parameters:
  ///   - place: Where that stands in the other log.
  ///   - theirs: The places there of what both have, in order.
  ///   - own: The places of the same here.
  func mayLack(_ place: Int, as theirs: [Int], _ own: [Int]) -> Bool {
    let next = theirs.firstPlace { $0 > place }
    return hasLoss(after: next > 0 ? own[next - 1] : nil, before: next < own.count ? own[next] : nil)
  }
}

extension Measurement {
  /// Where it stands.
  var moment: Moment { Moment(frame: frame, time: time, member: member) }
}

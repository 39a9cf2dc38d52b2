import CaptureFiles
public import GATTKit

/// The last measurements of a sensor: how often they come, and how much the intervals between beats vary.
public struct RecentMeasurements: Sendable {
  /// When the last ones came, oldest first.
  private var times = ContiguousArray<Timestamp>()
  /// The last intervals in units of 1/1024 s, oldest first; 0 where some are missing.
  private var intervals = ContiguousArray<UInt16>()
  /// When they came last; nil if none of them is kept.
  public private(set) var lastIntervals: Moment?

  /// As many are kept: enough for half a minute, and for a minute of any heart.
  private static let most = (times: 64, intervals: 256)
  /// What comes after a longer silence, in seconds, has nothing to do with what was before.
  private static let longestSilence = 10.0

  mutating func note(_ reading: HeartRateMeasurement.Reading, at moment: Moment) {
    if let last = times.last, Self.isOver(last, by: moment.time) { times.removeAll(keepingCapacity: true) }
    if let last = lastIntervals, Self.isOver(last.time, by: moment.time) {
      intervals.removeAll(keepingCapacity: true)
      lastIntervals = nil
    }
    times.append(moment.time)
    if reading.hasAllRRIntervals, !reading.isMalformed {
      if reading.rrCount ?? 0 > 0 { lastIntervals = moment }
      reading.forEachKeptRRInterval { intervals.append($0.rawValue) }
    } else {
      intervals.append(0)
    }
    times.removeFirst(max(0, times.count - Self.most.times))
    intervals.removeFirst(max(0, intervals.count - Self.most.intervals))
  }

  private static func isOver(_ last: Timestamp, by time: Timestamp) -> Bool {
    !(0...longestSilence).contains(time.seconds(since: last))
  }

  /// Measurements a second; nil for fewer than two, or where they have no duration.
  public var rate: Double? {
    guard let first = times.first, let last = times.last, last > first else { return nil }
    return Double(times.count - 1) / last.seconds(since: first)
  }

  /// The last intervals, oldest first.
  public func intervals(_ most: Int) -> [RRInterval] {
    intervals.suffix(max(0, most)).filter { $0 > 0 }.map(RRInterval.init(rawValue:))
  }

  /// RMSSD of the intervals that fill the last minute, in milliseconds, without artefacts; nil for too few.
  public var rmssd: Double? {
    var left = 60 * 1024
    let minute = intervals.reversed().prefix { interval in
      left -= Int(interval)
      return left >= 0
    }
    var corrected = CorrectedIntervals()
    for interval in minute.reversed() { corrected.note(interval) }
    return corrected.statistics.rmssd
  }
}

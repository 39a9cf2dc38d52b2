/// Heart rate variability without artefacts.
///
/// An interval is left out if it is shorter than 250 ms or longer than 2 s, or differs by more than a fifth from the last
/// one that was not left out; where three in a row agree with one another, they are a new beginning and count, and where
/// fewer than three did before, those were none. Differences are taken only between neighbours that both count.
///
/// Often 300 ms are taken. But children's hearts, and those of athletes at the end of a sprint, beat faster than that.
///
/// The fifth is the usual criterion for normal-to-normal intervals: Malik, Cripps, Farrell and Camm, Prognostic value of
/// heart rate variability after myocardial infarction (1989).
public struct CorrectedIntervals: Sendable {
  /// The figures of the intervals that count.
  public private(set) var statistics = IntervalStatistics()
  /// Intervals that were left out.
  public private(set) var artefacts = 0
  // In units of 1/1024 s; 0 for none.
  private var last = 0
  /// Neighbours that were left out and agree with one another.
  private var rejected = (count: 0, first: UInt16(0), last: UInt16(0))

  /// So many are a beginning.
  private static let beginning = 3

  /// Whether a heart has such an interval: 250 ms, which is the highest of its rates, to 2 s, in units of 1/1024 s.
  @inline(__always)
  private static func isPlausible(_ interval: Int) -> Bool { (256...2048).contains(interval) }

  @inline(__always)
  mutating func note(_ rawValue: UInt16) {
    let interval = Int(rawValue)
    let difference = interval > last ? interval &- last : last &- interval
    if Self.isPlausible(interval), last == 0 || difference &* 5 <= last {
      last = interval
      rejected.count = 0
      statistics.note(rawValue)
    } else {
      reject(interval, rawValue)
    }
  }

  @inline(never)
  private mutating func reject(_ interval: Int, _ rawValue: UInt16) {
    artefacts += 1
    statistics.breakOff()
    guard Self.isPlausible(interval) else { return rejected.count = 0 }
    let before = Int(rejected.last)
    if rejected.count == 0 || abs(interval - before) * 5 > before {
      rejected = (1, rawValue, rawValue)
    } else if rejected.count + 1 < Self.beginning {
      rejected = (rejected.count + 1, rejected.first, rawValue)
    } else {
      begin(with: rawValue)
    }
  }

  private mutating func begin(with rawValue: UInt16) {
    if statistics.known < Self.beginning {
      artefacts += statistics.known
      statistics = IntervalStatistics()
    }
    artefacts -= Self.beginning
    for interval in [rejected.first, rejected.last, rawValue] { statistics.note(interval) }
    last = Int(rawValue)
    rejected.count = 0
  }

  /// Something is missing here: neighbours on both sides of it are none.
  mutating func breakOff() {
    statistics.breakOff()
    rejected.count = 0
  }
}

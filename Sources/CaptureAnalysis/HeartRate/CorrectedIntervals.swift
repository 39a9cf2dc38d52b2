/// Heart rate variability without artefacts.
///
/// An interval is left out if it is shorter than 300 ms or longer than 2 s, or differs by more than a fifth from the last
/// one that was not left out; where three in a row agree with one another, they are a new beginning. Differences are
/// taken only between neighbours that both count. The fifth is the usual criterion for normal-to-normal intervals:
/// Malik, Cripps, Farrell and Camm, Prognostic value of heart rate variability after myocardial infarction (1989).
public struct CorrectedIntervals: Sendable {
  /// The figures of the intervals that count.
  public private(set) var statistics = IntervalStatistics()
  /// Intervals that were left out.
  public private(set) var artefacts = 0
  // In units of 1/1024 s; 0 for none.
  private var last = 0
  private var rejected = (last: 0, run: 0)

  @inline(__always)
  mutating func note(_ rawValue: UInt16) {
    let interval = Int(rawValue)
    let difference = interval > last ? interval &- last : last &- interval
    if (307...2048).contains(interval), last == 0 || difference &* 5 <= last {
      last = interval
      rejected.run = 0
      statistics.note(rawValue)
    } else {
      reject(interval, rawValue)
    }
  }

  @inline(never)
  private mutating func reject(_ interval: Int, _ rawValue: UInt16) {
    artefacts += 1
    statistics.breakOff()
    let isPlausible = (307...2048).contains(interval)
    let agrees = rejected.run > 0 && abs(interval - rejected.last) * 5 <= rejected.last
    rejected = isPlausible ? (interval, agrees ? rejected.run + 1 : 1) : (0, 0)
    if rejected.run == 3 {
      last = interval
      rejected.run = 0
    }
  }

  /// Something is missing here: neighbours on both sides of it are none.
  mutating func breakOff() { statistics.breakOff() }
}

/// How much longer the RR-Intervals so far are, taken together, than the time in which they came.
///
/// Of a sensor that sends every beat once it stays within a beat of its mean: beats are sent when they are over.
struct IntervalBalance {
  /// In seconds.
  private(set) var value = 0.0
  /// The mean over the last ten measurements with intervals or so, before the current one: of those that come together,
  /// of the last, since the others have waited while the time ran on.
  private(set) var mean = 0.0
  /// In seconds: what comes sooner behind another one comes together with it. No sensor measures as often.
  private static let together = 0.15
  /// How often it has begun anew.
  private(set) var beginnings = 0
  private var count = 0
  /// What part of the mean the next one makes.
  private var weight = 1.0
  /// All bits if the last measurement had intervals, none if it had not: then the mean stays as it is.
  private var hadIntervals = -1

  /// Whether enough has come to judge by.
  var isSettled: Bool { count >= 5 }

  /// How far it is from its mean, in seconds.
  var excess: Double { value - mean }

  /// Begins anew.
  mutating func forget() {
    let beginnings = beginnings &+ 1
    self = IntervalBalance()
    self.beginnings = beginnings
  }

  /// The first ten weigh more.
  @inline(never)
  private mutating func begin(_ isLearnt: Int) {
    guard isLearnt != 0 else { return }
    count += 1
    weight = 1 / Double(count)
  }

  /// Adds a measurement's intervals. Where some are not there, it begins anew, and behind a gap, unless one that is full
  /// may tell of the gap.
  /// - Parameter gap: The seconds since the measurement before; negative where there is none.
  @inline(__always)
  mutating func note(gap: Double, _ intervals: IntervalFigures, isWhole: Bool, isFull: Bool) {
    guard gap >= 0, gap < (isFull ? 60 : 8), isWhole else { return forget() }
    let isLearnt = gap < Self.together ? 0 : hadIntervals
    if count < 10 { begin(isLearnt) }
    // Where intervals are held back, the time runs on.
    mean += (value - mean) * Double(bitPattern: weight.bitPattern & UInt64(bitPattern: Int64(isLearnt)))
    hadIntervals = intervals.mask
    value += intervals.seconds - gap
  }
}

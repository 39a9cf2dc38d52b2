/// How much longer the RR-Intervals so far are, taken together, than the time in which they came.
///
/// Of a sensor that sends every beat once it stays within a beat of its mean: beats are sent when they are over.
struct IntervalBalance {
  /// In seconds.
  private(set) var value = 0.0
  /// The mean over the last ten measurements or so, before the current one.
  private(set) var mean = 0.0
  private var count = 0

  /// Whether enough has come to judge by.
  var isSettled: Bool { count >= 5 }

  /// How far it is from its mean, in seconds.
  var excess: Double { value - mean }

  /// Adds a measurement's intervals. Behind a gap, or where some are not there, it begins anew.
  @inline(__always)
  mutating func note(gap: Double?, _ intervals: ContiguousArray<UInt16>, isWhole: Bool) {
    guard let gap, gap < 8, isWhole else {
      self = IntervalBalance()
      return
    }
    if count < 10 { count += 1 }
    mean += (value - mean) / Double(count)
    var units = 0
    for interval in intervals { units &+= Int(interval) }
    value += Double(units) * (1 / 1024) - gap
  }
}

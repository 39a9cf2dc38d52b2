import CaptureFiles

/// The last four RR-Intervals of a connection, in whatever measurements they came; 0 for those that are not known.
struct LastIntervals: BitwiseCopyable {
  /// The last one in the lowest bits.
  private var packed: UInt64 = 0

  /// Takes the one that comes next.
  @inline(__always)
  mutating func append(_ interval: UInt16) { packed = packed << 16 | UInt64(interval) }

  /// The oldest first.
  @inline(__always)
  var values: (Int, Int, Int, Int) { (place(48), place(32), place(16), place(0)) }

  @inline(__always)
  private func place(_ shift: UInt64) -> Int { Int(truncatingIfNeeded: packed >> shift & 0xFFFF) }

  /// Whether the last but one is much longer than the one before it.
  @inline(__always)
  var hasLong: Bool { (2 &* place(16) > 3 &* place(32)) && place(32) > 0 }

  /// Whether the two before the last are much shorter, together, than the one before them.
  @inline(__always)
  var hasShort: Bool { 2 &* (place(32) &+ place(16)) < 3 &* place(48) }
}

/// How RR-Intervals follow one another over measurements, of which some have none.
struct IntervalRhythm: BitwiseCopyable {
  /// Those up to the measurement at hand, and those before it.
  private var last = LastIntervals()
  private(set) var before = LastIntervals()
  /// Where the last measurement stands that had any, and the one before the measurement at hand.
  private var current: Moment?
  private(set) var place: Moment?

  /// What comes next has nothing before it.
  mutating func forget() { self = IntervalRhythm() }

  /// Takes the intervals of a measurement, which are not none.
  /// - Returns: Whether any of them shows that what lies before it is uneven.
  @inline(__always)
  mutating func note(_ intervals: MeasurementIntervals, _ moment: Moment) -> Bool {
    before = last
    (place, current) = (current, moment)
    var isUneven = false
    intervals.forEach { interval in
      last.append(interval)
      // Without a branch: hardly any is.
      isUneven = (isUneven ? 1 : 0) | (last.hasLong ? 1 : 0) | (last.hasShort ? 1 : 0) != 0
    }
    return isUneven
  }
}

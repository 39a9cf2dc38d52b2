/// The last four RR-Intervals of a connection, in whatever measurements they came; 0 for those that are not known.
struct LastIntervals: BitwiseCopyable {
  /// The last one in the lowest bits.
  private let packed: UInt64

  init(packed: UInt64 = 0) { self.packed = packed }

  /// These, and the one that comes next.
  @inline(__always)
  func followed(by interval: UInt16) -> LastIntervals { LastIntervals(packed: packed << 16 | UInt64(interval)) }

  /// These, and none, one or two that come next.
  @inline(__always)
  func followed(byTwo few: IntervalFigures) -> LastIntervals {
    let shift = 16 &* UInt64(few.count)
    // The older one stands above the newer one.
    let next = (UInt64(few[0]) << 16 | UInt64(few[1])) >> (32 &- shift)
    return LastIntervals(packed: packed << shift | next)
  }

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

  /// 1 if one of the two holds, 0 if not.
  @inline(__always)
  fileprivate var unevenness: Int { (hasLong ? 1 : 0) | (hasShort ? 1 : 0) }
}

/// How RR-Intervals follow one another over measurements, of which some have none.
struct IntervalRhythm: BitwiseCopyable {
  /// Those up to the measurement at hand, and those before it.
  private(set) var last = LastIntervals()
  private(set) var before = LastIntervals()

  /// What comes next has nothing before it.
  mutating func forget() { self = IntervalRhythm() }

  /// Takes the intervals of a measurement: none, one or two.
  /// - Returns: Whether any of them shows that what lies before it is uneven.
  @inline(__always)
  mutating func note(_ few: IntervalFigures) -> Bool {
    before = last
    // All are looked at, and what is none is dropped.
    let one = last.followed(by: few[0])
    last = last.followed(byTwo: few)
    let (hasOne, hasTwo) = ((few.count &+ 1) >> 1, few.count >> 1)
    return one.unevenness & hasOne | last.unevenness & hasTwo != 0
  }

  /// The same, however many there are.
  @inline(never)
  mutating func note(_ intervals: MeasurementIntervals) -> Bool {
    before = last
    var unevenness = 0
    for interval in intervals {
      last = last.followed(by: interval)
      unevenness |= last.unevenness
    }
    return unevenness != 0
  }
}

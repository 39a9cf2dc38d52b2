// Ten seconds of measurements, put together from halves of five.

extension MeasurementSeries {
  /// In seconds.
  private static let halfLength = 5.0
  /// What tells that beats are not in the RR-Intervals, or what is in them no beats; each is another finding.
  private static let beatless: MeasurementTraits = [.malformed, .notInContact, .zeroRate, .oddInterval]

  /// Adds the current measurement to the five seconds at hand.
  /// - Returns: Whether these are full now.
  @inline(__always)
  mutating func fillsHalf() -> Bool {
    let gap = recent.current.sinceLast
    guard gap >= 0, gap <= Self.late || isUsual(gap) else { return beginBlocks() }
    if followsGap {
      if comesAtOnce(gap) { return false }
      if isHeldBack(gap) {
        // At the beginning, nobody has heard what the time may run ahead of.
        if followsSilence, !recent.current.traits.contains(.repeatedIntervals) { balance.forget() }
        return false
      }
      followsGap = false
    }
    if half.count == 0 { half.first = recent.current.moment }
    half.last = recent.current.moment
    half.count &+= 1
    half.elapsed += gap
    uncovered? += gap
    if !recent.current.traits.isDisjoint(with: Self.beatless) || recent.current.sentIntervals != beats.current.count {
      half.isWhole = false
      uncovered = nil
    }
    let rate = Int(recent.current.sentRate)
    if rate > 0 { half.add(rate: rate) }
    if !beats.current.isEmpty {
      half.add(beats.current, rate: max(0, rate))
      if recent.current.traits.contains(.repeatedIntervals) { noteOverlap() }
      half.cover(uncovered, gap: gap, beats.current)
      uncovered = 0
    }
    return half.elapsed >= Self.halfLength
  }

  @inline(never)
  private mutating func noteOverlap() {
    guard let first = beats.intervals.first, first == beats.previous.last else { return }
    half.overlapping &+= 1
    half.again &+= beats.current.count == 1 ? 1 : 0
    half.overlapSum &+= Int(first)
  }

  /// Whether what comes so late is not late for this sensor, or not any more: it may notify less often from some time on.
  @inline(never)
  private mutating func isUsual(_ gap: Double) -> Bool {
    if gap <= 2.5 * (periods.median() ?? 0) { return true }
    return evenGaps >= Self.fewestEven && gap <= Self.even * recent.previous.sinceLast
  }

  /// So many gaps of one length after another are the sensor's pace, which differ by no more than a factor.
  private static let fewestEven = 5
  private static let even = 1.3

  /// Behind a gap, it is not known which beats are in it. Before the first measurement, a sensor may have kept some.
  @inline(never)
  private mutating func beginBlocks() -> Bool {
    dropBlocks()
    followsGap = true
    let (gap, beats, before) = (recent.current.sinceLast, beats.current, recent.previous.sinceLast)
    evenGaps = gap > 0 && gap <= Self.even * before && before <= Self.even * gap ? evenGaps &+ 1 : 0
    followsSilence = gap >= 0
    heldBack = (followsSilence ? min(Self.mostKept, due(in: gap)) : Self.mostKept) - Double(beats.count)
    return false
  }

  /// So many beats a sensor keeps while nobody listens.
  private static let mostKept = 30.0

  /// How many beats there are in so many seconds, by the rate at hand, or else by the intervals.
  private func due(in seconds: Double) -> Double {
    let (rate, beats) = (recent.current.sentRate, beats.current)
    if rate > 0 { return Double(rate) * seconds / 60 }
    return beats.isEmpty ? 0 : seconds * Double(beats.count) / beats.seconds
  }

  /// Whether the measurement at hand comes at once with the one before it, rather than from a sensor that sends so many.
  @inline(never)
  private mutating func comesAtOnce(_ gap: Double) -> Bool {
    guard recent.current.traits.contains(.early) else { return false }
    return comeTogether || gap < 0.5 * (periods.median() ?? .infinity)
  }

  /// Whether what comes behind a gap was held back in it: then its beats are the gap's. It comes at once, or as much each
  /// time as there is room for, or as the sensor sends, until there is no more.
  @inline(never)
  private mutating func isHeldBack(_ gap: Double) -> Bool {
    guard heldBack > 0, recent.current.traits.contains(.full) || !isSentAgain else { return false }
    let surplus = Double(beats.current.count) - due(in: gap)
    heldBack -= surplus
    let isLast = beats.current.count < beats.before.count
    if isLast { heldBack = 0 }
    return surplus > Self.leastSurplus || isLast && recent.previous.traits.contains(.full)
  }

  /// Whether intervals come again that were sent before, twice in a row: these were not held back.
  private var isSentAgain: Bool {
    recent.current.traits.intersection(recent.previous.traits).contains(.repeatedIntervals)
  }

  /// In beats: a measurement may come a little early.
  private static let leastSurplus = 0.25

  /// The ten seconds that end with the five seconds which are full, if there is no gap in them.
  mutating func takeBlock() -> MeasurementBlock? {
    defer { half = MeasurementBlock() }
    marks.note(rhythm.last, recent.current.ordinal)
    guard let before = lastHalf else {
      (lastHalf, isApart) = (half, false)
      return nil
    }
    lastHalf = half
    isApart.toggle()
    return before.followed(by: half)
  }

  /// What has come since the last block that shares no measurement with those before it: less than ten seconds.
  var rest: MeasurementBlock? {
    if let lastHalf, !isApart { return lastHalf.followed(by: half) }
    return half.count > 0 ? half : nil
  }

  /// Whether one or more of a block's measurements seem to be lost, of a sensor that takes them regularly.
  func lacksMeasurement(_ block: MeasurementBlock) -> Bool {
    guard let period = periods.exactMedian, periods.quantile(0.8) ?? .infinity <= 1.2 * period else { return false }
    return block.elapsed > (Double(block.count) + 0.6) * period
  }

  mutating func dropBlocks() {
    (half, lastHalf, uncovered) = (MeasurementBlock(), nil, 0)
  }
}

extension MeasurementBlock {
  @inline(__always)
  fileprivate mutating func add(rate: Int) {
    rates &+= 1
    rateSum &+= rate
    rateLeast = min(rateLeast, rate)
    rateMost = max(rateMost, rate)
  }

  /// Intervals are those of the time since the last ones, or, where that is not known, of just their own.
  @inline(__always)
  fileprivate mutating func cover(_ uncovered: Double?, gap: Double, _ intervals: IntervalFigures) {
    guard let uncovered else { return covered += intervals.seconds }
    covered += uncovered
    longestWithout = max(longestWithout, uncovered - gap)
  }

  @inline(__always)
  fileprivate mutating func add(_ intervals: IntervalFigures, rate: Int) {
    withIntervals &+= 1
    self.intervals &+= intervals.count
    intervalSum &+= intervals.sum
    intervalLeast = min(intervalLeast, intervals.least)
    intervalMost = max(intervalMost, intervals.most)
    // Each within one unit of what the rate makes it.
    synthesised &+= rate > 0 && intervals.deviation(from: rate) <= UInt(rate &+ rate / 2) ? 1 : 0
  }
}

import CaptureFiles

/// Stretches in which RR-Intervals are half or twice as long as before and behind, from one beat to the next: where each
/// beat counts twice, or every other one does not count.
///
/// The rate beside them may be a mean over many beats, and follow without a leap. A heart's own rate takes many beats to
/// become another; where its rhythm does so at once, it is hardly ever twice or half of what it was, at both ends. In a
/// block of every other beat it is, and nothing tells that from beats that are missed.
struct IntervalSteps {
  /// From one beat to the next, where the step leads.
  private struct Step {
    let moment: Moment
    let isShorter: Bool
  }

  /// What the intervals are over some seconds, in units of 1/1024 s.
  private struct Level {
    let last: Moment
    let mean: Double
    /// How far they lie apart, as a part of the mean.
    let spread: Double

    init?(_ block: MeasurementBlock) {
      guard block.isWhole, block.intervals >= IntervalSteps.fewest else { return nil }
      last = block.last
      mean = Double(block.intervalSum) / Double(block.intervals)
      guard mean > 0 else { return nil }
      let (least, most) = (Double(block.intervalLeast), Double(block.intervalMost))
      spread = (most - least) / mean
      // A beat that counts twice may do so early: then long and short ones alternate.
      guard most < IntervalSteps.longestOfPair * mean, abs((most + least) / mean - 2) < IntervalSteps.uneven else {
        return nil
      }
    }

    /// Whether none is far from the others.
    var isEven: Bool { spread < IntervalSteps.evenSpread }

    /// Whether it is half of another, or twice: which, `isShorter` says.
    func isStep(from other: Level, isShorter: Bool, within tolerance: Double) -> Bool {
      let ratio = isShorter ? 2 * mean / other.mean : mean / (2 * other.mean)
      return abs(ratio - 1) < tolerance
    }
  }

  /// A stretch that is over, or goes on.
  struct Stretch {
    /// The first measurement that shows it, and the last before its end.
    let first: Moment
    fileprivate(set) var last: Moment
    /// Whether the intervals are halved, rather than doubled.
    let isShorter: Bool
    /// The mean intervals before it and in it, in units of 1/1024 s.
    let before: Double
    let within: Double

    /// How long it was.
    var seconds: Double { last.time.seconds(since: first.time) }
  }

  /// As many intervals make a mean.
  private static let fewest = 4
  /// By so much, as a part, a mean may differ from the half of the one before: a heart that begins to race may come near.
  private static let toleranceOfHalf = 0.08
  /// The same of the double, as of a heart whose rate has moved on meanwhile: no rhythm of its own comes near.
  private static let toleranceOfDouble = 0.25
  /// The same of single intervals.
  private static let toleranceOfBeat = 0.12
  /// How far even intervals of ten seconds lie apart at the most, as a part of their mean.
  private static let evenSpread = 0.45
  /// How far the middle of the shortest and the longest may be from the mean, as a part of that, twice.
  private static let uneven = 0.25
  /// The longer one of a pair, as a part of the mean.
  private static let longestOfPair = 1.6
  /// A heart that races by itself is much steadier than one at rest; beats that count twice vary as before.
  private static let leastSpread = 0.4
  /// In seconds: what was so long ago says nothing of what is now.
  private static let longestAgo = 25.0
  /// In seconds: what holds longer may be as it should be.
  private static let longest = 300.0

  /// What came before a stretch.
  private var outside: Level?
  /// A step whose other side has not been seen yet.
  private var step: Step?
  /// The stretch that goes on, and what its intervals are now.
  private var stretch: Stretch?
  private var inside: Level?

  /// Looks at intervals that are uneven.
  mutating func note(_ intervals: MeasurementIntervals, behind before: LastIntervals, _ moment: Moment) {
    guard outside != nil else { return }
    var four = before
    for interval in intervals {
      four = four.followed(by: interval)
      guard let isShorter = Self.step(in: four), stretch.map({ $0.isShorter != isShorter }) ?? true else { continue }
      step = Step(moment: moment, isShorter: isShorter)
    }
  }

  /// Which way intervals step by a factor of two, if they do.
  private static func step(in four: LastIntervals) -> Bool? {
    let (first, second, third, fourth) = four.values
    if isPair(second, third, of: first), isPair(third, fourth, of: first) { return true }
    // Behind pairs of a short one and a long one, what comes first is not much longer than that.
    let isDouble = isPair(first, second, of: third) || isPair(second, third, of: fourth)
    return isDouble && isPair(first, second, of: fourth) ? false : nil
  }

  /// Whether two intervals, of which none is nearly as long, add up to one.
  private static func isPair(_ one: Int, _ other: Int, of whole: Int) -> Bool {
    10 * max(one, other) < 8 * whole && Double(abs(one + other - whole)) < toleranceOfBeat * Double(whole)
  }

  /// Looks at ten seconds.
  /// - Returns: A stretch that is over.
  mutating func note(_ block: MeasurementBlock) -> Stretch? {
    if let outside, stretch == nil, Self.isLongAgo(outside.last, block) { self.outside = nil }
    if let inside, Self.isLongAgo(inside.last, block) { forget() }
    // What a step leads to is in the first ten seconds that begin behind it.
    if let step, block.first <= step.moment { return nil }
    guard let level = Level(block) else {
      step = nil
      return nil
    }
    if stretch != nil { return goOn(level, block) }
    if let step, let outside {
      self.step = nil
      if level.isStep(from: outside, isShorter: step.isShorter, within: Self.tolerance(step.isShorter)),
        step.isShorter || level.isEven
      {
        stretch = Stretch(
          first: step.moment, last: level.last, isShorter: step.isShorter, before: outside.mean, within: level.mean)
        inside = level
        return nil
      }
    }
    if level.isEven { outside = level }
    return nil
  }

  /// Of a stretch of shorter intervals, or of longer ones.
  private static func tolerance(_ isShorter: Bool) -> Double { isShorter ? toleranceOfHalf : toleranceOfDouble }

  private static func isLongAgo(_ moment: Moment, _ block: MeasurementBlock) -> Bool {
    block.first.time.seconds(since: moment.time) > longestAgo
  }

  /// Looks at ten seconds behind the beginning of a stretch.
  private mutating func goOn(_ level: Level, _ block: MeasurementBlock) -> Stretch? {
    guard var stretch, let inside, let outside else { return nil }
    if let step {
      self.step = nil
      if level.isStep(from: inside, isShorter: step.isShorter, within: Self.tolerance(stretch.isShorter)),
        level.isEven || step.isShorter
      {
        forget()
        self.outside = level
        stretch.last = step.moment
        let isSteadier = stretch.isShorter && inside.spread < Self.leastSpread * min(outside.spread, level.spread)
        return isSteadier ? nil : stretch
      }
    }
    // Its last beats, and the first ones behind it.
    guard stretch.isShorter || level.isEven else { return nil }
    guard abs(level.mean / inside.mean - 1) < Self.uneven,
      block.last.time.seconds(since: stretch.first.time) < Self.longest
    else {
      forget()
      if level.isEven { self.outside = level }
      return nil
    }
    self.inside = level
    stretch.last = level.last
    self.stretch = stretch
    return nil
  }

  private mutating func forget() { (outside, step, stretch, inside) = (nil, nil, nil, nil) }
}

extension IntervalSteps {
  /// Those of the rule that tells of them.
  static let examples: [RuleExample] = [
    .finds(
      "to the double for forty seconds, told as a mean of five, with intervals that are halved at once: each counts twice",
      [
        .repeated(resting, times: 10), .values(means.map { "10 \($0) d2 01 c7 01" }),
        .repeated(["10 83 d2 01 c7 01", "10 84 c7 01 d4 01"], times: 18),
        .values(means.reversed().map { "10 \($0) a3 03" }), .repeated(resting, times: 10),
      ]),
    .finds(
      "the same, where the second count comes soon behind the first",
      [
        .repeated(resting, times: 10), .values(means.map { "10 \($0) 2c 01 6d 02" }),
        .repeated(["10 83 2c 01 6d 02", "10 84 22 01 77 02"], times: 18),
        .values(means.reversed().map { "10 \($0) a3 03" }), .repeated(resting, times: 10),
      ]),
    .finds(
      "to the half, told as a mean of five seconds, with intervals that are doubled at once: every other beat is missed",
      [
        .repeated(["10 83 d2 01 c7 01", "10 84 c7 01 d4 01"], times: 10),
        .values(means.reversed().map { "10 \($0) a3 03" }), .repeated(resting, times: 18),
        .values(means.map { "10 \($0) d2 01 c7 01" }),
        .repeated(["10 83 d2 01 c7 01", "10 84 c7 01 d4 01"], times: 10),
      ]),
    .quiet(
      "a heart that races for a while, at once but not at the double, told as a mean of five seconds",
      [
        .repeated(resting, times: 10), .values(means.map { "10 \($0) a5 01 9f 01 a8 01" }),
        .repeated(["10 92 a5 01 9f 01 a8 01", "10 91 a6 01 aa 01"], times: 18),
        .values(means.reversed().map { "10 \($0) a3 03" }), .repeated(resting, times: 10),
      ]),
    .quiet(
      "a heart that races at the double of its rate, and is much steadier then",
      [
        .repeated(["10 42 a3 03", "10 44 5c 03"], times: 10), .values(means.map { "10 \($0) c0 01 c1 01" }),
        .repeated(["10 89 c0 01 c1 01"], times: 36), .values(means.reversed().map { "10 \($0) a3 03" }),
        .repeated(["10 42 a3 03", "10 44 5c 03"], times: 10),
      ]),
    .quiet(
      "to the double at once, and slowly back",
      [
        .repeated(resting, times: 10), .values(means.map { "10 \($0) d2 01 c7 01" }),
        .repeated(["10 83 d2 01 c7 01"], times: 18), .repeated(["10 76 08 02 fe 01"], times: 9),
        .repeated(["10 69 49 02"], times: 9), .repeated(["10 5c 9c 02"], times: 9),
        .repeated(["10 4f 0a 03"], times: 9), .repeated(resting, times: 10),
      ]),
    .quiet(
      "an extra beat and the pause behind it, told as a mean",
      [.repeated(resting, times: 10), .values(["10 44 d2 01", "10 42 74 05"]), .repeated(resting, times: 20)]),
  ]
  private static let resting = ["10 42 a3 03", "10 43 8e 03"]
  /// What a mean becomes on the way from 66 to 131.
  private static let means = ["4f", "5c", "69", "76"]
}

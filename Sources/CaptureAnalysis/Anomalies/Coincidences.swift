/// Lists of RR-Intervals that are those of the notification before: whether chance makes so many.
///
/// A steady heart's intervals are often equal to those before, and no list of it says anything; a varying heart's are
/// not, and two in a row do. How often chance does it is told by the intervals on both sides of a border between
/// notifications: a list that comes again does not make those equal.
struct Coincidences {
  /// Notifications one after another with one list.
  private struct Run {
    var again: RecordSpan
    var intervals: Int
    var ordinal: Int
    /// How often intervals are equal here.
    let share: Double
    var surprise: Double
  }

  /// Runs that surprise as much as each other.
  private struct Tier {
    var runs = 1
    var lists: RecordSpan

    mutating func add(_ other: Tier) {
      runs &+= other.runs
      lists.extend(by: other.lists)
    }
  }

  private var run: Run?
  private var tiers: [Int: Tier] = [:]
  /// How often neighbours across a border were equal; and how often lately, and where last.
  private var equals = 0
  private var recent = 0.0
  private var last = 0

  /// What was equal so many notifications ago counts for little.
  private static let memory = 100.0
  /// The least that a sensor's share is taken for, as if it were half an equal one more.
  private static let unseen = 0.5
  /// Tiers in one unit of surprise, and the highest.
  private static let steps = 2.0
  private static let top = 255.0
  /// The negative logarithm of how unlikely lists have to be: one of a thousand connections.
  private static let least = 7.0
  /// By how much less likely others have to make it that are told with them.
  private static let leastMore = 2.0

  /// Notes a notification whose first interval is the last of the one before.
  mutating func noteEqual(_ ordinal: Int) {
    recent = faded(ordinal) + 1
    last = ordinal
    equals &+= 1
  }

  private func faded(_ ordinal: Int) -> Double { recent * max(0, 1 - Double(ordinal - last) / Self.memory) }

  /// Notes a notification with the list of the one before.
  /// - Parameter intervals: How many they are.
  mutating func noteAgain(_ intervals: Int, _ ordinal: Int, _ moment: Moment) {
    if var run, run.ordinal == ordinal - 1 {
      run.again.extend(to: moment)
      run.intervals += intervals
      run.ordinal = ordinal
      run.surprise += Self.surprise(of: intervals, run.share)
      self.run = run
    } else {
      endRun()
      let share = lastingShare(at: ordinal)
      let surprise = Self.surprise(of: intervals, share)
      run = Run(
        again: RecordSpan(moment), intervals: intervals, ordinal: ordinal, share: share, surprise: surprise)
    }
  }

  /// Takes back those just before a notification: they are known to have come again.
  mutating func takeRun(before ordinal: Int) -> (again: RecordSpan, intervals: Int)? {
    guard let run, run.ordinal == ordinal - 1 else { return nil }
    self.run = nil
    return (run.again, run.intervals)
  }

  private mutating func endRun() {
    guard let run else { return }
    self.run = nil
    let place = Int(min(run.surprise * Self.steps, Self.top))
    let tier = Tier(lists: run.again)
    if tiers[place]?.add(tier) == nil { tiers[place] = tier }
  }

  /// Those that are too many to be chance, if there are any.
  mutating func unlikely(in notifications: Int) -> RecordSpan? {
    endRun()
    var (sum, runs) = (0.0, 0.0)
    var all: RecordSpan?
    var best: (sum: Double, lists: RecordSpan?)?
    for (place, tier) in tiers.sorted(by: { $0.key > $1.key }) {
      all.extend(by: tier.lists)
      runs += Double(tier.runs)
      sum += Double(tier.runs) * Double(place) / Self.steps
      // Each may begin anywhere, but their order says nothing: by Stirling's formula.
      let left = sum - runs * (Double(notifications) / runs).logarithm - runs + 0.5 * (6.28 * runs).logarithm
      if left > best.map({ $0.sum + Self.leastMore }) ?? Self.least { best = (left, all) }
    }
    return best?.lists
  }

  /// How often neighbours are equal, lately or in all, whichever is more.
  private func lastingShare(at ordinal: Int) -> Double {
    max((faded(ordinal) + Self.unseen) / (min(Double(ordinal), Self.memory) + 2), share(in: ordinal))
  }

  /// How much a notification surprises whose list is that of the one before: the negative logarithm of its probability.
  func surprise(of intervals: Int, at ordinal: Int) -> Double {
    Self.surprise(of: intervals, lastingShare(at: ordinal))
  }

  /// Whether so much surprise is seldom once in so many notifications.
  static func isUnlikely(_ surprise: Double, in notifications: Int) -> Bool {
    surprise > Double(max(1, notifications)).logarithm + seldom
  }

  /// Whether chance hardly makes so many of some pairs equal, where it makes so many of other pairs equal.
  static func isUnlikely(_ equal: Int, of pairs: Int, whereEqual others: Int, of all: Int) -> Bool {
    let share = min(1, (Double(others) + unseen) / Double(all + 2))
    // Which ones are equal says nothing: there are at most two to the power of the pairs.
    return -Double(equal) * share.logarithm - Double(max(equal, pairs)) * 2.0.logarithm >= least
  }

  /// One of five connections.
  private static let seldom = 1.6

  /// How often neighbours are equal, in so many notifications.
  private func share(in notifications: Int, without apart: Int = 0) -> Double {
    (Double(max(0, equals - apart)) + Self.unseen) / Double(notifications + 2)
  }

  /// The negative logarithm of the probability that chance makes just so many intervals equal, one after another.
  private static func surprise(of intervals: Int, _ share: Double) -> Double {
    // Neighbours resemble each other: once one is equal, the next is so more easily.
    -(min(1, share).logarithm + Double(intervals - 1) * min(1, 2 * share).logarithm)
  }

  /// Whether chance hardly makes so many notifications with one and the same interval alone in a row.
  func isUnlikely(run: Int, in notifications: Int) -> Bool {
    // There must be others to compare them with.
    guard 2 * run <= notifications else { return false }
    let share = share(in: notifications, without: run - 1)
    return Self.surprise(of: run - 1, share) - Double(notifications).logarithm >= Self.least
  }
}

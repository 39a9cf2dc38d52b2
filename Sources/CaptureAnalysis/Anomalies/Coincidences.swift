import CaptureFiles

/// Lists of RR-Intervals that are those of the notification before: whether chance makes so many.
///
/// A steady heart's intervals are often equal to those before, and no list of it says anything; a varying heart's are
/// not, and a single list of three does. How often it happens by chance is estimated from how often the first interval is
/// among those before and the others are not.
struct Coincidences {
  private struct List {
    let moment: Moment
    let intervals: Int
    /// How often intervals were equal by then.
    let share: Double
  }

  private var lists: [List] = []
  private var listCount = 0
  /// How often intervals were equal, lists apart; and how often lately, and where last.
  private var equals = 0
  private var recent = 0.0
  private var last = 0
  private var hasLast = false

  /// What was equal so many notifications ago counts for little.
  private static let memory = 100.0
  private static let most = 64
  /// So many lists may have been planted; more are this sensor's way.
  private static let mostPlanted = 3
  /// The negative logarithm of how unlikely lists have to be: one of a thousand connections.
  private static let least = 7.0
  /// The same of one value alone, of which four are said to be no chance.
  private static let leastAlone = 3.5

  /// Notes a notification whose first interval is among those before.
  /// - Parameter overlap: How many intervals it has if they are all those before; else 0.
  mutating func note(overlap: Int, _ ordinal: Int, _ moment: Moment) {
    recent *= max(0, 1 - Double(ordinal - last) / Self.memory)
    last = ordinal
    hasLast = overlap >= 2
    guard hasLast else {
      equals &+= 1
      recent += 1
      return
    }
    listCount &+= 1
    let share = (recent + 1) / (min(Double(ordinal), Self.memory) + 2)
    if lists.count < Self.most { lists.append(List(moment: moment, intervals: overlap, share: share)) }
  }

  /// The last list is known to have come again.
  mutating func forgetLast() {
    guard hasLast else { return }
    if lists.count == listCount { lists.removeLast() }
    listCount -= 1
    hasLast = false
  }

  /// Those that are too many to be chance, if there are any.
  func unlikely(in notifications: Int) -> (first: Moment, last: Moment, count: Int)? {
    let usual = Double(notifications).logarithm
    let share = Double(equals + max(0, listCount - Self.mostPlanted) + 1) / Double(notifications + 2)
    let surprises = lists.map { Self.surprise(of: $0.intervals, max($0.share, share)) }
    var (sum, best) = (0.0, (sum: Self.least, count: 0))
    let inOrder = lists.indices.sorted { surprises[$0] > surprises[$1] }
    for (place, index) in inOrder.enumerated() {
      // So many of them at any places: each could be any notification, but their order says nothing.
      sum += surprises[index] - usual + Double(place + 1).logarithm
      if sum > best.sum { best = (sum, place + 1) }
    }
    let found = inOrder.prefix(best.count).sorted()
    guard let first = found.first, let last = found.last else { return nil }
    return (lists[first].moment, lists[last].moment, best.count)
  }

  /// The negative logarithm of the probability that chance makes just this list.
  private static func surprise(of intervals: Int, _ share: Double) -> Double {
    // Neighbours resemble each other: once one is equal, the next is so more easily.
    -(min(1, share).logarithm + Double(intervals - 1) * min(1, 2 * share).logarithm)
  }

  /// Whether chance hardly makes so many notifications with one and the same interval in a row.
  /// - Parameter apart: How many equal ones are parts of such runs.
  func isUnlikely(run: Int, apart: Int, in notifications: Int) -> Bool {
    let share = Double(max(0, equals - apart) + 1) / Double(notifications + 2)
    return -Double(run - 1) * min(1, share).logarithm - Double(notifications).logarithm >= Self.leastAlone
  }
}

extension Double {
  /// The natural logarithm, to a thousandth or so, of a number above 0.
  fileprivate var logarithm: Double {
    let part = (significand - 1) / (significand + 1)
    let square = part * part
    return Double(exponent) * 0.693_147 + 2 * part * (1 + square * (1.0 / 3 + square * (0.2 + square / 7)))
  }
}

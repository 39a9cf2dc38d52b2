import CaptureFiles

/// Lists of RR-Intervals that are those of the notification before: whether chance makes so many.
///
/// A steady heart's intervals are often equal to those before, and no list of it says anything; a varying heart's are
/// not, and a single list of three does. How often it happens by chance is estimated from how often the first interval is
/// among those before and the others are not.
struct Coincidences {
  private struct List {
    let moment: Moment
    /// The negative logarithm of the probability that chance makes just this one.
    let surprise: Double
  }

  private var lists: [List] = []
  /// How often intervals were equal lately, and where last.
  private var equals = 0.0
  private var last = 0
  private var hasLast = false

  /// What was equal so many notifications ago counts for little.
  private static let memory = 100.0
  private static let most = 64
  /// The negative logarithm of how unlikely it has to be: one of a thousand connections.
  private static let least = 7.0

  /// Notes a notification whose first interval is among those before.
  /// - Parameter overlap: How many intervals it has if they are all those before; else 0.
  mutating func note(overlap: Int, _ ordinal: Int, _ moment: Moment) {
    let passed = Double(ordinal - last)
    equals *= max(0, 1 - passed / Self.memory)
    last = ordinal
    hasLast = overlap >= 2 && lists.count < Self.most
    guard hasLast else {
      equals += 1
      return
    }
    let share = min(1, (equals + 1) / (min(Double(ordinal), Self.memory) + 2))
    // Neighbours resemble each other: once one is equal, the next is so more easily.
    let next = min(1, 2 * share)
    lists.append(List(moment: moment, surprise: -(share.logarithm + Double(overlap - 1) * next.logarithm)))
  }

  /// The last list is known to have come again.
  mutating func forgetLast() {
    if hasLast { lists.removeLast() }
    hasLast = false
  }

  /// Those that are too many to be chance, if there are any.
  func unlikely(in notifications: Int) -> (first: Moment, last: Moment, count: Int)? {
    let usual = Double(notifications).logarithm
    var (sum, best) = (0.0, (sum: Self.least, count: 0))
    let inOrder = lists.indices.sorted { lists[$0].surprise > lists[$1].surprise }
    for (place, index) in inOrder.enumerated() {
      // So many of them at any places: each could be any notification, but their order says nothing.
      sum += lists[index].surprise - usual + Double(place + 1).logarithm
      if sum > best.sum { best = (sum, place + 1) }
    }
    let found = inOrder.prefix(best.count).sorted()
    guard let first = found.first, let last = found.last else { return nil }
    return (lists[first].moment, lists[last].moment, best.count)
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

import GATTKit

/// What tells that two logs in which the same values were found are of one connection: two sessions of a sensor, on one
/// heart at rest or of a program that counts, have the same values too.
struct SharedEvidence {
  /// Whether it is enough.
  let isEnough: Bool

  /// Fewer values that are not the one before are chance.
  private static let leastChanges = 8
  /// Fewer requests and responses that both have tell nothing of how it began.
  private static let leastExchanged = 5
  /// Both ends see a connection made, and its end if they are told, within so many seconds.
  static let mostApart = 2.0
  /// A value and another one in the same time are two measurements, in seconds.
  private static let sameTime = 0.25
  /// Of so many that both have, one may be beside another one.
  private static let leastForContradiction = 20

  /// - Parameters:
  ///   - ahead: How far the second log's clock is ahead, as the captures show times.
  ///   - values: Those that both have.
  ///   - exchanged: How many requests and responses both have.
  ///   - lone: When those came that only one of them has, by the second clock.
  init(
    _ one: LoggedConnection, _ other: LoggedConnection, _ clocks: TwoClocks, aheadBy ahead: Double,
    pairs: [(first: Int, second: Int)], values: [UInt64], exchanged: Int, lone: (first: [Double], second: [Double])
  ) {
    let isOneClock = one.side.capture == other.side.capture
    guard Self.sameBounds(one, other, clocks), !isOneClock || ahead.magnitude <= Self.mostApart,
      Self.contradictions(lone) <= max(1, values.count / Self.leastForContradiction)
    else {
      isEnough = false
      return
    }
    let changes = 1 + zip(values, values.dropFirst()).count { $0 != $1 }
    if one.way(to: other) == nil {
      // Two logs of one host have its time, or that of another zone. Another clock is believed only where the values can
      // hardly come again: intervals.
      let intervals = pairs.filter { one.measurements[$0.first].reading.rrCount ?? 0 > 0 }
      isEnough = Self.isOneTime(ahead) || min(changes, intervals.count, Set(values).count) >= Self.leastChanges
    } else {
      let hasBeginning = one.opening != nil && other.opening != nil || exchanged >= Self.leastExchanged
      isEnough = hasBeginning || changes >= Self.leastChanges
    }
  }

  /// Whether neither log shows the connection before the other saw it made, or after that saw it end.
  private static func sameBounds(_ one: LoggedConnection, _ other: LoggedConnection, _ clocks: TwoClocks) -> Bool {
    // With a clock that leapt, it is not known how long that was before.
    guard !one.side.facts.hasClockSteps, !other.side.facts.hasClockSteps else { return true }
    // The two hosts of one connection may learn of its end at different times: one waits for who does not answer.
    let isOneEnd = one.way(to: other) == nil
    let patience = mostApart + (isOneEnd ? 0 : max(one.longestTimeout, other.longestTimeout))
    let (shown, others) = (one.shown, other.shown)
    let begin = clocks.first(at: others.lowerBound)
    let end = clocks.first(at: others.upperBound)
    let isAfterOpening = one.opening.map { begin >= $0 - mostApart } ?? true
    let isAfterOthers = other.opening.map { shown.lowerBound >= clocks.first(at: $0) - mostApart } ?? true
    let isBeforeEnding = one.ending.map { end <= $0 + patience } ?? true
    let isBeforeOthers = other.ending.map { shown.upperBound <= clocks.first(at: $0) + patience } ?? true
    return isAfterOpening && isAfterOthers && isBeforeEnding && isBeforeOthers
  }

  /// How many values only the first log has where the second one has another one in the same time, that only it has: one
  /// connection cannot have sent both. The times are by one clock, each in order.
  private static func contradictions(_ lone: (first: [Double], second: [Double])) -> Int {
    var (count, place) = (0, 0)
    for time in lone.first {
      while place < lone.second.count, lone.second[place] < time - sameTime { place += 1 }
      guard place < lone.second.count, lone.second[place] <= time + sameTime else { continue }
      (count, place) = (count + 1, place + 1)
    }
    return count
  }

  /// Whether clocks that differ so show one time, each that of its zone.
  private static func isOneTime(_ seconds: Double) -> Bool {
    // Zones lie at most 26 hours apart, by quarters of an hour.
    seconds.magnitude <= 26 * 3600 + mostApart && seconds.remainder(dividingBy: 900).magnitude <= mostApart
  }
}

/// Two logs laid beside one another, with which values of one are which of the other. Where one of the clocks was set, the
/// second is put right.
struct LaidLogs {
  let one: LoggedConnection
  private(set) var other: LoggedConnection
  /// The longest connection interval that either saw, in seconds.
  let interval: Double
  private(set) var entries: (first: [SequenceAlignment.Entry], second: [SequenceAlignment.Entry])
  private(set) var alignment: SequenceAlignment

  var pairs: [(first: Int, second: Int)] { alignment.pairs }

  /// More often nobody sets a clock while a connection lasts.
  private static let mostChanges = 4
  /// Where values hardly change, a pair or two beside a clock that was set may be such by chance: they are none any more
  /// when it is put right.
  private static let mostByChance = 2

  /// - Returns: Nil if they have nothing in common.
  init?(_ one: LoggedConnection, _ other: LoggedConnection) {
    (self.one, self.other) = (one, other)
    interval = max(one.longestInterval ?? 0, other.longestInterval ?? 0)
    let kept = min(one.leastKept ?? .max, other.leastKept ?? .max)
    entries = (one.entries(keeping: kept), other.entries(keeping: kept))
    guard let alignment = SequenceAlignment(entries.first, entries.second, interval: interval) else { return nil }
    self.alignment = alignment
    guard one.side.capture != other.side.capture else { return }
    while self.other.clockChanges.count < Self.mostChanges, let change = clockChange() {
      var right = self.other
      right.putRight(change)
      let values = right.entries(keeping: kept)
      guard let again = SequenceAlignment(entries.first, values, interval: interval),
        again.pairs.count + Self.mostByChance >= pairs.count
      else { return }
      (self.other, entries.second, self.alignment) = (right, values, again)
    }
  }

  /// Where the clocks' difference changes.
  private func clockChange() -> ClockChange? {
    let sightings = pairs.map { pair in
      let time = entries.first[pair.first].time
      return (time: time, difference: entries.second[pair.second].time - time)
    }
    guard let found = ClockChange.place(in: sightings, near: alignment.nearEnough) else { return nil }
    let pair = pairs[found.place]
    return ClockChange(
      records: (one.measurements[pair.first].moment, other.measurements[pair.second].moment), seconds: found.seconds)
  }

  /// When each of both has what is certain to be one value.
  /// - Parameter way: Whether that goes from the first one's end to the second one's; nil where both are of one end.
  func sightings(way: Bool?) -> [ClockDifference.Sighting] {
    pairs.filter { alignment.isCertain($0.first, $0.second) }.map { pair in
      let (first, second) = (entries.first[pair.first].time, entries.second[pair.second].time)
      return ClockDifference.Sighting(time: first, difference: second - first, isForward: way)
    }
  }

  /// The places of what only one of them has, though the other's log covers the time.
  func lone(by clocks: TwoClocks) -> (first: [Int], second: [Int]) {
    let paired = (Set(pairs.map(\.first)), Set(pairs.map(\.second)))
    let (covered, others) = (one.covered, other.covered)
    return (
      entries.first.indices.filter { index in
        !paired.0.contains(index) && others.contains(clocks.second(at: entries.first[index].time))
      },
      entries.second.indices.filter { index in
        !paired.1.contains(index) && covered.contains(clocks.first(at: entries.second[index].time))
      }
    )
  }
}

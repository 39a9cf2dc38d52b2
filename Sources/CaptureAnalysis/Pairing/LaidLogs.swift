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
      guard let again = SequenceAlignment(entries.first, values, interval: interval), again.pairs.count >= pairs.count
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
}

/// What has befallen a capture, and so each of its connections.
///
/// There may be many of both. So those connections learn of it at once that were heard since the last time, and all others
/// when they are looked for again: nothing has happened on them in between, and of many interruptions the last of each kind
/// tells as much as all.
struct Interruptions {
  enum Kind {
    /// Records were lost, or cut so that nobody knows whose they were.
    case loss
    /// Records were lost, and what was unfinished stays so.
    case damage
    /// Records are missing, or may be: so many; of more than hide that a connection ended and another one began, not how
    /// many more.
    case hole(missing: Int)
    /// The clock leapt, by so many microseconds.
    case clockStep(leap: Int64)
  }

  /// The last one of a kind: how many there were of any kind until then, and where it was.
  typealias Last = (number: Int, moment: Moment)

  private(set) var loss: Last?
  private(set) var damage: Last?
  private(set) var hole: Last?
  private(set) var clockStep: Last?
  /// How many there were, and how far the clock leapt in all of them.
  private(set) var known = Known()

  /// What a connection has learnt of them.
  struct Known {
    /// How many.
    fileprivate(set) var count = 0
    /// How far the clock leapt in them, in microseconds.
    fileprivate(set) var leap: Int64 = 0
    /// How many records are missing in them, at least as far as that matters.
    fileprivate(set) var missing = 0

    /// Whether there is one among them.
    func contains(_ last: Last?) -> Bool { last.map { $0.number <= count } ?? true }
  }

  /// There is one more.
  mutating func note(_ kind: Kind, at moment: Moment) {
    known.count &+= 1
    let last = (known.count, moment)
    switch kind {
    case .loss: loss = last
    case .damage: damage = last
    case .hole(let missing):
      hole = last
      known.missing &+= missing
    case .clockStep(let leap):
      clockStep = last
      known.leap &+= leap
    }
  }
}

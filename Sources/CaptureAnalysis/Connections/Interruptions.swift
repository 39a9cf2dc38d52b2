/// What has befallen the connections of an adapter.
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
  /// All of them.
  private(set) var known = Known()

  /// What a connection has learnt of them.
  struct Known {
    /// How many had befallen the capture by then.
    fileprivate(set) var count = 0
    /// How far the clock leapt in them, in microseconds.
    fileprivate(set) var leap: Int64 = 0
    /// How many records are missing in them, at least as far as that matters.
    fileprivate(set) var missing = 0

    /// Whether there is one among them.
    func contains(_ last: Last) -> Bool { last.number <= count }
  }

  /// There is one more.
  /// - Parameter number: Which one it is of all that have befallen the capture.
  fileprivate mutating func note(_ kind: Kind, number: Int, at moment: Moment) {
    known.count = number
    let last = (number, moment)
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

extension Interruptions {
  /// What has befallen a capture: all of its adapters, or one.
  ///
  /// There may be many interruptions, and many connections. So those connections learn of it at once that were heard since
  /// the last time, and all others when they are looked for again: nothing has happened on them in between, and of many
  /// interruptions the last of each kind tells as much as all.
  struct OfCapture {
    private var count = 0
    private var ofAll = Interruptions()
    private var ofOne: [UInt16: Interruptions] = [:]

    /// There is one more.
    /// - Parameter adapter: The adapter that it has befallen; nil if it has all.
    mutating func note(_ kind: Kind, on adapter: UInt16?, at moment: Moment) {
      count &+= 1
      if let adapter {
        ofOne[adapter, default: Interruptions()].note(kind, number: count, at: moment)
      } else {
        ofAll.note(kind, number: count, at: moment)
      }
    }

    /// What has befallen an adapter, among others or alone.
    func of(_ adapter: UInt16) -> Interruptions { ofOne[adapter].map(ofAll.joined) ?? ofAll }
  }

  private func joined(with other: Interruptions) -> Interruptions {
    var joined = Interruptions()
    joined.loss = Self.later(loss, other.loss)
    joined.damage = Self.later(damage, other.damage)
    joined.hole = Self.later(hole, other.hole)
    joined.clockStep = Self.later(clockStep, other.clockStep)
    joined.known = Known(
      count: max(known.count, other.known.count), leap: known.leap &+ other.known.leap,
      missing: known.missing &+ other.known.missing)
    return joined
  }

  private static func later(_ one: Last?, _ another: Last?) -> Last? {
    guard let one, let another else { return one ?? another }
    return one.number > another.number ? one : another
  }
}

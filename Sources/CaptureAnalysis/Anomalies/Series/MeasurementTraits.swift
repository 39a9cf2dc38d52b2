/// What is remarkable in a measurement, by itself or beside the one before it: found once, and asked by every rule.
struct MeasurementTraits: OptionSet, BitwiseCopyable {
  let rawValue: UInt32

  /// Its length contradicts its flags.
  static let malformed = Self(bit: 0)
  /// Reserved flags are set.
  static let reservedFlags = Self(bit: 1)
  /// The contact status is set without its support.
  static let statusWithoutSupport = Self(bit: 2)
  /// The contact support bit is not as before.
  static let supportChanged = Self(bit: 3)
  /// There is no contact.
  static let notInContact = Self(bit: 4)
  /// The heart rate is a UINT16.
  static let uint16 = Self(bit: 5)
  /// The energy expended is less than the one that came last.
  static let energyFalls = Self(bit: 6)
  /// The rate is 0.
  static let zeroRate = Self(bit: 7)
  /// The rate is above 0, and none of a heart's.
  static let implausibleRate = Self(bit: 8)
  /// The rate differs a lot from the one before, or is about a half, two thirds, one and a half or twice of it.
  static let leap = Self(bit: 9)
  /// The rate is the one before.
  static let sameRate = Self(bit: 10)
  /// RR-Intervals come with it.
  static let intervals = Self(bit: 11)
  /// RR-Intervals come with it, and those before it that had none were some seconds' worth.
  static let intervalsReturn = Self(bit: 12)
  /// An RR-Interval is none of a heart's.
  static let oddInterval = Self(bit: 13)
  /// It came more than 2 s after the one before, or less, where a rule asks for that.
  static let late = Self(bit: 14)
  /// It came less than 0.3 s after the one before.
  static let early = Self(bit: 15)
  /// Its octets are those of the one before; where there are no RR-Intervals, only what came at once counts.
  static let repeated = Self(bit: 16)
  /// It fills the ATT_MTU: there is no room for another RR-Interval.
  static let full = Self(bit: 17)
  /// It is the first of its connection.
  static let first = Self(bit: 18)
  /// Its first RR-Interval is among those of the one before.
  static let repeatedIntervals = Self(bit: 19)
  /// An RR-Interval differs by more than a quarter from what the rate makes it.
  static let strayInterval = Self(bit: 20)
  /// It came early, and so did all before it back to one that came late.
  static let heldBack = Self(bit: 21)
  /// An RR-Interval shows that the one before it is much longer than the one before that, or that the two before it are
  /// much shorter, together, than the one before those.
  static let unevenIntervals = Self(bit: 22)
  /// There is an energy expended, and a rule waits for one.
  static let awaitedEnergy = Self(bit: 23)
  /// The measurement behind one with any of the traits beside this one: no measurement has it, rules ask for it.
  static let behind = Self(bit: 31)

  /// What only a look at values tells, rather than at when they came.
  static let ofValues = Self(rawValue: ~0).subtracting([.late, .early, .full, .first, .heldBack, .behind])

  /// How many there are, one in each of the lowest bits; and none that only rules ask for.
  static let count = 24

  init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(bit: UInt32) { rawValue = 1 << bit }

  /// All traits, or none.
  @inline(__always)
  init(mask: Int) { rawValue = UInt32(truncatingIfNeeded: mask) }

  /// Inserts a trait if something holds. What holds for one measurement often does not for the next: there is no branch
  /// to be guessed wrong.
  @inline(__always)
  mutating func insert(_ trait: MeasurementTraits, if holds: Bool) {
    self = MeasurementTraits(rawValue: rawValue | (holds ? trait.rawValue : 0))
  }
}

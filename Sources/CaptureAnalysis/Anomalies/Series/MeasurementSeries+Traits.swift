import CaptureFiles
import GATTKit

// What is remarkable in a measurement, beside the one before it. What holds for one often does not for the next: most of
// this is written so that the processor has nothing to guess.

extension MeasurementSeries {
  /// In seconds: what comes so long after the one before is late, unless a rule asks for less.
  static let late = 2.0
  static let early = 0.3
  /// In microseconds: a rule may ask for measurements that have had no RR-Intervals for longer than this.
  private static let shortestAbsence: Int64 = 3_000_000
  /// In beats a minute.
  private static let smallStep = 3
  /// In seconds: behind a longer silence, intervals have no others before them.
  private static let longestPause = 3.0

  /// Finds what is remarkable in the measurement at hand.
  @inline(__always)
  mutating func noteTraits(isFull: Bool) -> MeasurementTraits {
    var traits = recent.current.traits
    traits.insert(.full, if: isFull)
    traits.insert(.first, if: recent.current.ordinal == 0)
    let gap = recent.current.sinceLast
    let isEarly = gap >= 0 && gap < Self.early
    traits.insert(.late, if: gap > remarkable.silence)
    traits.insert(.early, if: isEarly)
    traits.insert(.heldBack, if: isEarly && !recent.previous.traits.isDisjoint(with: [.late, .heldBack]))
    if let flags = recent.current.flags { noteFlags(flags, &traits) }
    if let rate = recent.current.rate { noteRate(rate, recent.previous.sentRate, &traits) }
    let isWhole = recent.current.sentIntervals == beats.current.count
    noteIntervals(isWhole: isWhole, &traits)
    balance.note(
      gap: gap, beats.current, isWhole: isWhole && !traits.contains(.oddInterval), isFull: isFull)
    return traits
  }

  @inline(__always)
  private mutating func noteFlags(_ flags: HeartRateMeasurement.Flags, _ traits: inout MeasurementTraits) {
    let (supports, status) = (flags.contains(.contactSupport), flags.contains(.contactStatus))
    traits.insert(.reservedFlags, if: !flags.isDisjoint(with: .reserved))
    traits.insert(.notInContact, if: supports && !status)
    traits.insert(.statusWithoutSupport, if: status && !supports)
    // What is malformed is another finding, and its flags mean nothing beside others.
    let isSound = !traits.contains(.malformed)
    let last = recent.previous.traits.contains(.malformed) ? nil : recent.previous.flags
    let before = last ?? flagsBefore ?? flags
    traits.insert(.supportChanged, if: isSound && supports != before.contains(.contactSupport))
    traits.insert(.uint16, if: flags.contains(.uint16Format))
    if flags.contains(.energyExpended) { noteEnergy(&traits) }
  }

  @inline(never)
  private mutating func noteEnergy(_ traits: inout MeasurementTraits) {
    energies.announce()
    guard let energy = recent.current.energy else { return }
    let falls = energies.note(
      energy, recent.current.moment, rate: Int(recent.current.sentRate), beats.intervals.last,
      isSound: !traits.contains(.malformed))
    traits.insert(.energyFalls, if: falls)
    traits.insert(.awaitedEnergy, if: energies.isAwaited)
  }

  @inline(__always)
  private mutating func noteRate(_ rate: Int, _ sentBefore: Int32, _ traits: inout MeasurementTraits) {
    if rate == 0 { return traits.formUnion(.zeroRate) }
    // What is behind the first one counts as well: zeros before it are those of the start.
    hasRate = true
    traits.insert(.implausibleRate, if: !HeartLimits.rates.contains(rate))
    // Where there is none before it, it is as far away as can be.
    let before = Int(sentBefore)
    let hasBefore = before > 0
    let step = abs(rate &- before)
    traits.insert(.sameRate, if: step == 0)
    let counts = hasBefore && !traits.contains(.early)
    steps.all &+= counts ? 1 : 0
    steps.none &+= counts && step == 0 ? 1 : 0
    steps.small &+= counts && step <= Self.smallStep ? 1 : 0
    traits.insert(.leap, if: hasBefore && (step > remarkable.leap || Self.isFactor(rate, before)))
  }

  /// Whether a rate is, within a twentieth, a half, two thirds, one and a half or twice of another.
  @inline(__always)
  private static func isFactor(_ rate: Int, _ other: Int) -> Bool {
    let half = 20 &* abs(2 &* rate &- other) < other
    let twoThirds = 10 &* abs(3 &* rate &- 2 &* other) < other
    let oneAndAHalf = 20 &* abs(2 &* rate &- 3 &* other) < 3 &* other
    let twice = 10 &* abs(rate &- 2 &* other) < other
    return half || twoThirds || oneAndAHalf || twice
  }

  @inline(__always)
  private mutating func noteIntervals(isWhole: Bool, _ traits: inout MeasurementTraits) {
    if recent.current.sinceLast >= Self.longestPause { rhythm.forget() }
    // Where the flags are cut off, it is not known whether there were any.
    if recent.current.sentIntervals < 0 { return }
    let figures = beats.current
    let isSent = (0 &- Int(recent.current.sentIntervals)) >> 63
    traits.formUnion(MeasurementTraits.intervals.intersection(MeasurementTraits(mask: isSent)))
    let absence = recent.current.time.microseconds &- presence.absence.first.time.microseconds
    if absence > Self.shortestAbsence, presence.isAbsent { noteReturn(isSent != 0, &traits) }
    presence.note(isSent, recent.current, behind: recent.previous.moment)
    var own = MeasurementTraits()
    let limits = HeartLimits.intervals
    own.insert(.oddInterval, if: figures.least < limits.lowerBound || figures.most > limits.upperBound)
    // A quarter of what the rate makes it.
    own.insert(.strayInterval, if: figures.deviation(from: Int(max(0, recent.current.sentRate))) > 61_440 / 4)
    traits.formUnion(own.intersection(MeasurementTraits(mask: figures.mask)))
    if isWhole {
      traits.insert(.unevenIntervals, if: figures.count > 2 ? rhythm.note(beats.intervals) : rhythm.note(figures))
    } else {
      rhythm.forget()
    }
    if beats.firstIsRepeated { noteRepetition(isWhole: isWhole, &traits) }
    // A second later, a rate may well be the same; at once, it is what was sent before.
    if recent.current.hasFields(of: recent.previous), isSent == 0, traits.contains(.early) { noteAgain(&traits) }
  }

  /// So long have there been no RR-Intervals, up to the measurement at hand.
  // Not mutating, it would be handed a copy of the series; so would what follows.
  @inline(never)
  private mutating func noteReturn(_ isReturn: Bool, _ traits: inout MeasurementTraits) {
    traits.insert(.intervalsReturn, if: isReturn && presence.absence.ordinal >= 0)
  }

  /// The first RR-Interval was among those before.
  @inline(never)
  private mutating func noteRepetition(isWhole: Bool, _ traits: inout MeasurementTraits) {
    traits.insert(.repeatedIntervals)
    if recent.current.hasFields(of: recent.previous), isWhole, beats.current.count == beats.before.count,
      beats.intervals.begins(with: beats.current.count, lastOf: beats.previous)
    {
      noteAgain(&traits)
    }
  }

  /// It is the one before again.
  @inline(never)
  private mutating func noteAgain(_ traits: inout MeasurementTraits) {
    traits.insert(.repeated)
    if traits.contains(.early), !recent.previous.traits.contains(.early) { copies &+= 1 }
  }
}

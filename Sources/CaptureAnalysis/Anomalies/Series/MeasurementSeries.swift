import BluetoothHost
import CaptureFiles
import GATTKit

/// The measurements of a connection as they come: what each is beside the one before, and what they are together.
struct MeasurementSeries {
  /// The measurement at hand, and the one before it.
  var recent = (previous: ObservedMeasurement.none, current: ObservedMeasurement.none)
  /// The flags before a measurement that is malformed, or of which not even those are there.
  var flagsBefore: HeartRateMeasurement.Flags?
  /// The RR-Intervals that came with the current one, and with the one before.
  var beats = RecentIntervals()
  /// How they follow one another.
  var rhythm = IntervalRhythm()
  /// Some of the last ones, by which they may be known again.
  var marks = IntervalMarks()
  /// Those that the connection before, with the same peer, has left; nil if nothing is known of them.
  var former: FormerIntervals?
  /// How much longer its intervals are than the time they came in.
  var balance = IntervalBalance()
  /// How far measurements lie apart.
  var periods = PeriodHistogram()
  /// How many came early, behind one that did not, with its octets.
  var copies = 0
  /// How often a rate came behind another, and not early; how often it was the same, and how often it was hardly another.
  var steps = (all: 0, none: 0, small: 0)
  /// Where its values begin, as far as those that contradict their flags tell.
  var framing = ValueFraming()
  /// Its energies expended.
  var energies = MeasuredEnergies()
  /// Whether RR-Intervals came with the last measurement of which that is known, and where they did not.
  var presence = IntervalPresence()
  /// Whether a rate above 0 has come since the sensor began, or began anew.
  var hasRate = false
  /// The five seconds at hand, and those before them.
  var half = MeasurementBlock()
  var lastHalf: MeasurementBlock?
  /// Whether the block that was taken last shares no measurement with the one of this kind before it.
  var isApart = false
  /// The seconds since intervals came; nil where there were no beats to be sent meanwhile.
  var uncovered: Double? = 0
  /// Whether what came since the last gap was held back: it came at once, or each time as much as there is room for.
  var followsGap = false
  /// Whether that gap was a silence, rather than the time before the first measurement, or one in which none was due.
  var followsSilence = false
  /// How many gaps of one length came one after another, each late for what the sensor did before.
  var evenGaps = 0
  /// How many beats of that gap have not come.
  var heldBack = 0.0
  /// What lies between the last measurement and the next, beside time.
  private var interruption = Interruption.none
  /// How far the clock has leapt since the last measurement, in microseconds.
  private var clockLeap: Int64 = 0
  /// How much of the time between measurements was none in which one could be seen: they were off, or records were lost, or
  /// the clock leapt over it. In microseconds.
  private(set) var unobserved: Int64 = 0
  /// Whose server sends them; measurements of the other one are another series, and not looked at.
  private(set) var server: ServerSide?
  /// Where the last one came.
  private(set) var handle: UInt16?
  /// The bearer that the last one came over, as in `HeartRateNotification`.
  private(set) var bearer: Int?
  /// How they came to this handle, where others came on another before.
  private(set) var move: HandleMove?
  /// Whether others come from another handle of the same server, beside these.
  private var hasOthers = false
  /// When others came first since records were lost, or the clock took a step; nil once one of these has come since then.
  private var othersAlone: Timestamp?
  /// The first one of all.
  private(set) var beginning: Moment?
  /// The place of the last one that came behind a time in which notifications were off.
  private var restarted = -1
  /// The first one since an interruption; the last of those that came at once with it.
  private var start = (time: Timestamp(microseconds: 0), ordinal: 0)
  let remarkable: Remarkable

  /// From where on something is remarkable in a measurement.
  struct Remarkable {
    /// By how much a rate differs from the one before if that is a leap, in beats a minute.
    let leap: Int
    /// What lies before a measurement that is late, in seconds.
    let silence: Double
  }

  /// Why what comes next has nothing before it.
  private enum Interruption: UInt8 {
    case none
    /// None was due.
    case off
    /// The clock took a step.
    case clockStep
    /// Some may have come that are not there, or several of these.
    case loss
  }

  /// A series in which none has come.
  init(_ remarkable: Remarkable) { self.remarkable = remarkable }

  /// How many have come.
  var count: Int { recent.current.ordinal + 1 }
  /// The last measurement.
  var current: ObservedMeasurement? { recent.current.ordinal < 0 ? nil : recent.current }
  /// The one before it.
  var previous: ObservedMeasurement? { recent.previous.ordinal < 0 ? nil : recent.previous }
  /// The last measurement, once one has come.
  var last: ObservedMeasurement { recent.current }
  /// The RR-Intervals that came with the last one, as far as they are there.
  var intervals: MeasurementIntervals { beats.intervals }
  /// Those of the one before.
  var previousIntervals: MeasurementIntervals { beats.previous }
  /// Where the measurement stands that had RR-Intervals before the one at hand; nil if that is not known.
  var lastWithIntervals: Moment? {
    guard let previous else { return nil }
    if previous.intervalCount ?? 0 > 0 { return previous.moment }
    return presence.absence.ordinal >= 0 ? presence.lastBefore : nil
  }

  /// How far measurements usually lie apart, in seconds; nil while too few have come.
  var usualPeriod: Double? { periods.exactMedian }

  /// Whether so many come at once with the one before that they seem to wait for connection events.
  var comeTogether: Bool { periods.count >= 5 && periods.atOnce &* 8 >= periods.count }

  /// How far apart the sensor takes them, in seconds, as far as those up to one of them tell; nil while too few have come.
  /// Of those that wait for the same connection event, none came when it was taken: their mean tells, from the end of the
  /// first such bundle on, since nobody knows how long that one took.
  mutating func period(until last: ObservedMeasurement?) -> Double? {
    guard let median = periods.median() else { return nil }
    guard comeTogether || median < Self.shortestPeriod, let last else { return median }
    let count = last.ordinal &- start.ordinal
    return count >= 5 ? max(0, last.time.seconds(since: start.time) / Double(count)) : nil
  }

  /// In seconds: no sensor measures more often.
  private static let shortestPeriod = 0.25

  /// In seconds: behind a longer time in which notifications were off, a sensor begins anew.
  private static let longestRest = 10.0

  /// Whether the sensor begins anew with the measurement at hand.
  var beginsAnew: Bool { recent.current.ordinal == restarted }

  /// Whether nearly all values begin in the wrong place: what is read from any of them is none of it.
  var isMisread: Bool { framing.slip(of: count) != nil }

  /// Whether it notifies only what differs from what came before, as broadcasts of phones and watches may: none comes then
  /// while the rate stays.
  var tellsOnlyChanges: Bool {
    guard steps.all >= 20, steps.none &* 33 < steps.all, steps.small &* 5 >= steps.all &* 4, !comeTogether,
      recent.current.intervalCount ?? 0 == 0, let long = periods.quantile(0.8), let short = periods.quantile(0.2)
    else { return false }
    return long > 1.5 * short
  }

  /// Whether what comes next has nothing before it, as records were lost, or the clock was set.
  var isBroken: Bool { interruption == .clockStep || interruption == .loss }

  /// Records were lost: what comes next has nothing before it.
  mutating func noteLoss() { interrupt(by: .loss) }

  /// Notifications were off for a while, which is no time between one measurement and the next.
  mutating func noteOffTime() { interrupt(by: .off) }

  /// The clock leapt, by so many microseconds.
  mutating func noteClockStep(_ leap: Int64) {
    clockLeap &+= leap
    interrupt(by: .clockStep)
  }

  private mutating func interrupt(by interruption: Interruption) {
    self.interruption = self.interruption == .none || self.interruption == interruption ? interruption : .loss
    othersAlone = nil
    dropBlocks()
    balance.forget()
    rhythm.forget()
  }

  /// Looks at a measurement.
  /// - Parameter mtu: How long an ATT PDU may be on its bearer.
  /// - Returns: What is remarkable in it, which is the last one now; nil if it belongs to another series.
  // Called, so that all it does can be put into it.
  @inline(never)
  mutating func note(
    _ notification: borrowing HeartRateNotification, _ moment: Moment, mtu: Int
  ) -> MeasurementTraits? {
    if server != notification.server || handle != notification.handle {
      guard takes(notification, moment) else { return nil }
    }
    let ordinal = recent.current.ordinal &+ 1
    let hasGap = interruption == .none && ordinal > 0
    // A clock that jitters, and takes no step, may go back a little: then it came at once.
    let silence = max(0, moment.time.microseconds &- recent.current.time.microseconds)
    // Not divided: that takes longer than all else here.
    let gap = hasGap ? Double(silence) * 1e-6 : -1
    let length = notification.value.length
    bearer = notification.bearer
    recent.previous = recent.current
    if let view = notification.sound {
      recent.current = ObservedMeasurement(view, length: length, moment, ordinal: ordinal, gap: gap)
      beats.take(view)
    } else {
      take(unusual: notification, moment, ordinal: ordinal, gap: gap)
    }
    if !hasGap { begin() }
    // An interval takes two octets.
    let traits = noteTraits(isFull: length &+ 4 >= mtu)
    recent.current.traits = traits
    if hasGap { periods.note(microseconds: silence) }
    // Handed on, too: who asks at once whom they concern need not wait until they can be read from memory.
    return traits
  }

  /// Takes what the first measurements alone tell.
  @inline(__always)
  mutating func noteBeginning() {
    if recent.current.ordinal &- start.ordinal < FormerIntervals.most { noteOneOfFirst() }
  }

  @inline(never)
  private mutating func noteOneOfFirst() {
    former?.note(rhythm.last, recent.current)
    // The first ones may have come at once: then the last of them is where it is known how long the next ones took.
    let gap = recent.current.sinceLast
    if recent.current.ordinal &- start.ordinal == 1, gap >= 0, gap < PeriodHistogram.atOnce {
      start = (recent.current.time, recent.current.ordinal)
    }
  }

  /// The current one is the first of all, or behind an interruption.
  @inline(never)
  private mutating func begin() {
    let first = recent.current
    defer { (interruption, clockLeap, othersAlone) = (.none, 0, nil) }
    start = (first.time, first.ordinal)
    if first.ordinal == 0 { return beginning = first.moment }
    let silence = first.time.microseconds &- recent.previous.time.microseconds
    unobserved &+= interruption == .clockStep ? clockLeap : silence
    guard interruption == .off else { return }
    // Whoever waits for what is switched on sees it.
    if Double(silence) * 1e-6 > Self.late { recent.current.traits.insert(.late) }
    if Double(silence) * 1e-6 > Self.longestRest { (restarted, hasRate) = (first.ordinal, false) }
  }

  /// Takes one that something is wrong with, or of which not all is there.
  @inline(never)
  private mutating func take(unusual notification: HeartRateNotification, _ moment: Moment, ordinal: Int, gap: Double) {
    beats.begin()
    let reading = notification.reading
    recent.current = ObservedMeasurement(
      reading, length: notification.value.length, moment, ordinal: ordinal, gap: gap)
    reading.forEachKeptRRInterval { beats.add($0.rawValue) }
    if reading.isMalformed {
      recent.current.traits.insert(.malformed)
      if !notification.value.isCut { framing.note(notification.value.octets) }
    }
    if reading.flags == nil || reading.isMalformed, !recent.previous.traits.contains(.malformed) {
      flagsBefore = recent.previous.flags ?? flagsBefore
    }
  }
}

// MARK: - Handles

extension MeasurementSeries {
  /// Whether what comes from another end, or on another handle, is of this series.
  @inline(never)
  private mutating func takes(_ notification: HeartRateNotification, _ moment: Moment) -> Bool {
    guard server == nil || server == notification.server else { return false }
    server = notification.server
    return handle == notification.handle || takesOver(notification.handle, moment)
  }

  /// Whether what comes on another handle is what comes now: a server may have several, each of another heart, of which
  /// one is looked at; or it moves the one it has, and what came on the old handle is not what came before.
  private mutating func takesOver(_ other: UInt16, _ moment: Moment) -> Bool {
    if let last = current {
      guard isOver(last, at: moment) else {
        hasOthers = true
        return false
      }
      noteLoss()
      hasOthers = false
      recent.current.forgetFields()
      flagsBefore = nil
      presence = IntervalPresence()
      if let handle { move = HandleMove(handle: handle, last: last, first: moment) }
    }
    handle = other
    return true
  }

  /// Whether none comes any more from where the last one came, though others do. Behind lost records, or a step of the
  /// clock, nobody knows how long that has been so: what comes from elsewhere is what comes now, unless others did before.
  private mutating func isOver(_ last: ObservedMeasurement, at moment: Moment) -> Bool {
    guard !isBroken || hasOthers else { return true }
    let start = isBroken ? othersAlone ?? moment.time : last.time
    if isBroken { othersAlone = start }
    return abs(moment.time.seconds(since: start)) > Self.silence * max(1, periods.median() ?? 1)
  }

  /// In seconds, or where measurements are rarer than one a second, in those from one to the next.
  private static let silence = 3.0

  /// Whether they come from another handle since a moment: what held for the one before says nothing of them.
  func hasMoved(since earlier: Moment) -> Bool { move.map { $0.first > earlier } ?? false }

  /// Those that came last from a handle, without others between them: the ordinal of the first, and the last one.
  func stretch(on handle: UInt16?) -> (first: Int, last: ObservedMeasurement)? {
    if handle == self.handle { return current.map { (move.map { $0.last.ordinal + 1 } ?? 0, $0) } }
    guard let move, handle == move.handle else { return nil }
    return (0, move.last)
  }
}

/// That measurements come on another handle than before.
struct HandleMove: BitwiseCopyable {
  /// Where they came before.
  let handle: UInt16
  /// The last one there.
  let last: ObservedMeasurement
  /// The first one on the other handle.
  let first: Moment
}

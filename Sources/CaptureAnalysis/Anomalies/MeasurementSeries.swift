import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

/// The measurements of a connection as they come: what each is beside the one before, and what they are together.
struct MeasurementSeries {
  /// The measurement at hand, and the one before it.
  private var recent = (previous: ObservedMeasurement.none, current: ObservedMeasurement.none)
  /// The RR-Intervals that came with the current one, and with the one before.
  private var beats = (previous: MeasurementIntervals(), current: MeasurementIntervals())
  /// How much longer its intervals are than the time they came in.
  private(set) var balance = IntervalBalance()
  /// How far measurements lie apart.
  var periods = PeriodHistogram()
  /// Whether RR-Intervals came with the last measurement of which that is known.
  private var hasIntervals: Bool?
  /// Whether a rate above 0 has come.
  private(set) var hasRate = false
  /// The five seconds at hand, and those before them.
  private var half = MeasurementBlock()
  private var lastHalf: MeasurementBlock?
  /// Whether the block that was taken last shares no measurement with the one of this kind before it.
  private(set) var isApart = false
  /// The seconds since intervals came; nil where there were no beats to be sent meanwhile.
  private var uncovered: Double? = 0
  private var followsLoss = false
  /// Whether what comes next has nothing before it.
  var isBroken: Bool { followsLoss }
  /// Whether what came since the last gap was held back: it came at once, or each time as much as there is room for.
  private var followsGap = false
  /// The seconds of that gap whose beats have not come.
  private var heldBack = 0.0
  /// Whose server sends them; measurements of the other one are another series, and not looked at.
  private(set) var server: ServerSide?
  /// Where the last one came.
  private var handle: UInt16?
  /// The first one on this handle, where others came on another before.
  private(set) var moved: Moment?
  /// The first one since records were lost, or the clock took a step.
  private var start = (time: Timestamp(microseconds: 0), ordinal: 0)

  /// The last measurement.
  var current: ObservedMeasurement? { recent.current.ordinal < 0 ? nil : recent.current }
  /// The one before it.
  var previous: ObservedMeasurement? { recent.previous.ordinal < 0 ? nil : recent.previous }
  /// The last measurement, once one has come.
  var last: ObservedMeasurement { recent.current }
  /// The RR-Intervals that came with the last one, as far as they are there.
  var intervals: MeasurementIntervals { beats.current }
  /// Those of the one before.
  var previousIntervals: MeasurementIntervals { beats.previous }

  /// How far measurements usually lie apart, in seconds; nil while too few have come.
  var usualPeriod: Double? { periods.exactMedian }

  /// Whether so many come at once with the one before that they seem to wait for connection events.
  var comeTogether: Bool { periods.count >= 5 && periods.atOnce &* 8 >= periods.count }

  /// How far apart the sensor takes them, in seconds, as far as those up to one of them tell; nil while too few have come.
  /// Of those that wait for the same connection event, none came when it was taken: their mean tells.
  mutating func period(until last: ObservedMeasurement?) -> Double? {
    guard let median = periods.median() else { return nil }
    guard comeTogether || median < Self.shortestPeriod, let last, last.ordinal &- start.ordinal >= 5 else {
      return median
    }
    return max(0, last.time.seconds(since: start.time) / Double(last.ordinal &- start.ordinal))
  }

  /// In seconds.
  private static let halfLength = 5.0
  private static let late = 2.0
  private static let early = 0.3
  /// In seconds: no sensor measures more often.
  private static let shortestPeriod = 0.25
  /// What tells that beats are not in the RR-Intervals, or what is in them no beats; each is another finding.
  private static let beatless: MeasurementTraits = [.malformed, .notInContact, .zeroRate, .oddInterval]

  /// Records were lost: what comes next has nothing before it.
  mutating func noteLoss() {
    followsLoss = true
    dropBlocks()
    balance.forget()
  }

  /// Looks at a measurement.
  /// - Returns: What is remarkable in it, which is the last one now; nil if it belongs to another series.
  mutating func note(_ notification: HeartRateNotification, _ moment: Moment, mtu: Int) -> MeasurementTraits? {
    if server != notification.server {
      guard server == nil else { return nil }
      server = notification.server
    }
    if handle != notification.handle {
      guard takesOver(notification.handle, moment) else { return nil }
    }
    swap(&beats.current, &beats.previous)
    let ordinal = recent.current.ordinal &+ 1
    let gap = followsLoss || ordinal == 0 ? nil : moment.time.seconds(since: recent.current.time)
    if gap == nil { start = (moment.time, ordinal) }
    followsLoss = false
    let length = notification.value.length
    var measurement: ObservedMeasurement
    if let view = notification.sound {
      measurement = ObservedMeasurement(view, length: length, moment, ordinal: ordinal, gap: gap)
      beats.current.take(view)
    } else {
      beats.current.clear()
      let reading = notification.reading
      measurement = ObservedMeasurement(reading, length: length, moment, ordinal: ordinal, gap: gap)
      reading.forEachKeptRRInterval { beats.current.add($0.rawValue) }
      if reading.isMalformed { measurement.traits.insert(.malformed) }
    }
    // An interval takes two octets.
    if length &+ 4 >= mtu { measurement.traits.insert(.full) }
    let traits = noteTraits(measurement)
    if gap != nil { periods.note(microseconds: moment.time.microseconds &- recent.current.time.microseconds) }
    recent = (recent.current, measurement)
    recent.current.traits = traits
    // Handed on, too: who asks at once whom they concern need not wait until they can be read from memory.
    return traits
  }
}

// MARK: - Handles

extension MeasurementSeries {
  /// Whether what comes on another handle is what comes now: a server may have several, each of another heart, of which
  /// one is looked at; or it moves the one it has, and what came on the old handle is not what came before.
  @inline(never)
  private mutating func takesOver(_ other: UInt16, _ moment: Moment) -> Bool {
    if let last = current {
      let silence = Self.silence * max(1, periods.median() ?? 1)
      guard isBroken || abs(moment.time.seconds(since: last.time)) > silence else { return false }
      noteLoss()
      recent.current.forgetFields()
      hasIntervals = nil
      moved = moment
    }
    handle = other
    return true
  }

  /// In seconds, or where measurements are rarer than one a second, in those from one to the next.
  private static let silence = 3.0
}

// MARK: - Traits

extension MeasurementSeries {
  @inline(__always)
  private mutating func noteTraits(_ measurement: ObservedMeasurement) -> MeasurementTraits {
    var traits = measurement.traits
    let previous = recent.current
    traits.insert(.first, if: measurement.ordinal == 0)
    if let gap = measurement.gap {
      traits.insert(.late, if: gap > Self.late)
      traits.insert(.early, if: gap < Self.early)
      traits.insert(.heldBack, if: gap < Self.early && !previous.traits.isDisjoint(with: [.late, .heldBack]))
    }
    if let flags = measurement.flags { Self.noteFlags(flags, previous.flags, &traits) }
    if let rate = measurement.rate { noteRate(rate, previous.rate, &traits) }
    let isWhole = measurement.intervalCount == beats.current.count
    noteIntervals(measurement, previous, isWhole: isWhole, &traits)
    balance.note(
      gap: measurement.gap, beats.current, isWhole: isWhole && !traits.contains(.oddInterval),
      isFull: measurement.traits.contains(.full))
    return traits
  }

  @inline(__always)
  private static func noteFlags(
    _ flags: HeartRateMeasurement.Flags, _ before: HeartRateMeasurement.Flags?, _ traits: inout MeasurementTraits
  ) {
    let (supports, status) = (flags.contains(.contactSupport), flags.contains(.contactStatus))
    traits.insert(.reservedFlags, if: !flags.isDisjoint(with: .reserved))
    traits.insert(.notInContact, if: supports && !status)
    traits.insert(.statusWithoutSupport, if: status && !supports)
    traits.insert(.supportChanged, if: supports != (before ?? flags).contains(.contactSupport))
    traits.insert(.uint16, if: flags.contains(.uint16Format))
    traits.insert(.energy, if: flags.contains(.energyExpended))
  }

  @inline(__always)
  private mutating func noteRate(_ rate: Int, _ before: Int?, _ traits: inout MeasurementTraits) {
    if rate == 0 { return traits.formUnion(.zeroRate) }
    // What is behind the first one counts as well: zeros before it are those of the start.
    if !hasRate { hasRate = true }
    traits.insert(.implausibleRate, if: rate < 25 || rate > 240)
    guard let before, before > 0 else { return }
    let step = abs(rate &- before)
    traits.insert(.sameRate, if: step == 0)
    traits.insert(.leap, if: step > 15 || step &* 4 > before)
  }

  @inline(__always)
  private mutating func noteIntervals(
    _ measurement: ObservedMeasurement, _ previous: ObservedMeasurement, isWhole: Bool,
    _ traits: inout MeasurementTraits
  ) {
    let sent = measurement.intervalCount ?? 0
    traits.insert(.intervals, if: sent > 0)
    // Where the flags are cut off, it is not known whether there were any.
    if measurement.intervalCount != nil {
      traits.insert(.presenceChanged, if: hasIntervals != nil && hasIntervals != (sent > 0))
      hasIntervals = sent > 0
    }
    let rate = measurement.rate ?? 0
    guard !beats.current.isEmpty else {
      // A second later, a rate may well be the same; at once, it is what was sent before.
      if traits.contains(.early), sent == 0, measurement.hasFields(of: previous) {
        traits.insert(.repeated)
      }
      return
    }
    let first = beats.current[0]
    traits.insert(.oddInterval, if: beats.current.least < 205 || beats.current.most > 3072)
    traits.insert(.strayInterval, if: beats.current.deviation(from: rate) > 15_360)
    if beats.previous.holds(first) {
      traits.insert(.repeatedIntervals)
      if measurement.hasFields(of: previous), isWhole, beats.current.count == beats.previous.count,
        beats.current.begins(with: beats.current.count, lastOf: beats.previous)
      {
        traits.insert(.repeated)
      }
    }
  }
}

// MARK: - Blocks

extension MeasurementSeries {
  /// Adds the current measurement to the five seconds at hand.
  /// - Returns: Whether these are full now.
  mutating func fillsHalf() -> Bool {
    let measurement = recent.current
    guard let gap = measurement.gap, gap <= Self.late || gap <= 2.5 * (periods.median() ?? 0) else {
      // Behind a gap, it is not known which beats are in it.
      dropBlocks()
      followsGap = true
      heldBack = (measurement.gap ?? 0) - beats.current.seconds
      return false
    }
    if followsGap, isHeldBack(measurement, gap) { return false }
    followsGap = false
    if half.count == 0 { half.first = measurement.moment }
    half.last = measurement.moment
    half.count &+= 1
    half.elapsed += gap
    uncovered? += gap
    if !measurement.traits.isDisjoint(with: Self.beatless) || measurement.intervalCount != beats.current.count {
      half.isWhole = false
      uncovered = nil
    }
    if let rate = measurement.rate, rate > 0 { half.add(rate: rate) }
    if !beats.current.isEmpty {
      half.add(beats.current, rate: measurement.rate ?? 0)
      half.cover(uncovered, gap: gap, beats.current)
      uncovered = 0
    }
    return half.elapsed >= Self.halfLength
  }

  /// Whether what comes behind a gap was held back in it: then its beats are the gap's. It comes at once, or as much each
  /// time as there is room for, until there is no more.
  private mutating func isHeldBack(_ measurement: ObservedMeasurement, _ gap: Double) -> Bool {
    if measurement.traits.contains(.early) { return true }
    guard heldBack > 0 else { return false }
    heldBack += gap - beats.current.seconds
    return measurement.traits.contains(.full)
      ? beats.current.seconds > gap : recent.previous.traits.contains(.full)
  }

  /// The ten seconds that end with the five seconds which are full, if there is no gap in them.
  mutating func takeBlock() -> MeasurementBlock? {
    defer { half = MeasurementBlock() }
    guard let before = lastHalf else {
      (lastHalf, isApart) = (half, false)
      return nil
    }
    lastHalf = half
    isApart.toggle()
    return before.followed(by: half)
  }

  private mutating func dropBlocks() {
    (half, lastHalf, uncovered) = (MeasurementBlock(), nil, 0)
  }
}

extension MeasurementBlock {
  @inline(__always)
  fileprivate mutating func add(rate: Int) {
    rates &+= 1
    rateSum &+= rate
    rateLeast = min(rateLeast, rate)
    rateMost = max(rateMost, rate)
  }

  /// Intervals are those of the time since the last ones, or, where that is not known, of just their own.
  @inline(__always)
  fileprivate mutating func cover(_ uncovered: Double?, gap: Double, _ intervals: MeasurementIntervals) {
    guard let uncovered else { return covered += intervals.seconds }
    covered += uncovered
    longestWithout = max(longestWithout, uncovered - gap)
  }

  @inline(__always)
  fileprivate mutating func add(_ intervals: MeasurementIntervals, rate: Int) {
    withIntervals &+= 1
    self.intervals &+= intervals.count
    intervalSum &+= intervals.sum
    intervalLeast = min(intervalLeast, intervals.least)
    intervalMost = max(intervalMost, intervals.most)
    // Each within one unit of what the rate makes it.
    if rate > 0, intervals.deviation(from: rate) <= rate &+ rate / 2 { synthesised &+= 1 }
  }
}

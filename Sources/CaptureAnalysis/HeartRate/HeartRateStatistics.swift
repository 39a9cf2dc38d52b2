public import CaptureFiles
import GATTKit

/// The figures of a series of measurements, kept as they come in constant memory.
public struct HeartRateStatistics: Sendable {
  /// Measurements in all, broken ones too.
  public private(set) var measurements = 0
  /// Measurements that contradict their flags.
  public private(set) var malformed = 0
  /// When the first came.
  public private(set) var firstTime: Timestamp?
  /// When the last came.
  public private(set) var lastTime: Timestamp?
  /// When the last one with RR-Intervals came.
  private var lastBeats = Timestamp(microseconds: 0)
  /// The heart rate of the sound ones.
  public private(set) var beatsPerMinute = Extent()
  /// Measurements whose heart rate the capture did not keep.
  public var cutRates: Int { measurements - malformed - beatsPerMinute.count }
  /// The intervals between beats.
  public private(set) var intervals = IntervalStatistics()
  /// Measurements with contact detected.
  public private(set) var withContact = 0
  /// Measurements that say there is none.
  public private(set) var withoutContact = 0
  /// Measurements of which the capture kept nothing but that they came.
  public private(set) var cutAway = 0
  /// Measurements with an energy expended.
  public private(set) var withEnergy = 0
  /// The heart rate over time.
  private var trend = Trend()
  /// How often each heart rate came.
  private var distribution = RateHistogram()
  /// The intervals between beats without artefacts.
  public private(set) var corrected = CorrectedIntervals()
  /// The longest silence between two measurements, in seconds; 0 for fewer than two.
  public var longestGap: Double { Double(longestSilence) / 1_000_000 }
  /// In microseconds.
  private var longestSilence: Int64 = 0
  /// Silences between two measurements with no leap of the clock in them, and their lengths together, in microseconds.
  private var silences = (count: 0, length: Int64(0))
  /// In how much of that nothing was to be sent: since when notifications are switched off, for how long they were since
  /// the last measurement, and for how long before it, in microseconds.
  private var off = (since: Timestamp?.none, pending: Int64(0), length: Int64(0))
  /// For how long notifications were switched off between measurements, in microseconds.
  var offTime: Int64 { off.length }
  /// What lies between the last measurement and the next, beside time.
  private var interruption = Interruption.none
  private var periods = PeriodHistogram()
  private var intervalsOfFirst = 0.0

  /// Creates the figures of no measurement.
  public init() {}

  /// What makes a silence none.
  private enum Interruption {
    case none
    /// How long it was cannot be told.
    case clockStep
    /// Notifications were switched off.
    case switchedOff
  }

  /// Least, most and mean of a series of numbers.
  public struct Extent: Sendable {
    /// How many numbers there are.
    public private(set) var count = 0
    /// The least; 0 where there are none.
    public var least: Int { count == 0 ? 0 : lowest }
    /// The most; 0 where there are none.
    public var most: Int { count == 0 ? 0 : highest }
    private var lowest = Int.max
    private var highest = Int.min
    private var sum = 0

    /// The mean; nil where there are none.
    public var mean: Double? { count == 0 ? nil : Double(sum) / Double(count) }

    mutating func note(_ value: Int) {
      lowest = min(lowest, value)
      highest = max(highest, value)
      sum &+= value
      count &+= 1
    }
  }

  @inline(__always)
  mutating func note(_ measurement: HeartRateNotification, time: Timestamp) {
    if let sound = measurement.sound {
      note(sound, time: time)
    } else {
      note(measurement.reading, time: time)
    }
  }

  /// A measurement nothing is wrong with, of which all is there: almost every one.
  @inline(__always)
  private mutating func note(_ measurement: HeartRateMeasurement.View, time: Timestamp) {
    begin(at: time)
    noteBeats(measurement.rrCount > 0, at: time)
    note(measurement.contact)
    withEnergy &+= measurement.flags.contains(.energyExpended) ? 1 : 0
    let rate = Int(measurement.beatsPerMinute)
    beatsPerMinute.note(rate)
    trend.note(rate, at: place(of: time))
    distribution.note(rate)
    measurement.forEachRRInterval { interval in
      intervals.note(interval.rawValue)
      corrected.note(interval.rawValue)
    }
    if measurements == 1 { intervalsOfFirst = intervals.seconds }
  }

  /// What can be told of any other.
  @inline(never)
  private mutating func note(_ reading: HeartRateMeasurement.Reading, time: Timestamp) {
    begin(at: time)
    guard !reading.isMalformed else {
      malformed &+= 1
      // It may have had intervals.
      return breakOff()
    }
    noteBeats(reading.rrCount ?? 0 > 0, at: time)
    if let contact = reading.contact { note(contact) } else { cutAway &+= 1 }
    if reading.energyExpended != nil { withEnergy &+= 1 }
    if let rate = reading.beatsPerMinute {
      beatsPerMinute.note(Int(rate))
      trend.note(Int(rate), at: place(of: time))
      distribution.note(Int(rate))
    }
    intervals.note(reading)
    if reading.hasAllRRIntervals {
      reading.forEachKeptRRInterval { corrected.note($0.rawValue) }
    } else {
      corrected.breakOff()
    }
    if measurements == 1 { intervalsOfFirst = intervals.seconds }
  }

  @inline(__always)
  private mutating func begin(at time: Timestamp) {
    if let lastTime {
      let silence = time.microseconds &- lastTime.microseconds
      if interruption == .none { note(silence, withoutOffTime: silence) } else { resume(behind: silence, at: time) }
    } else {
      firstTime = time
      (interruption, off) = (.none, (nil, 0, 0))
    }
    measurements &+= 1
    lastTime = time
  }

  /// A measurement has RR-Intervals, or none.
  @inline(__always)
  private mutating func noteBeats(_ hasIntervals: Bool, at time: Timestamp) {
    guard hasIntervals else { return }
    if time.microseconds &- lastBeats.microseconds > Self.longestWithoutBeats { breakOff() }
    lastBeats = time
  }

  /// Beats are missing here, most likely: the intervals before and behind are no neighbours.
  @inline(never)
  mutating func breakOff() {
    intervals.breakOff()
    corrected.breakOff()
  }

  /// In microseconds: what a sensor measures in a longer one without intervals is lost, as a rule.
  private static let longestWithoutBeats: Int64 = 10_000_000

  @inline(__always)
  private mutating func note(_ silence: Int64, withoutOffTime told: Int64) {
    guard silence >= -Self.jitter else { return }
    periods.note(microseconds: told)
    longestSilence = max(longestSilence, told)
    silences.count &+= 1
    silences.length &+= silence
  }

  /// A measurement behind something that makes the silence before it none, or shorter.
  @inline(never)
  private mutating func resume(behind silence: Int64, at time: Timestamp) {
    switchOn(at: time)
    if interruption == .switchedOff {
      let pending = min(off.pending, max(0, silence))
      // A switch between two measurements costs neither.
      let isLong = Double(pending) / 1_000_000 >= Self.shortestOffTime
      if isLong {
        off.length &+= pending
        breakOff()
      }
      note(silence, withoutOffTime: isLong ? silence &- pending : silence)
    }
    interruption = .none
    off.pending = 0
  }

  /// In seconds: what is switched off and on again sooner was hardly off.
  static let shortestOffTime = 1.0

  /// Where the last measurement stands in the trend, in microseconds: a leap of the clock takes no time, and where there
  /// are no times, a second goes by from one to the next.
  @inline(__always)
  private func place(of time: Timestamp) -> Int64 {
    time.isTold ? silences.length : Int64(measurements) &* 1_000_000
  }

  @inline(__always)
  private mutating func note(_ contact: HeartRateMeasurement.Contact) {
    // Without a branch: whether there is contact is often anybody's guess.
    withContact &+= contact == .detected ? 1 : 0
    withoutContact &+= contact == .notDetected ? 1 : 0
  }

  /// No more come, most likely: memory is for others.
  mutating func settle() {
    distribution.settle()
    periods.settle()
  }

  /// Whether measurements have times, if there are any: without them there is no duration, no period and no gap.
  public var hasTimes: Bool { lastTime?.isTold ?? true }

  /// The clock took a step: what lies between the last measurement and the next cannot be told.
  mutating func noteClockStep() {
    interruption = .clockStep
    off = (nil, 0, off.length)
  }

  /// Notifications were switched off.
  mutating func switchOff(at time: Timestamp) {
    if interruption == .none { interruption = .switchedOff }
    off.since = off.since ?? time
  }

  /// Notifications were switched on.
  mutating func switchOn(at time: Timestamp) {
    guard let since = off.since else { return }
    let length = time.microseconds &- since.microseconds
    off = (nil, off.pending &+ max(0, length), off.length)
  }

  /// By how much the time may go back without a step of the clock, in microseconds: packets of two sources.
  private static let jitter: Int64 = 1_000_000

  /// The time from the first to the last measurement, in seconds, without leaps of the clock.
  public var duration: Double { Double(max(0, silences.length)) / 1_000_000 }

  /// The same without the time in which notifications were switched off.
  private var activeDuration: Double { Double(max(0, silences.length &- off.length)) / 1_000_000 }

  /// The heart rate that a part of the sound ones do not exceed: 0.5 for the median; nil where there is none, or it is
  /// above 255.
  /// - Parameter part: 0 to 1.
  public func quantile(_ part: Double) -> Int? {
    guard let rate = distribution.quantile(part) else { return nil }
    return rate == RateHistogram.most && beatsPerMinute.most > rate ? nil : rate
  }

  /// Measurements with a rate of 0, which stands for none; they count in the figures of the rate as they were sent.
  public var withoutRate: Int { distribution.zeros }

  /// The mean heart rate of the others, in beats a minute; nil where there are none.
  public var meanOfRates: Double? {
    let (count, zeros) = (beatsPerMinute.count, withoutRate)
    return count > zeros ? beatsPerMinute.mean.map { $0 * Double(count) / Double(count - zeros) } : nil
  }

  /// What usually lies between two measurements, in seconds: the median; nil for fewer than six measurements, and
  /// where these have no times, or all the same.
  public var period: Double? { hasTimes && duration > 0 ? periods.exactMedian : nil }

  /// How far apart measurements are made, in seconds: what usually lies between two, or, where most of them wait for one
  /// another and come together, the mean; nil as for the usual one.
  public var measuringPeriod: Double? { period.flatMap { $0 < Self.together ? rate.map { 1 / $0 } : $0 } }

  /// In seconds: what comes sooner behind a measurement comes together with it.
  static let together = 0.1

  /// Silences that are gaps: see `MeasurementGap`.
  public var gaps: Int { period == nil ? 0 : periods.count(above: longestPause) }

  /// The longest silence that is no gap, in seconds: of measurements that come several at once, what usually lies between
  /// those that do not counts. Where too few have come, one a second is usual.
  private var longestPause: Double { MeasurementGap.limit(period: periods.quantileApart(0.5) ?? period ?? 1) }

  /// The heart rate over time in at most `columns` columns, with holes where gaps are: see `Trend`.
  public func course(columns: Int) -> [Double?] { trend.means(columns: columns, pause: longestPause) }

  /// How large a part of the time from the first to the last measurement the intervals between beats cover, while
  /// notifications were switched on; nil where there is none, or no time, or where the capture cut some away. Those of the
  /// first measurement lie before it.
  public var coverage: Double? {
    intervals.known > 0 && intervals.known == intervals.count && activeDuration > 0
      ? (intervals.seconds - intervalsOfFirst) / activeDuration : nil
  }

  /// How large a part of the measurements with a word on it have skin contact; nil if the sensor cannot tell.
  public var contactShare: Double? {
    let told = withContact + withoutContact
    return told > 0 ? Double(withContact) / Double(told) : nil
  }

  /// Measurements a second, while notifications were switched on; nil for fewer than two, or where they have no duration.
  public var rate: Double? {
    silences.count > 0 && activeDuration > 0 ? Double(silences.count) / activeDuration : nil
  }
}

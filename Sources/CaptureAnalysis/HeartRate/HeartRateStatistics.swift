import BluetoothHost
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
  /// The heart rate of the sound ones.
  public private(set) var beatsPerMinute = Extent()
  /// The intervals between beats.
  public private(set) var intervals = IntervalStatistics()
  /// Measurements with contact detected.
  public private(set) var withContact = 0
  /// Measurements that say there is none.
  public private(set) var withoutContact = 0
  /// Measurements with an energy expended.
  public private(set) var withEnergy = 0
  /// The heart rate over time.
  public private(set) var trend = Trend()
  /// How often each heart rate came.
  public private(set) var distribution = RateHistogram()
  /// The intervals between beats without artefacts.
  public private(set) var corrected = CorrectedIntervals()
  /// The longest silence between two measurements, in seconds; 0 for fewer than two.
  public private(set) var longestGap = 0.0
  private var periods = PeriodHistogram()
  private var intervalsOfFirst = 0.0

  /// Creates the figures of no measurement.
  public init() {}

  /// Least, most and mean of a series of numbers.
  public struct Extent: Sendable {
    /// How many numbers there are.
    public private(set) var count = 0
    /// The least; 0 where there are none.
    public private(set) var least = 0
    /// The most; 0 where there are none.
    public private(set) var most = 0
    private var sum = 0

    /// The mean; nil where there are none.
    public var mean: Double? { count == 0 ? nil : Double(sum) / Double(count) }

    mutating func note(_ value: Int) {
      least = count == 0 ? value : min(least, value)
      most = count == 0 ? value : max(most, value)
      sum &+= value
      count &+= 1
    }
  }

  @inline(__always)
  mutating func note(_ measurement: HeartRateNotification, time: Timestamp) {
    if !measurement.value.isCut, let sound = HeartRateMeasurement.View(measurement.value.octets) {
      note(sound, time: time)
    } else {
      note(measurement.reading, time: time)
    }
  }

  /// A measurement nothing is wrong with, of which all is there: almost every one.
  @inline(__always)
  private mutating func note(_ measurement: HeartRateMeasurement.View, time: Timestamp) {
    begin(at: time)
    note(measurement.contact)
    withEnergy &+= measurement.flags.contains(.energyExpended) ? 1 : 0
    let rate = Int(measurement.beatsPerMinute)
    beatsPerMinute.note(rate)
    trend.note(rate, at: time)
    distribution.note(rate)
    measurement.forEachRRInterval { interval in
      intervals.note(kept: interval.rawValue)
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
      return
    }
    if let contact = reading.contact { note(contact) }
    if reading.energyExpended != nil { withEnergy &+= 1 }
    if let rate = reading.beatsPerMinute {
      beatsPerMinute.note(Int(rate))
      trend.note(Int(rate), at: time)
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
      let gap = time.seconds(since: lastTime)
      periods.note(gap)
      longestGap = max(longestGap, gap)
    } else {
      firstTime = time
    }
    measurements &+= 1
    lastTime = time
  }

  @inline(__always)
  private mutating func note(_ contact: HeartRateMeasurement.Contact) {
    // Without a branch: whether there is contact is often anybody's guess.
    withContact &+= contact == .detected ? 1 : 0
    withoutContact &+= contact == .notDetected ? 1 : 0
  }

  /// The time from the first to the last measurement, in seconds.
  public var duration: Double {
    guard let firstTime, let lastTime else { return 0 }
    return max(0, lastTime.seconds(since: firstTime))
  }

  /// What usually lies between two measurements, in seconds: the median; nil for fewer than six measurements.
  public var period: Double? { periods.exactMedian }

  /// Silences longer than two and a half of the usual period, and than 2 s.
  public var gaps: Int { period.map { periods.count(above: max(2, 2.5 * $0)) } ?? 0 }

  /// How large a part of the time from the first to the last measurement the intervals between beats cover; nil where
  /// there is none, or no time. Those of the first measurement lie before it.
  public var coverage: Double? {
    intervals.known > 0 && duration > 0 ? (intervals.seconds - intervalsOfFirst) / duration : nil
  }

  /// How large a part of the measurements with a word on it have skin contact; nil if the sensor cannot tell.
  public var contactShare: Double? {
    let told = withContact + withoutContact
    return told > 0 ? Double(withContact) / Double(told) : nil
  }

  /// Measurements a second; nil for fewer than two, or where they have no duration.
  public var rate: Double? {
    measurements > 1 && duration > 0 ? Double(measurements - 1) / duration : nil
  }
}

/// Heart rate variability in the time domain, as the intervals come.
///
/// Task Force of the ESC and NASPE, Heart rate variability: standards of measurement (1996), table 1.
public struct IntervalStatistics: Sendable {
  /// Intervals that were sent, those too whose values the capture cut away.
  public private(set) var count = 0
  /// Intervals whose values are there.
  public private(set) var known = 0
  // In units of 1/1024 s, and so exact, however many intervals there are.
  private var sum: UInt64 = 0
  private var squares: UInt64 = 0
  private var last: UInt64?
  private var differences = 0
  private var differenceSquares: UInt64 = 0
  private var differencesAbove50 = 0

  private static let millisecondsPerUnit = 1000.0 / 1024
  /// As many units as are in 50 ms, and a fraction.
  private static var units50: UInt64 { 50 * 1024 / 1000 }

  /// The intervals of a measurement that the capture may have cut.
  mutating func note(_ reading: HeartRateMeasurement.Reading) {
    count &+= reading.rrCount ?? 0
    guard reading.hasAllRRIntervals else {
      last = nil
      return
    }
    reading.forEachKeptRRInterval { note($0.rawValue) }
  }

  /// An interval that is known.
  @inline(__always)
  mutating func note(kept rawValue: UInt16) {
    count &+= 1
    note(rawValue)
  }

  /// What comes next is no neighbour of what came last.
  mutating func breakOff() { last = nil }

  /// All that are known, together, in seconds.
  public var seconds: Double { Double(sum) / 1024 }

  @inline(__always)
  private mutating func note(_ rawValue: UInt16) {
    let interval = UInt64(rawValue)
    known &+= 1
    sum &+= interval
    squares &+= interval &* interval
    if let last {
      let difference = interval > last ? interval &- last : last &- interval
      differences &+= 1
      differenceSquares &+= difference &* difference
      // Without a branch: it is anybody's guess.
      differencesAbove50 &+= difference > Self.units50 ? 1 : 0
    }
    last = interval
  }

  /// The mean interval in milliseconds; nil where there is none.
  public var meanMilliseconds: Double? {
    known > 0 ? Double(sum) / Double(known) * Self.millisecondsPerUnit : nil
  }

  /// SDNN, the standard deviation of all intervals, in milliseconds; nil for fewer than two.
  public var sdnn: Double? {
    guard known > 1 else { return nil }
    let spread = Double(squares) - Double(sum) / Double(known) * Double(sum)
    return (max(0, spread) / Double(known - 1)).squareRoot() * Self.millisecondsPerUnit
  }

  /// RMSSD, the root of the mean square of successive differences, in milliseconds; nil for fewer than two intervals.
  public var rmssd: Double? {
    differences > 0
      ? (Double(differenceSquares) / Double(differences)).squareRoot() * Self.millisecondsPerUnit : nil
  }

  /// pNN50, how large a part of all intervals differs from the one before by more than 50 ms: 0 to 1; nil for fewer
  /// than two.
  public var pnn50: Double? { differences > 0 ? Double(differencesAbove50) / Double(known) : nil }
}

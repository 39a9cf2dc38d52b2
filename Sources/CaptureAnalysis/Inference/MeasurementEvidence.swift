import BluetoothHost
import CaptureFiles
import GATTKit

/// What the values of one attribute of unknown type say for and against their being heart rate measurements, gathered as
/// they come and in constant memory.
struct MeasurementEvidence {
  /// Values so far.
  private(set) var values = 0
  /// Values that contradict the layout of a measurement, or set bits that are reserved.
  private(set) var violations = 0
  /// Values whose rate is there, whatever it is.
  private(set) var knownRates = 0
  /// Values whose rate is there and not 0.
  private(set) var rates = 0
  /// Of those, the ones a heart can have.
  private(set) var plausibleRates = 0
  /// Pairs of successive rates, no more than a few seconds apart.
  private(set) var steps = 0
  /// Of those, the ones a heart can make.
  private(set) var smoothSteps = 0
  /// Whether the rate ever changed.
  private(set) var rateVaries = false
  /// Intervals between values, and how many of them are about a second.
  private(set) var gaps = 0
  private(set) var secondGaps = 0
  /// How many of them are much shorter than any sensor's.
  private(set) var shortGaps = 0
  /// Values that hold RR-Intervals, and of those the ones whose intervals fit their rate.
  private(set) var checkedIntervals = 0
  private(set) var fittingIntervals = 0
  /// RR-Intervals that were sent, known or cut away.
  private(set) var intervals = 0
  /// The heart beats that the rates make over the time the values with intervals took.
  private(set) var beats = 0.0
  /// Flags that every value sets, and that any does.
  private(set) var commonFlags = HeartRateMeasurement.Flags(rawValue: 0xFF)
  private(set) var anyFlags = HeartRateMeasurement.Flags(rawValue: 0)
  /// The shortest and the longest value.
  private(set) var shortest = Int.max
  private(set) var longest = 0

  private var lastTime: Timestamp?
  private var lastSoundTime: Timestamp?
  private var lastRate: Int?

  /// A heart rate that is worth believing, in beats a minute.
  static let plausible = 30...230
  /// In seconds: what lies further apart is no step.
  private static let longestStep = 4.0

  /// Whether so many values contradict the layout that it is none, whatever else speaks for it. A sensor may send broken
  /// ones, the first among them; of values that are anything at all, seven in eight set reserved flags.
  var isRefuted: Bool { values >= 8 && violations * 3 > values * 2 }

  /// Whether half of the values, or more, are none that a sensor sends: too little to refute it, but nothing speaks for it.
  var isUnlikely: Bool { values > 0 && (violations * 2 >= values || plausibleRates * 2 < rates) }

  mutating func note(_ value: CapturedOctets, at time: Timestamp) {
    // What the capture cut away whole says nothing.
    guard !value.octets.isEmpty || value.length == 0 else { return }
    values &+= 1
    shortest = min(shortest, value.length)
    longest = max(longest, value.length)
    let reading = HeartRateMeasurement.Reading(lax: value.octets, length: value.length, origin: value.origin)
    guard let flags = reading.flags, !reading.isMalformed, flags.isDisjoint(with: .reserved) else {
      violations &+= 1
      lastTime = time
      return
    }
    commonFlags.formIntersection(flags)
    anyFlags.formUnion(flags)
    if let lastTime, time.isTold { note(gap: time.seconds(since: lastTime)) }
    // The beats since the last sound value: what was broken between the two told none.
    let elapsed = lastSoundTime.map { time.seconds(since: $0) }
    if let rate = reading.beatsPerMinute { note(rate: Int(rate), elapsed, reading) }
    (lastTime, lastSoundTime) = (time, time)
  }

  private mutating func note(gap: Double) {
    gaps &+= 1
    if (0.5...1.6).contains(gap) { secondGaps &+= 1 }
    if gap < 0.15 { shortGaps &+= 1 }
  }

  private mutating func note(rate: Int, _ elapsed: Double?, _ reading: HeartRateMeasurement.Reading) {
    knownRates &+= 1
    guard rate > 0 else {
      lastRate = nil
      return
    }
    rates &+= 1
    if Self.plausible.contains(rate) { plausibleRates &+= 1 }
    if let lastRate, let elapsed, elapsed <= Self.longestStep {
      steps &+= 1
      if rate != lastRate { rateVaries = true }
      if abs(rate - lastRate) <= 6 + Int(max(0, elapsed) * 4) { smoothSteps &+= 1 }
    }
    lastRate = rate
    guard let sent = reading.rrCount, anyFlags.contains(.rrIntervals) else { return }
    intervals &+= sent
    if let elapsed, (0...Self.longestStep).contains(elapsed) { beats += Double(rate) / 60 * elapsed }
    if sent > 0, reading.hasAllRRIntervals { note(intervalsOf: reading, rate: rate) }
  }

  private mutating func note(intervalsOf reading: HeartRateMeasurement.Reading, rate: Int) {
    var sum = 0.0
    var count = 0.0
    reading.forEachKeptRRInterval { interval in
      sum += Double(interval.rawValue)
      count += 1
    }
    checkedIntervals &+= 1
    let expected = 60.0 * 1024 / Double(rate)
    if sum > 0, (0.75...1.33).contains(sum / count / expected) { fittingIntervals &+= 1 }
  }
}

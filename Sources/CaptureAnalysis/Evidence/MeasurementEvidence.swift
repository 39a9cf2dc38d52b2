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
  /// How values follow each other.
  private(set) var pace = MeasurementPace()
  /// Values that hold RR-Intervals, and of those the ones whose intervals fit their rate.
  private(set) var checkedIntervals = 0
  private(set) var fittingIntervals = 0
  /// Flags that every value sets, and that any does.
  private(set) var commonFlags = HeartRateMeasurement.Flags(rawValue: 0xFF)
  private(set) var anyFlags = HeartRateMeasurement.Flags(rawValue: 0)
  /// The shortest and the longest value.
  private(set) var shortest = Int.max
  private(set) var longest = 0

  private var lastSoundTime: Timestamp?
  private var lastRate: Int?

  /// A heart rate that is worth believing, in beats a minute.
  static let plausible = 30...230

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
      pace.note(at: time, nil)
      return
    }
    commonFlags.formIntersection(flags)
    anyFlags.formUnion(flags)
    let rate = reading.beatsPerMinute.map(Int.init) ?? value.firstOctetOfRate(flags)
    if let rate, rate > 0, anyFlags.contains(.rrIntervals), let intervals = reading.rrCount {
      pace.note(at: time, (rate, intervals))
    } else {
      pace.note(at: time, (0, 0))
    }
    // What was broken since the last sound value told no rate.
    if let rate { note(rate: rate, lastSoundTime.map { time.seconds(since: $0) }, reading) }
    lastSoundTime = time
  }

  private mutating func note(rate: Int, _ elapsed: Double?, _ reading: HeartRateMeasurement.Reading) {
    knownRates &+= 1
    guard rate > 0 else {
      lastRate = nil
      return
    }
    rates &+= 1
    if Self.plausible.contains(rate) { plausibleRates &+= 1 }
    if let lastRate, let elapsed, elapsed <= MeasurementPace.longestSilence {
      steps &+= 1
      if rate != lastRate { rateVaries = true }
      if abs(rate - lastRate) <= 6 + Int(max(0, elapsed) * 4) { smoothSteps &+= 1 }
    }
    lastRate = rate
    if let sent = reading.rrCount, sent > 0, reading.hasAllRRIntervals { note(intervalsOf: reading, rate: rate) }
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

extension CapturedOctets {
  /// Of a rate of two octets of which the capture kept the first: that, for no heart beats 256 times a minute. To tell what
  /// was sent it is not enough; to weigh it, it is.
  fileprivate func firstOctetOfRate(_ flags: HeartRateMeasurement.Flags) -> Int? {
    flags.contains(.uint16Format) && length > 2 && octets.count == 2 ? Int(octets[1]) : nil
  }
}

import CaptureFiles
import GATTKit

/// The measurements of a side as samples: what statistics compare.
struct MeasurementSample: Sendable {
  /// Measurements whose values are sound, as far as the capture kept them.
  private(set) var measurements = 0
  /// How often each combination of flags came.
  private(set) var flags: [UInt8: Int] = [:]
  /// Seconds between neighbours.
  private(set) var periods: [Double] = []
  /// The mean rate of each five seconds.
  private(set) var rates: [Double] = []
  /// The least and the most rate.
  private(set) var extent: ClosedRange<Int>?
  /// RMSSD, in milliseconds, of each five seconds.
  private(set) var variability: [Double] = []
  /// The same in parts of the mean interval: it falls as a heart beats faster.
  private(set) var relativeVariability: [Double] = []
  /// Measurements from one Energy Expended to the next, those that were lost between them, too.
  private(set) var energySteps: [Int] = []
  /// RR-Intervals that were sent.
  private(set) var intervals = 0
  /// Those of them that came in the time there was: those of a first measurement lie before it.
  private(set) var timedIntervals = 0
  /// Beats there were, by the rates and the time there was.
  private(set) var beats = 0.0
  private var block = Block()

  /// A silence longer than this is an absence, not a period.
  private static let longestPeriod = 30.0
  /// What comes in five seconds is one observation: neighbouring measurements of a heart say the same.
  private static let blockSeconds = 5.0
  /// Statistics need no more of anything.
  private static let most = 100_000

  private struct Block {
    var begin: Timestamp?
    var rates: [Double] = []
    var intervals: [Double] = []
    /// From one interval to its neighbour.
    var differences: [Double] = []
    /// The last interval; nil where what comes next is no neighbour of it.
    var last: Double?

    mutating func note(_ interval: Double) {
      intervals.append(interval)
      if let last { differences.append(interval - last) }
      last = interval
    }
  }

  init(_ sessions: [HeartRateSession]) {
    for session in sessions {
      var last: Measurement?
      for measurement in session.measurements {
        note(measurement, after: last)
        last = measurement
      }
      endBlock()
    }
    guard count(.energyExpended) > 1 else { return }
    let usual = SampleStatistics.quantile(periods, 0.5) ?? 0
    for session in sessions { noteEnergySteps(session.measurements, usual) }
  }

  private mutating func note(_ measurement: Measurement, after last: Measurement?) {
    let gap = last.map(measurement.silence)
    if let last, measurement.handle != last.handle || measurement.interruption != MeasurementList.Interruption() {
      block.last = nil
    }
    if let gap, gap >= 0, gap <= Self.longestPeriod, periods.count < Self.most { periods.append(gap) }
    let reading = measurement.reading
    // What it had cannot be told.
    if reading.isMalformed || !reading.hasAllRRIntervals { block.last = nil }
    guard !reading.isMalformed, let bits = reading.flags else { return }
    measurements += 1
    flags[bits.rawValue, default: 0] += 1
    if let begin = block.begin {
      let elapsed = measurement.time.seconds(since: begin)
      if elapsed >= Self.blockSeconds || elapsed < 0 { endBlock() }
    }
    if block.begin == nil { block.begin = measurement.time }
    intervals += reading.rrCount ?? 0
    // A rate of 0 stands for none.
    if let rate = reading.beatsPerMinute.map(Int.init), rate > 0 {
      extent = min(extent?.lowerBound ?? rate, rate)...max(extent?.upperBound ?? rate, rate)
      block.rates.append(Double(rate))
      if let gap, gap >= 0, gap <= Self.longestPeriod {
        beats += Double(rate) * gap / 60
        timedIntervals += reading.rrCount ?? 0
      }
    }
    if reading.hasAllRRIntervals { reading.forEachKeptRRInterval { block.note($0.milliseconds) } }
  }

  /// From one Energy Expended to the next, with the measurements that did not come: silence of two periods lacks one.
  private mutating func noteEnergySteps(_ measurements: MeasurementList, _ period: Double) {
    var sinceEnergy: Int?
    var last: Measurement?
    for measurement in measurements {
      let gap = last.map(measurement.silence) ?? 0
      last = measurement
      if period > 0, (0...Self.longestPeriod).contains(gap) {
        sinceEnergy? += max(0, Int((gap / period - 0.25).rounded()) - 1)
      }
      guard !measurement.reading.isMalformed, let flags = measurement.reading.flags else { continue }
      sinceEnergy? += 1
      guard flags.contains(.energyExpended) else { continue }
      if let sinceEnergy, energySteps.count < Self.most { energySteps.append(sinceEnergy) }
      sinceEnergy = 0
    }
  }

  private mutating func endBlock() {
    defer { block = Block() }
    guard rates.count < Self.most else { return }
    if !block.rates.isEmpty { rates.append(block.rates.reduce(0, +) / Double(block.rates.count)) }
    let differences = block.differences
    if differences.count >= 3 {
      let rmssd = (differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count)).squareRoot()
      let mean = block.intervals.reduce(0, +) / Double(block.intervals.count)
      variability.append(rmssd)
      relativeVariability.append(mean > 0 ? rmssd / mean : 0)
    }
  }

  /// How many measurements have a flag.
  func count(_ flag: HeartRateMeasurement.Flags) -> Int {
    flags.reduce(0) { $0 + (HeartRateMeasurement.Flags(rawValue: $1.key).isSuperset(of: flag) ? $1.value : 0) }
  }
}

extension Measurement {
  /// How long nothing came behind another one, in seconds, without the time in which nothing was to come; negative where
  /// the clock went back.
  fileprivate func silence(since last: Measurement) -> Double {
    time.seconds(since: last.time) - Double(interruption.offTime) / 1_000_000
  }
}

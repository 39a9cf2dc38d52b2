import BluetoothHost
import CaptureFiles
import GATTKit

/// Intervals in the wrong unit.
struct RrInMilliseconds: AnomalyRule {
  static let seconds = RuleParameter("seconds", 20, in: 20...3600, "how long must have been looked at, in seconds")

  static let about = RuleDescription(
    "rr-in-milliseconds", .warning,
    finds: "RR-Intervals that fit the heart rate and the time as thousandths of a second, and not as 1/1024 s.",
    matters: "Everything computed from them is wrong by 2.4 %: little enough not to be noticed.",
    advice: "The unit is 1/1024 s: the sensor's maker has to convert.",
    reference: "HRS 1.0, 3.1.1.4",
    parameters: [seconds],
    examples: [
      .finds(
        "60 bpm with 1000, 75 bpm with 800",
        [
          .repeated(["10 3c e8 03"], times: 50),
          .repeated(["10 4b 20 03", "10 4b 20 03", "10 4b 20 03 20 03", "10 4b 20 03"], times: 15),
        ]
      ),
      .quiet("60 bpm with 1024", [.repeated(["10 3c 00 04"], times: 120)]),
      .finds(
        "120 bpm with 500 for half a minute", [.repeated(["10 78 f4 01 f4 01"], times: 33)]),
      .quiet("too short to tell", [.repeated(["10 3c e8 03"], times: 20)]),
      .quiet("a slow heart, of which a beat more or less would tell as much", [.repeated(["10 3c e8 03"], times: 33)]),
    ])
  static let blocks: BlockWish = .apart
  private let least: Double
  private var elapsed = 0.0
  private var intervals = 0.0
  private var expected = 0.0
  private var beats = 0
  private var rates = 0
  /// Blocks, and those of them that fit.
  private var blocks = (all: 0, fitting: 0)
  private var first: Moment?
  private var last: Moment?

  init(_ settings: RuleSettings) {
    least = settings.value(Self.seconds, of: Self.self)
  }

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    guard block.isWhole, block.intervals >= 5, let rate = block.meanRate, block.rateMost - block.rateLeast <= 8 else {
      return
    }
    let mean = Double(block.intervalSum) / Double(block.intervals)
    guard Double(block.intervalMost) < 1.6 * mean, Double(block.intervalLeast) > 0.5 * mean else { return }
    elapsed += block.covered
    intervals += block.intervalSeconds
    beats += block.intervals
    rates += block.rates
    let due = Double(block.intervals) * 60 / rate
    expected += due
    blocks.all += 1
    if (0.956...0.996).contains(block.intervalSeconds / due) { blocks.fitting += 1 }
    if first == nil { first = Moment(frame: block.first.frame, time: block.first.time, member: scene.moment.member) }
    last = Moment(frame: block.last.frame, time: block.last.time, member: scene.moment.member)
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard elapsed >= least, fitsRate, fitsTime else { return }
    let message =
      "over \(CaptureAnalysis.seconds(elapsed)) the RR-Intervals come to \(number(intervals / expected, decimals: 3)) of what "
      + "the heart rates make: 1000/1024, as if they were milliseconds"
    scene.report(Self.self, message, from: first, to: last)
  }

  /// In milliseconds, they come to 1000/1024 of what the rates make: most of the time, not in the mean of this and that,
  /// and all the time if that is short.
  private var fitsRate: Bool {
    let part = intervals / expected
    guard elapsed < 45 else { return (0.965...0.987).contains(part) && blocks.fitting * 2 >= blocks.all }
    return (0.969...0.984).contains(part) && blocks.fitting == blocks.all && rates >= 20
  }

  /// And of the time that went by. A beat more or less at its ends must not tell as much.
  private var fitsTime: Bool {
    let (part, beat) = (intervals / elapsed, intervals / Double(beats) / elapsed)
    return 24.0 / 1024 >= 0.9 * beat && abs(part - 1000.0 / 1024) < 0.004 + 0.6 * beat && part < 0.994 - 0.3 * beat
  }
}

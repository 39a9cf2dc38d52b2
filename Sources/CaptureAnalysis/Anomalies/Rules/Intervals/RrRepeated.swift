import BluetoothHost
import CaptureFiles
import GATTKit

/// Intervals that come a second time.
struct RrRepeated: AnomalyRule {
  static let about = RuleDescription(
    "rr-repeated", .warning,
    finds:
      "Two or more RR-Intervals that were sent before come again in the next notification, or one value stands alone "
      + "in four notifications in a row.",
    matters: "Beats count twice: variability becomes too small, and time runs ahead.",
    advice: "The sensor's maker has to take intervals out of its queue once they are sent.",
    reference: "HRS 1.0, 3.1.1.4",
    explainedBy: ["notification-repeated", "rr-fill-value"],
    examples: [
      .finds(
        "the last two come again, and those are told together",
        [
          .repeated(["10 78 00 02 02 02", "10 78 fe 01 04 02", "10 78 f8 01 06 02"], times: 3),
          .values(["10 78 00 02 10 02", "10 78 00 02 10 02 08 02 f0 01"]),
          .repeated(["10 78 fc 01 02 02", "10 78 fe 01 04 02"], times: 3),
        ]),
      .finds(
        "one value alone, five times",
        [.values(["10 3c 00 04", "10 3c 08 04"]), .repeated(["10 3c 04 04"], times: 5), .values(["10 3c 00 04"])]),
      .quiet(
        "computed from a rate that stays for a while",
        [.repeated(["10 3c 00 04"], times: 12), .repeated(["10 3e df 03", "10 3f cf 03"], times: 10)]),
      .quiet("two equal beats", [.values(["10 3c 00 04", "10 3c 00 04", "10 3c 08 04", "10 3c 08 04"])]),
      .quiet(
        "an overlap by chance, in time",
        [
          .repeated(["10 78 00 02 02 02", "10 78 fe 01 04 02", "10 78 f8 01 06 02"], times: 3),
          .values(["10 78 00 02 00 02", "10 78 00 02 00 02", "10 78 02 02 fe 01"]),
        ]),
    ])
  static let traits: MeasurementTraits = .repeatedIntervals
  static let wantsBlocks = true
  private static let mostRuns = 200
  private var repeats: MeasurementRun?
  private var repeatedIntervals = 0
  private var same: MeasurementRun?
  /// Runs of one value, told at the end: where intervals are computed from the rate, they are no beats that come twice.
  private var alone: [(run: MeasurementRun, interval: UInt16)] = []
  private var synthesised = SynthesisedShare()

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard !measurement.traits.contains(.malformed) else { return endSame(&scene) }
    noteSame(measurement, &scene)
    let balance = scene.series.balance
    guard balance.isSettled, measurement.traits.contains(.repeatedIntervals) else { return }
    let overlap = Self.overlap(scene.series.previousIntervals, scene.series.intervals)
    guard overlap >= 2 else { return }
    let length = Double(scene.series.intervals.prefix(overlap).reduce(0) { $0 &+ Int($1) }) / 1024
    // Beats that come twice take no time.
    guard balance.excess > 0.6 * length else { return }
    repeats.extend(to: scene.moment)
    repeatedIntervals += overlap
  }

  /// How many of the first intervals are the last of those before.
  private static func overlap(_ before: ContiguousArray<UInt16>, _ now: ContiguousArray<UInt16>) -> Int {
    var length = min(before.count, now.count)
    while length > 0 {
      if before.suffix(length).elementsEqual(now.prefix(length)) { return length }
      length -= 1
    }
    return 0
  }

  private mutating func noteSame(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    let (before, now) = (scene.series.previousIntervals, scene.series.intervals)
    guard now.count == 1, before.count == 1, now[0] == before[0], let previous = scene.series.previous else {
      return endSame(&scene)
    }
    if same == nil {
      same = MeasurementRun(Moment(frame: previous.frame, time: previous.time, member: scene.moment.member))
    }
    same.extend(to: scene.moment)
  }

  private mutating func endSame(_ scene: inout RuleScene) {
    guard let run = same.end(), run.count >= 4, let interval = scene.series.previousIntervals.first else { return }
    keep(run, interval)
  }

  private mutating func keep(_ run: MeasurementRun, _ interval: UInt16) {
    if alone.count < Self.mostRuns { alone.append((run, interval)) }
  }

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) { synthesised.note(block) }

  mutating func finish(_ scene: inout RuleScene) {
    if let run = same.end(), run.count >= 4, let interval = scene.series.intervals.first { keep(run, interval) }
    if !synthesised.isCertain(least: 10) {
      for (run, interval) in alone {
        let message = "\(milliseconds(interval)) ms alone in \(run.count) notifications in a row"
        scene.report(Self.self, message, from: run.first, to: run.last, count: run.count)
      }
    }
    guard let run = repeats else { return }
    let message = "\(repeatedIntervals) RR-Intervals come again in the notification behind, \(times(run.count)) in all"
    scene.report(Self.self, message, from: run.first, to: run.last, count: run.count)
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit

/// More intervals than a notification holds, and what became of the others.
struct RrOverflow: AnomalyRule {
  static let about = RuleDescription(
    "rr-overflow", .warning,
    finds:
      "A notification that is full to the ATT_MTU, whose other RR-Intervals are lost or come in an extra notification "
      + "at once.",
    matters: "Beats are missing, or an app that counts notifications sees one too many.",
    advice: "The sensor has to keep what does not fit for the next notification; a longer ATT_MTU helps.",
    reference: "HRS 1.0, 3.1.1.4",
    explainedBy: ["notification-gap"],
    examples: [
      .finds(
        "nine intervals after a gap, and the others are lost",
        [
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 4), .wait(8),
          .values([
            "10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02", "10 78 00 02 04 02", "10 78 00 02 04 02",
          ]),
        ]),
      .finds(
        "nine, and the others at once",
        [
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 4), .wait(5),
          .values(["10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02", "10 78 00 02 04 02"], every: 0.05),
          .wait(1), .values(["10 78 00 02 04 02"]),
        ]),
      .quiet(
        "nine that are all there were",
        [
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 4), .wait(3.5),
          .values([
            "10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02", "10 78 00 02 04 02", "10 78 00 02 04 02",
          ]),
        ]),
      .quiet("two", [.repeated(["10 78 00 02 04 02"], times: 10)]),
    ])
  static let traits: MeasurementTraits = .full
  private var full: (moment: Moment, gap: Double, intervals: Int, length: Double)?

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    let intervals = scene.series.intervals
    let length = Double(intervals.reduce(0) { $0 &+ Int($1) }) / 1024
    if let full, let gap = measurement.gap {
      self.full = nil
      if gap < 0.3, !intervals.isEmpty {
        let message =
          "\(full.intervals) RR-Intervals fill a notification, \(intervals.count) more follow \(Int(gap * 1000)) ms later"
        scene.report(Self.self, message, from: full.moment, to: scene.moment)
      } else if full.length + length < 0.8 * (full.gap + gap), full.gap > full.length {
        let missing = full.gap + gap - full.length - length
        let message =
          "\(full.intervals) RR-Intervals fill a notification; those of about \(seconds(missing)) more never come"
        scene.report(Self.self, message, from: full.moment, to: scene.moment)
      }
    }
    guard measurement.traits.contains(.full), !measurement.traits.contains(.malformed), intervals.count > 4,
      measurement.intervalCount == intervals.count, let gap = measurement.gap, gap < 60
    else { return }
    full = (scene.moment, gap, intervals.count, length)
  }
}

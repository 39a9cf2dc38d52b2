import BluetoothHost
import CaptureFiles
import GATTKit

/// An interval that lies between no two beats.
struct RrOutOfRange: AnomalyRule {
  static let about = RuleDescription(
    "rr-out-of-range", .warning,
    finds: "An RR-Interval shorter than 200 ms or longer than 3 s: 0, 1, 65535 and other values that fill a field.",
    matters: "Whoever computes heart rate variability without looking gets nonsense: a single 0 is enough.",
    advice: "Leave such intervals out; the sensor's maker should send none where it has none.",
    reference: "HRS 1.0, 3.1.1.4",
    explainedBy: ["contact-lost"],
    examples: [
      .finds("0 and 65535 in a row", [.values(["10 48 55 03", "10 48 00 00", "10 48 ff ff", "10 48 55 03"])]),
      .finds(
        "twice", [.values(["10 48 01 00", "10 48 55 03", "10 48 55 03", "10 48 01 00 55 03", "10 48 55 03"])], count: 2),
      .quiet("300 ms and 2 s", [.values(["10 c8 33 01", "10 1e 00 08"])]),
      .quiet("none", [.values(["00 48"])]),
    ])
  static let traits: MeasurementTraits = [.oddInterval, .behind]
  private var run: RecordSpan?
  private var odd: UInt16 = 0
  private var count = 0

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.oddInterval) else { return finish(&scene) }
    for interval in scene.series.intervals where interval < 205 || interval > 3072 {
      if count == 0 { odd = interval }
      count += 1
    }
    run.extend(to: scene.moment)
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run = run.end() else { return }
    let what = count == 1 ? "an RR-Interval of" : "\(count) RR-Intervals that lie between no two beats, the first of"
    let message = "\(what) \(milliseconds(odd)) ms (\(odd))"
    scene.report(Self.self, message, from: run.first, to: run.last, count: count)
    count = 0
  }
}

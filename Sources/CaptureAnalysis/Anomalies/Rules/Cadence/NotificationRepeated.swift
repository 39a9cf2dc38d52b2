import BluetoothHost
import CaptureFiles
import GATTKit

/// The same measurement again.
struct NotificationRepeated: AnomalyRule {
  static let about = RuleDescription(
    "notification-repeated", .info,
    finds:
      "A measurement whose octets are those of the one before, RR-Intervals included: with two intervals or more, at "
      + "once, or four times in a row.",
    matters: "A value was sent twice, and its beats count twice.",
    advice: "See whether the sensor repeats what was not acknowledged, or has nothing new to say.",
    explainedBy: ["notification-burst"],
    examples: [
      .finds("at once", [.values(["10 3c 00 04", "10 3c 00 04"], every: 0.1)]),
      .finds("two intervals", [.values(["10 78 00 02 04 02", "10 78 00 02 04 02", "10 78 02 02 06 02"])]),
      .quiet("a second later, with one interval", [.values(["10 3c 00 04", "10 3c 00 04", "10 3c 04 04"])]),
      .quiet("a rate and no interval", [.repeated(["00 48"], times: 20)]),
    ])
  static let traits: MeasurementTraits = .repeated
  private var run: MeasurementRun?
  private var isSure = false

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.repeated), measurement.traits.contains(.intervals) else { return end(&scene) }
    run.extend(to: scene.moment)
    if measurement.traits.contains(.early) || measurement.intervalCount ?? 0 >= 2 || run?.count ?? 0 >= 3 {
      isSure = true
    }
  }

  mutating func finish(_ scene: inout RuleScene) { end(&scene) }

  private mutating func end(_ scene: inout RuleScene) {
    defer { isSure = false }
    guard let run = run.end(), isSure else { return }
    let message = "the same octets as the measurement before\(run.count > 1 ? ", \(times(run.count)) in a row" : "")"
    scene.report(Self.self, message, from: run.first, to: run.last, count: run.count)
  }
}

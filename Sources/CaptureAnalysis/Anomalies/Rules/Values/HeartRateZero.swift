import BluetoothHost
import CaptureFiles
import GATTKit

/// A heart rate of 0.
struct HeartRateZero: AnomalyRule {
  static let about = RuleDescription(
    "heart-rate-zero", .warning,
    finds: "A run of heart rates of 0 after the sensor had measured one; those at the start are only worth knowing.",
    matters: "Apps record 0 beats a minute, and means and minimums are wrong.",
    advice: "0 says that there is no rate: apps should leave it out. See whether contact was lost.",
    explainedBy: ["contact-lost"],
    examples: [
      .finds("three zeros in the middle", [.values(["00 48", "00 00", "00 00", "00 00", "00 48"])]),
      .finds("at the start, which is no warning", [.values(["00 00", "00 00", "00 48"])]),
      .finds("to the end", [.values(["00 48", "00 00", "00 00"]), .disconnect(0x13)]),
      .quiet("never", [.values(["00 48", "00 47"])]),
    ])
  static let traits: MeasurementTraits = .zeroRate
  private var run: MeasurementRun?
  private var isStart = false

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.zeroRate) else { return finish(&scene) }
    if run == nil { isStart = !scene.series.hasRate }
    run.extend(to: scene.moment)
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run = run.end() else { return }
    let what = run.count == 1 ? "one heart rate of 0" : "\(run.count) heart rates of 0 in \(seconds(run.seconds))"
    let message = what + (isStart ? " before the first one above" : "")
    let severity: Severity? = isStart ? .info : nil
    scene.report(Self.self, message, severity: severity, from: run.first, to: run.last, count: run.count)
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit

/// Energy more often than it is of use.
struct EnergyEveryMeasurement: AnomalyRule {
  static let about = RuleDescription(
    "energy-every-measurement", .info,
    finds: "Energy Expended is in every measurement, where once in about ten is enough.",
    matters: "It takes two octets from the RR-Intervals of each notification, and energy from the sensor.",
    advice: "A sensor should send it about every tenth time.",
    reference: "HRS 1.0, 3.1.1.3",
    examples: [
      .finds("in each of 20", [.repeated(["08 48 10 00"], times: 20)]),
      .quiet("in every tenth", [.repeated(["00 48", "00 48", "00 48", "00 48", "08 48 10 00"], times: 6)]),
      .quiet("in each of three, which says nothing yet", [.repeated(["08 48 10 00"], times: 3)]),
    ])
  static let traits: MeasurementTraits = .energy
  private var run: RecordSpan?

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    if measurement.traits.contains(.energy) { run.extend(to: scene.moment) }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run, run.count >= 12, let last = scene.series.current, run.count == last.ordinal + 1 else { return }
    let message = "energy in each of \(run.count) measurements"
    scene.report(Self.self, message, over: run)
  }
}

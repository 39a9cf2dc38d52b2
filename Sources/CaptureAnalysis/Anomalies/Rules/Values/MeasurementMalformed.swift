import BluetoothHost
import CaptureFiles
import GATTKit

/// A value that contradicts its own flags.
struct MeasurementMalformed: AnomalyRule {
  static let about = RuleDescription(
    "measurement-malformed", .error,
    finds: "A value whose length contradicts its flags: too short, an odd octet left over, RR-Intervals announced and "
      + "not there, or there and not announced.",
    matters: "Apps drop such a value, or read something from it that was never measured.",
    advice: "Report it to the sensor's maker with the octets: flags and length must agree in every notification.",
    reference: "HRS 1.0, 3.1",
    examples: [
      .finds("an RR-Interval with one octet", [.values(["16 48 e8 03", "16 48 e8"])]),
      .finds("RR-Intervals announced, none sent", [.values(["10 48"])]),
      .finds("two octets more than announced", [.values(["00 48 e8 03"])]),
      .finds("an empty value", [.values([""])]),
      .quiet("every field that is announced", [.values(["1f 48 00 10 00 e8 03", "00 48", "16 48 e8 03 e9 03"])]),
    ])
  static let traits: MeasurementTraits = .malformed

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.malformed) else { return }
    let flags = measurement.flags.map { "flags 0x" + hexadecimal($0.rawValue) } ?? "no flags"
    scene.report(
      Self.self, "\(octets(measurement.length)) contradict the layout: \(flags) ask for \(wanted(measurement))")
  }

  private func wanted(_ measurement: ObservedMeasurement) -> String {
    guard let flags = measurement.flags else { return "at least two octets" }
    let fixed = flags.fixedLength
    return flags.contains(.rrIntervals) ? "\(fixed) octets and whole RR-Intervals of two" : "just \(octets(fixed))"
  }
}

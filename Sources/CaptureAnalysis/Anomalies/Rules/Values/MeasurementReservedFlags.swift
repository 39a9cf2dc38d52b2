import GATTKit

/// Flags that no version of the service defines.
struct MeasurementReservedFlags: AnomalyRule {
  static let about = RuleDescription(
    "measurement-reserved-flags", .warning,
    finds: "Flags whose bits 5, 6 or 7 are set, which are reserved for future use.",
    matters: "Receivers have to ignore them, and some refuse the whole value; often it is another format altogether.",
    advice: "See whether the other fields make sense; if they do, the sensor's maker has to clear the bits.",
    reference: "HRS 1.0, 3.1.1.1",
    examples: [
      .finds("one value of many", [.values(["16 48 e8 03", "f6 48 e8 03", "16 48 e8 03"])]),
      .finds("all of them, which is told once", [.repeated(["36 48 e8 03"], times: 10)]),
      .quiet("every flag that is defined", [.values(["1f 48 00 10 00 e8 03", "00 48"])]),
    ])
  static let traits: MeasurementTraits = .reservedFlags
  static let tellsWhatLasts = true
  private var run: RecordSpan?
  private var bits: UInt8 = 0

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    // What contradicts its flags is no such measurement, and another finding.
    guard measurement.traits.contains(.reservedFlags), !measurement.traits.contains(.malformed),
      let flags = measurement.flags
    else { return }
    run.extend(to: scene.moment)
    bits |= flags.intersection(.reserved).rawValue
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run else { return }
    let message = "\(times(run.count)), reserved flags are set (0x\(bits.hexadecimal))"
    scene.report(Self.self, message, over: run)
  }
}

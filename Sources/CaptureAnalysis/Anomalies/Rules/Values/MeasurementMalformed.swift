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
      .finds("four in a row", [.repeated(["16 48 e8"], times: 4), .values(["16 48 e8 03"])]),
      .quiet("every field that is announced", [.values(["1f 48 00 10 00 e8 03", "00 48", "16 48 e8 03 e9 03"])]),
    ])
  static let traits: MeasurementTraits = [.malformed, .behind]
  static let tellsWhatLasts = true

  private var run: RecordSpan?
  private var message = ""

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.malformed) else { return finish(&scene) }
    if run == nil { message = Self.message(measurement) }
    run.extend(to: scene.moment)
  }

  /// What comes again and again is told once.
  mutating func finish(_ scene: inout RuleScene) {
    guard let run = run.end() else { return }
    let more = run.count > 1 ? "; \(run.count) broken values in a row" : ""
    scene.report(Self.self, message + more, over: run)
  }

  private static func message(_ measurement: ObservedMeasurement) -> String {
    guard let flags = measurement.flags, measurement.length > 0 else {
      return "an empty value, where at least flags and a heart rate are due"
    }
    let fixed = flags.fixedLength
    let words = "flags 0x\(flags.rawValue.hexadecimal) ask for \(octets(fixed))"
    let value = "a value of \(octets(measurement.length))"
    guard flags.contains(.rrIntervals) else { return "\(value), where \(words)" }
    let others = measurement.length - fixed
    if others < 0 { return "\(value), where \(words) and RR-Intervals" }
    if others == 0 { return "\(value) without the RR-Intervals of which flags 0x\(flags.rawValue.hexadecimal) tell" }
    return "\(value), where \(words) and RR-Intervals of 2 each: 1 is left over"
  }
}

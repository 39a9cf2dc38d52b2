/// A rate that no heart has.
struct HeartRateImplausible: AnomalyRule {
  static let about = RuleDescription(
    "heart-rate-implausible", .warning,
    finds: "A heart rate of 1 to 24 or above 240 beats a minute; a run of them is told once.",
    matters: "No heart beats so: the sensor counts something else, or the value is read in the wrong format.",
    advice: "Compare with the RR-Intervals that come with it, and look at the octets.",
    examples: [
      .finds("a run above 240", [.values(["00 48", "00 fa", "00 fb", "00 fc", "00 48"])]),
      .finds("twice", [.values(["00 48", "00 05", "00 48", "00 48", "00 fa", "00 48"])], count: 2),
      .quiet("fast, and slow", [.values(["00 f0", "00 ee", "00 19", "00 1a"])]),
      .quiet("0, which says that there is none", [.values(["00 00", "00 00"])]),
      .quiet("of a value that is malformed, which is another finding", [.values(["00 48", "01 f8 30 00", "00 48"])]),
      .quiet("octets in the wrong order, which is another finding", [.values(["01 00 48"])]),
    ])
  static let traits: MeasurementTraits = [.implausibleRate, .behind]
  static let tellsWhatLasts = true
  private var run: RecordSpan?
  private var least = Int.max
  private var most = 0

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.implausibleRate), !measurement.traits.contains(.malformed),
      !measurement.isByteSwapped, let rate = measurement.rate
    else { return finish(&scene) }
    run.extend(to: scene.moment)
    (least, most) = (min(least, rate), max(most, rate))
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run = run.end() else { return }
    let rates = least == most ? "\(most)" : "\(least) to \(most)"
    let message = "\(rates) bpm" + (run.count > 1 ? " in \(run.count) measurements" : "")
    scene.report(Self.self, message, over: run)
    (least, most) = (.max, 0)
  }
}

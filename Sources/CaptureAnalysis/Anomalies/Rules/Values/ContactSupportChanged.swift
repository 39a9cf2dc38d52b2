import GATTKit

/// A sensor that can tell contact in one measurement, and in the next cannot.
struct ContactSupportChanged: AnomalyRule {
  static let about = RuleDescription(
    "contact-support-changed", .error,
    finds: "The flag that says whether the sensor can tell skin contact changes within one connection.",
    matters: "Whether a sensor can tell contact is a property of it: an app that looks once shows contact wrongly "
      + "afterwards, or never.",
    advice: "The sensor's maker has to keep the support bit as it is for a connection, and use the status bit.",
    reference: "HRS 1.0, 3.1.1.1",
    examples: [
      .finds("the support bit goes away", [.values(["16 48 e8 03", "16 48 e8 03", "10 48 e8 03", "10 48 e8 03"])]),
      .finds("it comes and goes, which is told once", [.values(["06 48", "00 48", "06 48", "00 48"])]),
      .finds("it goes away behind an empty value", [.values(["16 48 e8 03", "", "10 48 e8 03", "10 48 e8 03"])]),
      .quiet("contact is lost", [.values(["06 48", "04 48", "04 48"])]),
      .quiet("a broken value in between", [.values(["06 48", "", "06 48"])]),
    ])
  static let traits: MeasurementTraits = .supportChanged
  static let tellsWhatLasts = true
  private var changes: RecordSpan?
  /// Whether the first of them is that it is there.
  private var appears = false

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.supportChanged) else { return }
    if changes == nil { appears = measurement.contact != .unsupported }
    changes.extend(to: scene.moment)
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let changes else { return }
    let what = appears ? "appears" : "vanishes"
    let more = changes.count > 1 ? ", and changes \(times(changes.count)) in all" : ""
    let message = "the contact support bit \(what) in the middle of the connection\(more)"
    scene.report(Self.self, message, over: changes)
  }
}

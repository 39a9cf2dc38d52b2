import GATTKit

/// A heart rate of 0.
struct HeartRateZero: AnomalyRule {
  static let about = RuleDescription(
    "heart-rate-zero", .warning,
    finds:
      "A run of heart rates of 0 after the sensor had measured one; those at the start are only worth knowing, unless a "
      + "minute goes by before another one, or half a minute without any, and those without skin contact, unless it never comes.",
    matters: "Apps record 0 beats a minute, and means and minimums are wrong.",
    advice: "0 says that there is no rate: apps should leave it out. See whether contact was lost, and where it never "
      + "came, whether the sensor was worn.",
    explainedBy: ["contact-lost", "rr-vanished"],
    examples: [
      .finds("three zeros in the middle", [.values(["00 48", "00 00", "00 00", "00 00", "00 48"])]),
      .finds("at the start, which is no warning", [.values(["00 00", "00 00", "00 48"])]),
      .finds(
        "nothing else, though RR-Intervals come and contact is held",
        [.repeated(["16 00 8d 03", "16 00 9a 03"], times: 40)]),
      .finds("to the end", [.values(["00 48", "00 00", "00 00"]), .disconnect(0x13)]),
      .finds(
        "two times, with broken values between them",
        [.values(["00 48", "00 00", "00 00"]), .repeated(["01"], times: 20), .values(["00 00", "00 00", "00 48"])],
        count: 2),
      .finds("nothing else for more than a minute", [.repeated(["00 00"], times: 80)]),
      .finds("skin contact never comes: the sensor lies on the table", [.repeated(["04 00"], times: 80)]),
      .finds(
        "when it is switched on again, which is no warning",
        [
          .values(["00 48"]), .sent("12 11 00 00 00"), .received("13"), .wait(300),
          .sent("12 11 00 01 00"), .received("13"), .values(["00 00", "00 00", "00 48"]),
        ]),
      .finds(
        "at the start, a value that is broken, and then a rate, which is no warning",
        [.values(["00 00", "00 00", "01", "00 48"])]),
      .finds("nothing else for half a minute, without skin contact", [.repeated(["04 00"], times: 40)]),
      .quiet("never", [.values(["00 48", "00 47"])]),
    ])
  static let traits: MeasurementTraits = [.zeroRate, .malformed, .behind]
  static let tellsWhatLasts = true
  private var run: MeasurementRun?
  private var isStart = false
  /// Whether the sensor says each time that it has no contact, and so cannot have a rate.
  private var lacksContact = true
  /// What comes with those of the run all the same.
  private var beats = (intervals: 0, sum: 0, measurements: 0)
  private var hasContact = true

  /// How many broken values have come since the last rate of 0.
  private var broken = 0
  private static let mostBroken = 2

  /// In seconds: by then a sensor has found a rate, and if it never does, is seen not to.
  private static let longestStart = 60.0
  private static let longestWithout = 30.0

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    // A value that is broken tells nothing of it, nor do a few.
    if measurement.rate == nil, measurement.traits.contains(.malformed), broken < Self.mostBroken {
      broken += 1
      return
    }
    guard measurement.traits.contains(.zeroRate) else { return finish(&scene) }
    if run == nil { (isStart, beats, hasContact) = (!scene.series.hasRate, (0, 0, 0), true) }
    broken = 0
    if !measurement.traits.contains(.notInContact) { lacksContact = false }
    if measurement.contact != .detected { hasContact = false }
    let figures = scene.series.intervals.figures
    if !figures.isEmpty {
      beats = (beats.intervals + figures.count, beats.sum + figures.sum, beats.measurements + 1)
    }
    run.extend(in: scene.series)
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run = run.end() else { return }
    let length = scene.covered(by: run)
    let time = scene.hasTimes && length > 0 ? " in \(seconds(length))" : ""
    let what = run.count == 1 ? "one heart rate of 0" : "\(run.count) heart rates of 0\(time)"
    let isBeginning = isStart && length < (scene.series.hasRate ? Self.longestStart : Self.longestWithout)
    let isUnworn = lacksContact && isStart && !isBeginning && !scene.series.hasRate
    let start = scene.series.hasRate ? " before the first one above" : isUnworn ? ", none above" : ", and none above"
    let contact =
      isUnworn
      ? ", and skin contact never came: the sensor was probably not worn" : lacksContact ? ", without skin contact" : ""
    let message = what + (isStart ? start : "") + contact + beside(run.count)
    let severity: Severity? = isBeginning || lacksContact && !isUnworn ? .info : nil
    lacksContact = true
    scene.report(Self.self, message, severity: severity, over: run.span)
  }

  /// What tells that the heart beats, in words.
  private func beside(_ count: Int) -> String {
    guard beats.intervals >= Self.fewestIntervals, beats.measurements * 2 >= count else { return "" }
    let rate = Double(61_440 * beats.intervals) / Double(max(1, beats.sum))
    guard HeartLimits.rates.contains(Int(rate)) else { return "" }
    return ", while the RR-Intervals make \(number(rate, decimals: 0)) bpm" + (hasContact ? " and contact is held" : "")
  }

  /// Fewer may be what was left from before.
  private static let fewestIntervals = 5
}

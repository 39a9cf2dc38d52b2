import GATTKit

/// A value that contradicts its own flags.
struct MeasurementMalformed: AnomalyRule {
  static let about = RuleDescription(
    "measurement-malformed", .error,
    finds: "A value whose length contradicts its flags: too short, an odd octet left over, RR-Intervals announced and "
      + "not there, or there and not announced. Where nearly all would be right if they began an octet earlier or later, "
      + "that is said, once, and what is read from them is left.",
    matters: "Apps drop such a value, or read something from it that was never measured.",
    advice: "Report it to the sensor's maker with the octets: flags and length must agree in every notification.",
    reference: "HRS 1.0, 3.1",
    examples: [
      .finds("an RR-Interval with one octet", [.values(["16 48 e8 03", "16 48 e8"])]),
      .finds("RR-Intervals announced, none sent", [.values(["10 48"])]),
      .finds("two octets more than announced", [.values(["00 48 e8 03"])]),
      .finds("an empty value", [.values([""])]),
      .finds("flags that tell of a rate of two octets, where it takes one", [.repeated(["17 48 55 03"], times: 8)]),
      .finds("flags that tell of a rate of one octet, where it takes two", [.repeated(["16 48 00 55 03"], times: 8)]),
      .finds(
        "the flags are missing, which is told once",
        [.repeated(["48 55 03", "47 60 03", "48 49 03 3c 03", "50 03 03 09 03"], times: 6)]),
      .finds(
        "a number stands before the flags, which is told once",
        [.repeated(["01 16 48 55 03", "02 16 48 60 03", "10 16 48 49 03", "03 06 48", "04 16 49 50 03"], times: 6)]),
      .finds("four in a row", [.repeated(["16 48 e8"], times: 4), .values(["16 48 e8 03"])]),
      .finds(
        "those of a second attribute, which is told once", after: .connected,
        [
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 14 00 0d 18"), .sent("08 0e 00 14 00 03 28"),
          .received("09 07 0f 00 10 10 00 37 2a 12 00 10 13 00 37 2a"), .sent("12 11 00 01 00"), .received("13"),
        ] + .times(4, [.received("1b 10 00 00 48"), .wait(0.5), .received("1b 13 00 10 48 01"), .wait(0.5)])),
      .quiet("every field that is announced", [.values(["1f 48 00 10 00 e8 03", "00 48", "16 48 e8 03 e9 03"])]),
    ])
  static let traits: MeasurementTraits = [.malformed, .behind]
  static let tellsWhatLasts = true
  static let readsValues = false

  private var run: RecordSpan?
  private var message = ""
  /// How many of the run are right if their rate takes the other number of octets; and which number that is.
  private var otherwiseRight = (count: 0, octets: 0)
  /// How many of the run are right if they begin elsewhere.
  private var slips = 0
  /// The runs of which all are, and the first of them in words.
  private var slipped: (all: RecordSpan, message: String)?

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.malformed) else { return endRun(&scene) }
    if run == nil { (message, otherwiseRight, slips) = (measurement.contradiction, (0, 0), 0) }
    run.extend(to: scene.moment)
    if scene.series.framing.last != nil { slips += 1 }
    if let octets = Self.rateLength(of: measurement, scene.series.intervals.first) {
      otherwiseRight = (otherwiseRight.count + 1, octets)
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    endRun(&scene)
    tellSlipped(&scene)
    let beside = scene.brokenBeside
    beside.report(Self.self, &scene, often: { $0 > 1 ? "; \($0) broken values there" : "" })
  }

  /// What would be right if it began elsewhere is told of all of it together.
  private func tellSlipped(_ scene: inout RuleScene) {
    guard let (all, message) = slipped else { return }
    let series = scene.series
    guard let slip = series.framing.slip(of: series.count) else {
      // As long as more may come, it is not known.
      if !scene.goesOn {
        scene.report(Self.self, message + (all.count > 1 ? "; \(all.count) broken values" : ""), over: all)
      }
      return
    }
    let words =
      switch slip {
      case .earlier: "an octet earlier: the flags are missing"
      case .later: "an octet later: another one stands before the flags"
      }
    let share = "\(all.count) of \(series.count) values are broken, and would be right if they began \(words)"
    scene.report(Self.self, "\(message); \(share)", over: all)
  }

  /// What comes again and again is told once.
  private mutating func endRun(_ scene: inout RuleScene) {
    guard let run = run.end() else { return }
    if slips == run.count {
      if slipped?.all.extend(by: run) == nil { slipped = (run, message) }
      return
    }
    let more = run.count > 1 ? "; \(run.count) broken values in a row" : ""
    let isOfFlags = run.count >= Self.fewest && otherwiseRight.count * 10 >= run.count * 9
    let cause =
      isOfFlags ? ", all right if the rate takes \(octets(otherwiseRight.octets)): bit 0 of the flags is wrong" : ""
    scene.report(Self.self, message + more + cause, over: run)
  }

  /// Fewer may fit by chance.
  private static let fewest = 3

  /// How many octets the rate must take so that a value fits its flags but for the bit that tells that; nil if that is not
  /// so, or not known. Of what is read by the flags something is none: a rate above 255, or the first RR-Interval.
  /// - Parameter interval: The first RR-Interval, as the flags have it.
  private static func rateLength(of measurement: ObservedMeasurement, _ interval: UInt16?) -> Int? {
    guard let flags = measurement.flags, let rate = measurement.rate, HeartLimits.rates.contains(rate & 0xFF) else {
      return nil
    }
    let left = measurement.length - flags.symmetricDifference(.uint16Format).fixedLength
    guard flags.contains(.rrIntervals) ? left > 0 && left.isMultiple(of: 2) : left == 0 else { return nil }
    if flags.contains(.uint16Format) { return rate > 0xFF ? 1 : nil }
    // What is read as the low octet of the first one is the high one of the rate.
    guard let interval, interval & 0xFF == 0, !flags.contains(.energyExpended) else { return nil }
    return HeartLimits.intervals.contains(Int(interval)) ? nil : 2
  }
}

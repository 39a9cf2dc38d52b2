import CaptureFiles

/// Intervals were there, and come no more.
struct RrVanished: AnomalyRule {
  static let seconds = RuleParameter("seconds", 10, in: 3...3600, "how long they must be gone, in seconds")

  static let about = RuleDescription(
    "rr-vanished", .warning,
    finds:
      "RR-Intervals were sent, and then none for more than ten seconds while measurements go on with a heart rate. "
      + "Only mentioned, and once, where that happened three times or more, always at higher rates than any beside "
      + "which there were intervals, from 120 bpm on: there are sensors that send none then.",
    matters: "The sensor has lost the beats and goes on with an old or an averaged rate.",
    advice:
      "See whether contact was lost; leave the stretch out of variability. A sensor that sends none above a rate is no "
      + "sensor for variability in training.",
    explainedBy: ["contact-lost"],
    parameters: [seconds],
    examples: [
      .finds(
        "for 20 s", [.repeated(["10 48 55 03"], times: 10), .repeated(["00 48"], times: 20), .values(["10 48 55 03"])]),
      .finds(
        "to the end", [.repeated(["10 48 55 03"], times: 10), .repeated(["00 48"], times: 20), .disconnect(0x13)]),
      .finds(
        "above 150 bpm only, three times, which is told once, and only mentioned",
        .times(3, [.repeated(["10 8c ac 01"], times: 60), .repeated(["00 a0"], times: 60)])),
      .finds(
        "above 150 bpm only, twice",
        .times(2, [.repeated(["10 8c ac 01"], times: 60), .repeated(["00 a0"], times: 60)]),
        count: 2),
      .finds(
        "above 150 bpm three times, and then there are intervals at such a rate",
        .times(3, [.repeated(["10 8c ac 01"], times: 60), .repeated(["00 a0"], times: 60)])
          + [.repeated(["10 a5 74 01 74 01 74 01", "10 a5 74 01 74 01", "10 a5 74 01 74 01 74 01"], times: 20)],
        count: 3),
      .quiet(
        "for five seconds",
        [.repeated(["10 48 55 03"], times: 10), .repeated(["00 48"], times: 5), .values(["10 48 55 03"])]),
      .quiet(
        "two, with a silence between them",
        [
          .repeated(["10 48 55 03"], times: 10), .values(["00 48"]), .wait(20), .values(["00 48"]),
          .repeated(["10 48 55 03"], times: 10),
        ]),
      .quiet("a sensor that sends none", [.repeated(["00 48"], times: 40)]),
      .quiet(
        "contact was lost, which is another finding",
        [.repeated(["16 48 55 03"], times: 10), .repeated(["04 48"], times: 20)]),
      .finds(
        "for 25 s, in one of which contact was lost",
        [
          .repeated(["16 48 55 03"], times: 10), .repeated(["06 48"], times: 12), .values(["04 48"]),
          .repeated(["06 48"], times: 12), .values(["16 48 55 03"]),
        ]),
      .quiet(
        "for 25 s, in most of which contact was lost",
        [
          .repeated(["16 48 55 03"], times: 10), .repeated(["04 48"], times: 18), .repeated(["06 48"], times: 7),
          .values(["16 48 55 03"]),
        ]),
      .quiet(
        "for 14 s, in six of which contact was lost",
        [
          .repeated(["16 48 55 03"], times: 10), .repeated(["04 48"], times: 6), .repeated(["06 48"], times: 8),
          .values(["16 48 55 03"]),
        ]),
      .quiet(
        "a sensor that sends none, but in one value, which is broken",
        [.repeated(["00 48"], times: 10), .values(["10 48 55 03 01"]), .repeated(["00 48"], times: 20)]),
      .finds(
        "for 30 s, and then there is no rate for a minute",
        [
          .repeated(["10 48 55 03"], times: 10), .repeated(["00 48"], times: 30), .repeated(["00 00"], times: 60),
          .values(["10 48 55 03"]),
        ]),
      .quiet(
        "for 15 s, and then contact is gone for a minute: a strap is taken off",
        [
          .repeated(["16 48 55 03"], times: 10), .repeated(["06 48"], times: 15), .repeated(["04 48"], times: 60),
          .disconnect(0x13),
        ]),
      .quiet("there is no rate either", [.repeated(["10 48 55 03"], times: 10), .repeated(["00 00"], times: 20)]),
    ])
  static let blocks: BlockWish = .apart
  static let traits: MeasurementTraits = [.intervalsReturn, .notInContact, .zeroRate, .malformed]
  static let tellsWhatLasts = true
  private let seconds: Double
  /// Of the last run of measurements without intervals, those without contact, or a rate: there were no beats to be sent.
  private var beatless = (start: -1, count: 0, first: ObservedMeasurement.none, before: Moment.none)

  /// What may be a sensor that sends no intervals above a rate.
  private var high = HighRates()

  init(_ settings: RuleSettings) {
    seconds = settings.value(Self.seconds, of: Self.self)
  }

  /// The last value that was broken: what it says of intervals may be what broke it.
  private var broken = Moment.none

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    if measurement.traits.contains(.malformed) { broken = measurement.moment }
    if measurement.traits.contains(.intervalsReturn), let last = scene.series.previous { end(last, &scene) }
    guard !measurement.traits.isDisjoint(with: [.notInContact, .zeroRate, .malformed]) else { return }
    let start = scene.series.presence.absence.ordinal
    if beatless.start == start {
      beatless.count += 1
    } else {
      beatless = (start, 1, measurement, scene.series.previous?.moment ?? .none)
    }
  }

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    high.note(block)
    tellRefuted(&scene)
  }

  mutating func finish(_ scene: inout RuleScene) {
    if let last = scene.series.current, last.intervalCount == 0 { end(last, &scene) }
    guard !scene.goesOn, let first = high.gaps.first, let last = high.gaps.last else { return }
    guard high.areProven else {
      high.refute()
      return tellRefuted(&scene)
    }
    let length = high.gaps.reduce(0) { $0 + $1.length }
    scene.report(
      Self.self,
      "no RR-Intervals whenever the rate was above \(high.most) bpm: \(times(high.gaps.count)), "
        + "\(CaptureAnalysis.seconds(length)) together",
      severity: .info, from: first.first, to: last.last, count: high.gaps.count)
  }

  private mutating func tellRefuted(_ scene: inout RuleScene) {
    for gap in high.takeRefuted() { report(gap.length, gap.count, "", from: gap.first, to: gap.last, &scene) }
  }

  private mutating func end(_ last: ObservedMeasurement, _ scene: inout RuleScene) {
    let start = scene.series.presence.absence
    guard start.ordinal >= 5, scene.series.presence.lastBefore != broken else { return }
    let whole = scene.seconds(from: start.first, to: last.moment)
    let count = last.ordinal - start.ordinal + 1
    let beating = beatless.start == start.ordinal ? count - beatless.count : count
    // Where most had no beats to send, that is another finding; what came before those may be one still.
    guard beating * 2 > count else { return endLead(start, &scene) }
    let length = scene.covered(whole, by: count)
    guard (beating == count ? length : length * Double(beating) / Double(count)) > seconds else { return }
    let gap = Gap(first: start.first, last: last.moment, count: count, length: length)
    if beating == count, high.keeps(gap) { return }
    high.refute()
    tellRefuted(&scene)
    let those = beating == count ? "" : ", \(beating) of them with a heart rate"
    report(length, count, those, from: start.first, to: last.moment, &scene)
  }

  /// What came between the last intervals and the time without beats.
  private func endLead(_ start: (first: Moment, ordinal: Int), _ scene: inout RuleScene) {
    let count = beatless.first.ordinal - start.ordinal
    let length = scene.covered(scene.seconds(from: start.first, to: beatless.first.moment), by: count)
    guard length > max(seconds, Self.longestHold) else { return }
    report(length, count, ", before there were no beats to send", from: start.first, to: beatless.before, &scene)
  }

  /// In seconds: for so long a strap that is taken off may hold the last rate.
  private static let longestHold = 20.0

  private func report(
    _ length: Double, _ count: Int, _ those: String, from first: Moment, to last: Moment, _ scene: inout RuleScene
  ) {
    let message = "no RR-Intervals for \(CaptureAnalysis.seconds(length)), in \(count) measurements\(those)"
    scene.report(Self.self, message, from: first, to: last, count: count)
  }
}

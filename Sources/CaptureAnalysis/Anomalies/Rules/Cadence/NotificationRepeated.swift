import BluetoothHost
import CaptureFiles
import GATTKit

/// The same measurement again.
struct NotificationRepeated: AnomalyRule {
  static let about = RuleDescription(
    "notification-repeated", .info,
    finds:
      "A measurement whose octets are those of the one before, RR-Intervals included: at once; or with two intervals or "
      + "more, or four times in a row, where the heart is not so steady that chance does it. Without RR-Intervals only "
      + "one that comes alone and at once counts.",
    matters: "A value was sent twice, and its beats count twice.",
    advice: "See whether the sensor repeats what was not acknowledged, or has nothing new to say.",
    explainedBy: ["notification-burst"],
    examples: [
      .finds("at once", [.values(["10 3c 00 04", "10 3c 00 04"], every: 0.1)]),
      .finds("two intervals", [.values(["10 78 00 02 04 02", "10 78 00 02 04 02", "10 78 02 02 06 02"])]),
      .quiet(
        "a heart so steady that lists come again by chance",
        [.repeated(["10 78 00 02 02 02", "10 78 00 02 02 02", "10 78 02 02 00 02", "10 78 00 02 00 02"], times: 15)]),
      .quiet("a second later, with one interval", [.values(["10 3c 00 04", "10 3c 00 04", "10 3c 04 04"])]),
      .finds(
        "a rate, at once",
        [.repeated(["00 48"], times: 10), .values(["00 49", "00 49"], every: 0.02), .repeated(["00 48"], times: 10)]),
      .quiet(
        "two of those that were held back are equal by chance",
        [
          .repeated(["10 3c 00 04", "10 3c 05 04"], times: 10), .wait(4),
          .values(["10 3c 00 04", "10 3c 04 04", "10 3c 04 04", "10 3c 09 04"], every: 0.01), .wait(1),
          .values(["10 3c 00 04"]),
        ]),
      .quiet(
        "a notification for each beat of a fast and steady heart",
        [.repeated(["10 d2 24 01", "10 d2 24 01", "10 d2 23 01", "10 d2 25 01"], times: 20, every: 0.285)]),
      .finds(
        "each twice",
        Array(
          repeating: [.wait(0.9), .values(["10 3c 00 04", "10 3c 00 04"], every: 0.02)]
            + [.wait(0.9), .values(["10 3c 05 04", "10 3c 05 04"], every: 0.02)], count: 10
        ).flatMap { $0 }, count: 20),
      .quiet("a rate and no interval", [.repeated(["00 48"], times: 20)]),
      .quiet(
        "what was held back, at once",
        [.repeated(["00 48"], times: 10), .wait(4), .repeated(["00 48"], times: 5, every: 0.02), .values(["00 48"])]),
      .quiet(
        "two by two, as an interval of 2 s brings them",
        [.event(0x3E, "03 00 40 00 40 06 00 00 58 02")]
          + Array(repeating: [.wait(1.98), .values(["00 48", "00 48"], every: 0.01)], count: 20).flatMap { $0 }),
    ])
  static let traits: MeasurementTraits = [.repeated, .repeatedIntervals, .behind]
  private static let mostUnsure = 200
  private var run: RecordSpan?
  private var isSure = false
  /// How many came again at once.
  private var againAtOnce = 0
  /// Whether it is more than one interval that comes again once.
  private var isNotable = false
  /// How much the run surprises.
  private var surprise = 0.0
  /// Runs that may be chance, judged at the end: then it is known how many measurements there were for it.
  private var unsure: [(run: RecordSpan, surprise: Double)] = []
  private var chance = Coincidences()

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    if measurement.traits.contains(.repeatedIntervals),
      scene.series.intervals.first == scene.series.previousIntervals.last
    {
      chance.noteEqual(measurement.ordinal)
    }
    guard measurement.traits.contains(.repeated),
      measurement.traits.contains(.intervals) || isAlone(measurement, scene.series, scene.parameters)
    else { return end(&scene) }
    run.extend(to: scene.moment)
    let count = measurement.intervalCount ?? 0
    surprise += chance.surprise(of: count, at: measurement.ordinal)
    if measurement.traits.contains(.early), isSentAgain(measurement, scene.series) { isSure = true }
    if count >= 2 || run?.count ?? 0 >= 3 { isNotable = true }
  }

  /// Whether what comes again at once was sent twice: not if its beats may have been since the one before, as where a
  /// notification is sent for each beat. Those that were held back, or wait for the same connection event, were taken one
  /// after another: chance makes two of them equal as easily as any; if most are, it does not.
  private mutating func isSentAgain(_ measurement: ObservedMeasurement, _ series: MeasurementSeries) -> Bool {
    let beats = series.intervals.figures
    if !beats.isEmpty, measurement.sinceLast > 0.5 * beats.seconds { return false }
    againAtOnce &+= 1
    if measurement.traits.contains(.heldBack) { return false }
    return !series.comeTogether || againAtOnce &* 2 >= series.periods.atOnce
  }

  /// Whether one without intervals comes neither with others, as those do that were held back or waited for a long
  /// connection interval, nor from a sensor that notifies as often.
  private func isAlone(
    _ measurement: ObservedMeasurement, _ series: MeasurementSeries, _ parameters: ConnectionParameters?
  ) -> Bool {
    guard let gap = measurement.gap, let previous = series.previous, let period = series.usualPeriod else {
      return false
    }
    let interval = parameters.map { $0.intervalMilliseconds / 1000 } ?? 0
    return previous.traits.isDisjoint(with: [.late, .early, .first]) && gap < 0.3 * period && interval < 0.3 * period
  }

  mutating func finish(_ scene: inout RuleScene) {
    end(&scene)
    let measurements = (scene.series.current?.ordinal ?? 0) + 1
    for (run, surprise) in unsure where Coincidences.isUnlikely(surprise, in: measurements) { report(run, &scene) }
  }

  private mutating func end(_ scene: inout RuleScene) {
    guard let run = run.end() else { return }
    if isSure {
      report(run, &scene)
    } else if isNotable, unsure.count < Self.mostUnsure {
      unsure.append((run, surprise))
    }
    (isSure, isNotable, surprise) = (false, false, 0)
  }

  private func report(_ run: RecordSpan, _ scene: inout RuleScene) {
    let message = "the same octets as the measurement before\(run.count > 1 ? ", \(times(run.count)) in a row" : "")"
    scene.report(Self.self, message, over: run)
  }
}

import BluetoothHost
import CaptureFiles

/// The same measurement again.
struct NotificationRepeated: AnomalyRule {
  static let about = RuleDescription(
    "notification-repeated", .info,
    finds:
      "A measurement whose octets are those of the one before, RR-Intervals included: at once; or with two intervals or "
      + "more, or four times in a row, where the heart is not so steady that chance does it. Without RR-Intervals only "
      + "one that comes alone and at once counts; or where most come so, and the rate never moves between such two. All "
      + "of a connection are one finding.",
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
      .quiet(
        "the same, of which two wait for a connection event now and then, and are equal by chance",
        [.event(0x3E, "03 00 40 00 90 01 00 00 58 02")]
          + .times(
            3,
            [["10 89 bf 01", "10 89 bf 01"], ["10 89 bf 01", "10 89 be 01"]].flatMap {
              [
                .repeated(["10 89 bf 01", "10 89 bf 01", "10 89 c0 01", "10 89 be 01"], times: 2, every: 0.5),
                .values($0, every: 0.001), .wait(0.498),
              ]
            })),
      .quiet(
        "a pacemaker, of which many beats in a row are equal",
        [
          .repeated(["10 3c 00 04", "10 3c ff 03", "10 3c 01 04"], times: 10), .repeated(["10 3c 00 04"], times: 30),
          .repeated(["10 3c 01 04", "10 3c 02 04", "10 3c ff 03"], times: 10),
        ]),
      .quiet(
        "one interval, and zeros that fill the value up",
        [
          .repeated(["10 3c 00 04 00 00 00 00", "10 3c 20 04 00 00 00 00", "10 3c f0 03 00 00 00 00"], times: 10),
          .values(["10 3c f0 03 00 00 00 00"]),
        ]),
      .finds(
        "each twice",
        .times(
          10,
          [
            .wait(0.9), .values(["10 3c 00 04", "10 3c 00 04"], every: 0.02), .wait(0.9),
            .values(["10 3c 05 04", "10 3c 05 04"], every: 0.02),
          ])),
      .finds(
        "each twice, a rate that moves",
        ["48", "49", "4b", "4a", "49", "49", "4a", "4c", "4d", "4c"].flatMap {
          [.values(["00 \($0)", "00 \($0)"], every: 0.02), .wait(0.98)]
        }),
      .finds(
        "each twice, of a sensor that measures every four seconds",
        ["48", "49", "4b", "4a", "49", "49", "4a", "4c", "4d", "4c"].flatMap {
          [.wait(3.98), .values(["00 \($0)", "00 \($0)"], every: 0.02)]
        }),
      .quiet(
        "two by two, as a latency brings them, of a rate that moves now and then",
        [.event(0x3E, "03 00 40 00 c8 00 07 00 58 02")]
          + ["48 48", "48 49", "49 49", "49 49", "49 48", "48 48", "48 48", "48 47", "47 47", "47 47"].flatMap { pair in
            [.wait(1.98), .values(pair.split(separator: " ").map { "00 \($0)" }, every: 0.02)]
          }),
      .quiet("a rate and no interval", [.repeated(["00 48"], times: 20)]),
      .quiet(
        "what was held back, at once",
        [.repeated(["00 48"], times: 10), .wait(4), .repeated(["00 48"], times: 5, every: 0.02), .values(["00 48"])]),
      .quiet(
        "two by two, as an interval of 2 s brings them",
        [.event(0x3E, "03 00 40 00 40 06 00 00 58 02")]
          + .times(20, [.wait(1.98), .values(["00 48", "00 48"], every: 0.01)])),
    ])
  static let traits: MeasurementTraits = [.repeated, .repeatedIntervals, .behind]
  static let blocks: BlockWish = .apart
  private static let mostUnsure = 200
  private var run: RecordSpan?
  private var isSure = false
  /// How many came again at once.
  private var againAtOnce = 0
  /// Whether one of the run waited with the one before, as it may be: then coming at once says little.
  private var isTogether = false
  /// The runs of such, and how many they are.
  private var together: RecordSpan?
  private var togetherRuns = 0
  /// Whether it is more than one interval that comes again once.
  private var isNotable = false
  /// How much the run surprises.
  private var surprise = 0.0
  /// How long the run's intervals are, and the time they came in, in seconds.
  private var length = (intervals: 0.0, time: 0.0)
  /// How many came so soon that it is the log which holds them twice.
  private var logged = 0
  /// The runs that are no chance, together, and how many they are.
  private var found: RecordSpan?
  private var runs = 0
  /// Runs that may be chance, judged at the end: then it is known how many measurements there were for it.
  private var unsure: [(run: RecordSpan, surprise: Double, isTogether: Bool)] = []
  private var chance = Coincidences()
  /// How often an interval was that of the measurement before, which did not come at once.
  private var equalsApart = 0
  private var few = FewValues()
  private var pairs = RepeatedPairs()

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    if measurement.traits.contains(.repeatedIntervals),
      scene.series.intervals.first == scene.series.previousIntervals.last
    {
      chance.noteEqual(measurement.ordinal)
      if !measurement.traits.contains(.early) { equalsApart &+= 1 }
    }
    pairs.note(measurement, scene)
    guard measurement.traits.contains(.repeated),
      measurement.traits.contains(.intervals) || isAlone(measurement, scene.series, scene.parameters)
    else { return end(ofSteadyHeart: isOfSteadyHeart(scene.series)) }
    run.extend(to: scene.moment)
    if scene.hasTimes, (0..<Self.mostOfLog).contains(measurement.sinceLast) { logged &+= 1 }
    length.intervals += scene.series.intervals.figures.seconds
    length.time += max(0, measurement.sinceLast)
    // Zeros that fill a value up come again with any.
    let count = scene.series.intervals.count { HeartLimits.intervals.contains(Int($0)) }
    surprise += chance.surprise(of: count, at: measurement.ordinal)
    few.noteAgain(scene.series.intervals)
    if measurement.traits.contains(.early), scene.hasTimes { noteEarly(measurement, scene) }
    if count >= 2 || run?.count ?? 0 >= 3 { isNotable = true }
  }

  /// What comes again at once was sent twice: not if its beats may have been since the one before, as where a notification
  /// is sent for each beat. Those that were held back, or wait for the same connection event, were taken one after another:
  /// chance makes two of them equal as easily as any; if most are, it does not.
  private mutating func noteEarly(_ measurement: ObservedMeasurement, _ scene: RuleScene) {
    let beats = scene.series.intervals.figures
    if beats.isEmpty {
      againAtOnce &+= 1
      if !scene.series.comeTogether || againAtOnce &* 2 >= scene.series.periods.atOnce { isSure = true }
    } else if measurement.sinceLast <= 0.5 * beats.seconds, !measurement.traits.contains(.heldBack) {
      // Where there are no intervals, it is known that the one before was not held back.
      let mayWait = scene.series.comeTogether || beats.seconds <= measurement.sinceLast + (scene.longestWait ?? 0)
      if mayWait { isTogether = true } else { isSure = true }
    }
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
    return previous.traits.isDisjoint(with: [.early, .first]) && previous.sinceLast < max(2, 1.5 * period)
      && gap < 0.3 * period && interval < 0.3 * period
  }

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) { few.note(block) }

  /// In seconds: in this no host hears of two packets, one after the other, each time.
  private static let mostOfLog = 0.0001

  /// Whether intervals that come one by one, each in its time, go on within a unit or two, as where a pacemaker beats: what
  /// comes again is the next beat.
  private func isOfSteadyHeart(_ series: MeasurementSeries) -> Bool {
    let (before, now) = (series.previousIntervals, series.intervals)
    guard before.count == 1, now.count == 1, abs(Int(before[0]) - Int(now[0])) <= 2 else { return false }
    return abs(length.intervals - length.time) < 0.01 * length.time + Self.jitter
  }

  /// What notifications come sooner or later, in seconds.
  private static let jitter = 0.1

  mutating func finish(_ scene: inout RuleScene) {
    end(ofSteadyHeart: false)
    let measurements = scene.series.count
    let areSentAgain = areSentAgain(scene.series)
    if areSentAgain, let together {
      found.extend(by: together)
      runs += togetherRuns
    }
    if !few.areAll(with: scene.series.rest) {
      for (run, surprise, isTogether) in unsure
      where !(isTogether && areSentAgain) && Coincidences.isUnlikely(surprise, in: measurements) { add(run) }
    }
    if let pairs = pairs.unlikely(in: scene.series), pairs.count > found?.count ?? 0 {
      (found, runs) = (pairs, pairs.count)
    }
    guard let found else { return }
    let again = found.count
    let message =
      if again == 1 {
        "a measurement has the same octets as the one before"
      } else if runs == 1 {
        "\(again) measurements in a row have the same octets as the one before"
      } else {
        "\(again) of \(measurements) measurements have the same octets as the one before: "
          + fate(areAll: again * 9 >= (measurements - again) * 8, again)
      }
    scene.report(Self.self, message, over: found)
  }

  private func fate(areAll: Bool, _ again: Int) -> String {
    if areAll, logged * 20 >= again * 19 { return "the log holds each twice, within 0.1 ms" }
    return areAll ? "each is sent twice" : "they are sent twice"
  }

  private mutating func end(ofSteadyHeart isOfSteadyHeart: Bool) {
    guard let run = run.end() else { return }
    if isSure {
      add(run)
    } else if !isOfSteadyHeart || isTogether {
      if isTogether {
        together.extend(by: run)
        togetherRuns += 1
      }
      if isNotable, unsure.count < Self.mostUnsure { unsure.append((run, surprise, isTogether)) }
    }
    (isSure, isTogether, isNotable, surprise, length) = (false, false, false, 0, (0, 0))
  }

  /// Whether so many of those that came together are equal that chance hardly does it: it makes them so as often as any two
  /// neighbours that did not.
  private func areSentAgain(_ series: MeasurementSeries) -> Bool {
    guard let again = together?.count else { return false }
    let early = series.periods.count - series.periods.count(above: MeasurementSeries.early)
    guard again * 2 >= early else { return false }
    return Coincidences.isUnlikely(again, of: early, whereEqual: equalsApart, of: series.periods.count - early)
  }

  private mutating func add(_ run: RecordSpan) {
    found.extend(by: run)
    runs += 1
  }
}

/// Measurements without RR-Intervals that come again at once, where most do: whether they are sent twice, or are two that
/// were taken one after another and waited for the same connection event.
private struct RepeatedPairs {
  private var again: RecordSpan?
  /// The seconds between such two.
  private var apart = 0.0
  /// How often the next one came later than at once, and how often it was another then.
  private var nexts = 0
  private var changes = 0
  /// The longest that what was taken before may have waited, in seconds; 0 as long as there were none.
  private var longestWait = 0.0

  /// As few come at once by chance.
  private static let fewest = 5
  /// How unlikely it has to be, as a negative logarithm: a thousandth.
  private static let least = 7.0

  mutating func note(_ measurement: ObservedMeasurement, _ scene: RuleScene) {
    let isEarly = measurement.traits.contains(.early)
    if isEarly, measurement.traits.contains(.repeated), !measurement.traits.contains(.intervals) {
      again.extend(to: measurement.moment)
      apart += measurement.sinceLast
      longestWait = max(longestWait, scene.parameters?.wait(usingLatency: true) ?? .infinity)
    } else if !isEarly, again != nil, let previous = scene.series.previous {
      nexts &+= 1
      if !measurement.hasFields(of: previous) { changes &+= 1 }
    }
  }

  /// They, if they are sent twice. Of measurements taken one after another, the rate moves as often between two that come
  /// at once as between any other two.
  func unlikely(in series: MeasurementSeries) -> RecordSpan? {
    guard let again, again.count >= Self.fewest, nexts > 0 else { return nil }
    let atOnce = series.periods.count - series.periods.count(above: MeasurementSeries.early)
    // Of those that were not sent again, most were; and hardly any came at once that was another.
    guard 5 * again.count >= 3 * (series.count - again.count), again.count * 20 >= atOnce * 19 else { return nil }
    // Two that are sent at once are much closer than two that are not.
    guard let first = series.beginning, let last = series.current else { return nil }
    let between = last.time.seconds(since: first.time) - Double(series.unobserved) / 1_000_000 - apart
    let period = between / Double(series.count - again.count)
    guard apart / Double(again.count) < 0.3 * period else { return nil }
    // None have to wait for others.
    if longestWait < 0.3 * period { return again }
    let share = Double(nexts) / Double(nexts + again.count)
    return -Double(changes) * share.logarithm >= Self.least ? again : nil
  }
}

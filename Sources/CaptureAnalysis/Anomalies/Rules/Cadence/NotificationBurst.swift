/// Several measurements at once after a silence.
struct NotificationBurst: AnomalyRule {
  static let about = RuleDescription(
    "notification-burst", .warning,
    finds:
      "Two or more measurements within a connection interval after a gap; whether they are as many as the gap would "
      + "have held is said. As many as were due after a silence too short for `notification-gap` are none: a packet was "
      + "sent twice. Those that come in a rhythm of their own, slower than the link's, are only mentioned, once.",
    matters:
      "They carry the times of their arrival, not of the beats. As many as were due: they were held back, on the "
      + "air as a rule. Fewer: some are lost; of one or a fifth too few that is not sure, as no sensor keeps time exactly.",
    advice: "Look at distance, at other radios, and at how long the host's interval is. If the silence outlasts the "
      + "supervision timeout, it was not the air, or the connection would have ended: the sensor kept them, or the host "
      + "or its controller slept. Where the timeout is not in the capture, it may be either.",
    explainedBy: ["notification-gap", "interval-slower-than-measurements"],
    examples: [
      .finds(
        "four after five seconds",
        [
          .repeated(["10 3c 00 04"], times: 10), .wait(4),
          .values(["10 3c 00 04", "10 3c 02 04", "10 3c 04 04", "10 3c 06 04"], every: 0.01),
          .wait(1), .values(["10 3c 00 04"]),
        ]),
      .finds(
        "many, behind each of four silences: these are no rhythm",
        .times(
          4,
          [
            .repeated(["10 3c 00 04", "10 3c 02 04"], times: 20), .wait(24),
            .repeated(["10 3c 00 04", "10 3c 02 04"], times: 12, every: 0.0035), .wait(1),
          ]), count: 4),
      .quiet(
        "a gap, and one by one behind it",
        [.repeated(["10 3c 00 04"], times: 10), .wait(5), .repeated(["10 3c 02 04"], times: 5)]),
      .quiet(
        "two after two seconds, as one lost packet brings them at an interval of 500 ms",
        [
          .event(0x3E, "03 00 40 00 90 01 00 00 58 02"), .repeated(["10 3c 00 04"], times: 20), .wait(1),
          .values(["10 3c 04 04", "10 3c 02 04"], every: 0.002), .wait(1), .repeated(["10 3c 00 04"], times: 5),
        ]),
      .quiet(
        "two and three at a time, as a latency of 4 intervals of 500 ms brings them",
        [.event(0x3E, "03 00 40 00 90 01 04 00 58 02")] + IntervalSlowerThanMeasurements.bundles),
      .quiet("a latency that is used from some time on", IntervalSlowerThanMeasurements.laterBundles),
      .quiet("in the rhythm of a latency that is not told", after: .nothing, inRhythm),
      .finds("at once behind one silence and another", after: .nothing, withoutRhythm, count: 6),
      .quiet(
        "two by two, as an interval of 2 s brings them",
        [.repeated(["10 3c 00 04"], times: 20), .event(0x3E, "03 00 40 00 40 06 00 00 58 02")] + twoByTwo),
      .quiet(
        "the first two after the interval has become longer",
        [.repeated(["10 3c 00 04"], times: 20), .event(0x3E, "03 00 40 00 70 03 00 00 e8 03"), .wait(1.09)]
          + [.values(["10 3c 00 04", "10 3c 04 04"], every: 0.01), .wait(1.08), .repeated(["10 3c 00 04"], times: 5)]),
      .quiet(
        "the last two before it has become shorter",
        [.repeated(["10 3c 00 04"], times: 20), .event(0x3E, "03 00 40 00 40 06 00 00 58 02")] + twoByTwo
          + [.wait(1), .event(0x3E, "03 00 40 00 18 00 00 00 58 02"), .wait(0.98)]
          + [.values(["10 3c 00 04", "10 3c 04 04"], every: 0.01), .repeated(["10 3c 00 04"], times: 5)]),
      .quiet(
        "the first but one connection event is missed, of an interval of 2 s and a measurement in each",
        [
          .event(0x3E, "03 00 40 00 40 06 00 00 58 02"), .values(["00 3c"]), .wait(3),
          .values(["00 3d", "00 3c"], every: 0.002), .wait(1), .repeated(["00 3c", "00 3d"], times: 10, every: 2),
        ]),
      .quiet(
        "a notification for each beat of a heart that has become faster, and one connection event is missed",
        [
          .repeated(["10 3c 00 04"], times: 40), .event(0x3E, "03 00 40 00 20 03 00 00 58 02"),
          .repeated(["10 78 00 02"], times: 20, every: 0.5), .wait(1.5),
          .values(["10 78 00 02", "10 78 02 02", "10 78 00 02", "10 78 01 02"], every: 0.002), .wait(0.5),
          .repeated(["10 78 00 02"], times: 10, every: 0.5),
        ]),
      .quiet(
        "what did not fit into one comes behind it",
        [
          .repeated(["10 78 00 02 04 02"], times: 10), .wait(4),
          .values(["10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02", "10 78 00 02 04 02"], every: 0.05),
          .wait(1), .values(["10 78 00 02 04 02"]),
        ]),
      .quiet(
        "each of a sensor that measures every one to three seconds is sent twice", NotificationGap.irregularTwice),
      .quiet(
        "one behind ten seconds, sent twice",
        [
          .repeated(["10 3c 00 04"], times: 20), .wait(9), .values(["10 3c 05 04", "10 3c 05 04"], every: 0.01),
          .wait(0.98), .repeated(["10 3c 00 04"], times: 5),
        ]),
      .quiet(
        "two at once, once notifications are on again",
        [
          .repeated(["10 3c 00 04"], times: 20), .sent("12 11 00 00 00"), .received("13"), .wait(8),
          .sent("12 11 00 01 00"), .received("13"), .values(["10 3c 02 04", "10 3c 00 04"], every: 0.01), .wait(1),
          .repeated(["10 3c 02 04"], times: 5),
        ]),
      .finds(
        "five every five seconds, on a link that could take each at once, which is only mentioned",
        .times(10, [.wait(4.95)] + atOnce(5))),
      .quiet("every second", [.repeated(["10 3c 00 04"], times: 20)]),
    ])
  /// Four and three at a time, every 3.9 seconds, where the capture does not tell the parameters.
  static let inRhythm: [ExampleStep] =
    amid + .times(3, [4, 4, 4, 3].flatMap { count in [.wait(3.9 - Double(count) * 0.01)] + atOnce(count) })
  /// The same of real silences, each of which holds as many as were due.
  static let withoutRhythm: [ExampleStep] =
    amid + [4, 6, 3, 5, 7, 4].flatMap { count in [.wait(Double(count) * 0.99)] + atOnce(count) }
  /// The measurement is discovered in a capture that begins amid the connection, and a value comes.
  private static let amid: [ExampleStep] = [
    .sent("08 0e 00 13 00 03 28"), .received("09 07 0f 00 10 10 00 37 2a"), .values(["10 3c 00 04"], every: 0.01),
  ]
  private static func atOnce(_ count: Int) -> [ExampleStep] {
    (0..<count).map { .values(["10 3c 0\($0) 04"], every: 0.01) }
  }
  /// Ten times two measurements at once.
  static let twoByTwo: [ExampleStep] = .times(10, [.wait(1.98), .values(["10 3c 00 04", "10 3c 04 04"], every: 0.01)])
  static let traits: MeasurementTraits = [.late, .heldBack, .behind]
  static let blocks: BlockWish = .apart
  static let readsValues = false
  private let limits: NotificationGap.Limits
  /// What lies before the measurements at hand, as long as more may come at once.
  private var silence: Silence?
  private var run: RecordSpan?
  /// Whether each of the last ten seconds or so held one beat, as of a sensor that notifies each.
  private var areOfBeats = false
  /// How many silences something came at once behind, and how much.
  private var behindSilence = (silences: 0, measurements: 0)
  /// Those from before it was known how far measurements lie apart.
  private var early: [(silence: Silence, run: RecordSpan)] = []

  /// In seconds: what hosts do, as long as it is not known what this one does.
  private static let usualInterval = 0.05
  /// No measurements follow each other closer, but on the air: a connection event takes 7.5 ms.
  private static let leastPeriod = 0.0075
  private static let mostEarly = 16
  /// By how much a silence must be longer than the supervision timeout, in seconds: hosts tell times of their own.
  private static let slack = 0.5
  /// So many periods tell how long they are.
  private static let fewestPeriods = 10

  /// A silence, and the beats of what came behind it.
  private struct Silence {
    let end: Moment
    let seconds: Double
    /// How far apart measurements were taken before it; nil if that is not known.
    let period: Double?
    /// How long they may wait for a connection event; nil if that is not known.
    let wait: Double?
    let mayBeLatency: Bool
    /// The supervision timeout; nil if it is not known.
    let timeout: Double?
    /// How many have the octets of the one before them.
    var again = 0
    /// From the last measurement before it to the next one that did not come at once behind it, in seconds.
    var untilNext = 0.0
    /// The intervals in all that came behind it.
    var beats = 0
    var beatSeconds = 0.0

    /// What became of as many as were due.
    var heldBack: String {
      // Nothing tells whether the link could live through it.
      guard let timeout else { return "held back" }
      guard seconds > timeout + NotificationBurst.slack else { return "held back on the air" }
      return "held back, but not on the air (the link outlived its timeout, \(length(seconds: timeout)))"
    }
  }

  init(_ settings: RuleSettings) { limits = NotificationGap.Limits(settings) }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard silence != nil || measurement.traits.contains(.late) else { return }
    let beats = scene.series.intervals.figures
    if silence != nil, let length = measurement.gap,
      length <= max(scene.longestWait ?? Self.usualInterval, 0.02) * 1.5,
      measurement.traits.contains(.early), !isRemainder(measurement, scene)
    {
      run.extend(to: scene.moment)
      if measurement.traits.contains(.repeated) { silence?.again += 1 }
      silence?.beats += beats.count
      silence?.beatSeconds += beats.seconds
      return
    }
    end(&scene)
    guard measurement.traits.contains(.late), let length = measurement.gap, !scene.areOff else { return }
    let isKnown = scene.series.periods.count >= Self.fewestPeriods && !scene.mayHaveRhythm
    silence = Silence(
      end: scene.moment, seconds: length, period: isKnown ? scene.period(until: scene.series.previous) : nil,
      wait: scene.longestWait, mayBeLatency: scene.mayBeLatency(length),
      timeout: scene.supervisionTimeout, beats: beats.count, beatSeconds: beats.seconds)
  }

  /// A sensor that measures each second sends one beat with each as well, as long as the heart beats about once a second;
  /// or always, and leaves out others.
  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    areOfBeats =
      block.withIntervals == block.count && block.intervals == block.count
      && abs(block.intervalSeconds - block.covered) <= 0.1 * block.covered
  }

  /// Whether it holds what did not fit into the one before it: another finding.
  private func isRemainder(_ measurement: ObservedMeasurement, _ scene: RuleScene) -> Bool {
    scene.series.previous?.traits.contains(.full) == true && measurement.traits.contains(.intervals)
  }

  mutating func finish(_ scene: inout RuleScene) {
    end(&scene)
    reportRhythm(&scene)
    guard !early.isEmpty, let period = scene.period(until: scene.series.current) else { return }
    for (silence, run) in early { judge(silence, run, period, &scene) }
  }

  /// Bundles that come in a rhythm which is not the link's are no fault, but each measurement waits.
  private func reportRhythm(_ scene: inout RuleScene) {
    guard let rhythm = scene.rhythm, let wait = scene.parameters?.wait(usingLatency: true), rhythm > 2 * wait else {
      return
    }
    let (count, bundles) = (scene.series.periods.count, scene.series.periods.apart)
    // Few silences, and nothing at once but behind them, are no rhythm.
    let (silences, measurements) = behindSilence
    if silences * 10 < bundles, (count - bundles - measurements) * 2 < bundles - silences { return }
    let size = number(Double(count) / Double(bundles), decimals: 0)
    scene.report(
      Self.self,
      "about \(size) measurements at once every \(seconds(rhythm)), where the link could take one every "
        + "\(length(seconds: wait)): they are gathered before they are sent", severity: .info,
      from: scene.series.beginning,
      to: scene.series.current?.moment, count: count + 1)
  }

  private mutating func end(_ scene: inout RuleScene) {
    guard var silence else { return }
    self.silence = nil
    silence.untilNext = silence.seconds + scene.seconds(since: silence.end)
    guard let run = run.end() else { return }
    behindSilence.silences += 1
    behindSilence.measurements += run.count
    if let period = silence.period {
      judge(silence, run, period, &scene)
    } else if early.count < Self.mostEarly {
      early.append((silence, run))
    }
  }

  private func judge(_ silence: Silence, _ run: RecordSpan, _ period: Double, _ scene: inout RuleScene) {
    let length = silence.seconds
    let wait = [silence.wait, scene.rhythm].compactMap(\.self).max()
    // What was sent at once may be followed by what has to wait, with all that is measured meanwhile.
    // Where all come at once anyway, or the clock goes back, nothing tells how many were due.
    guard period >= Self.leastPeriod, length > 1.8 * period, length > 1.1 * (period + (wait ?? Self.usualInterval))
    else { return }
    let isUsual = silence.mayBeLatency || !limits.isLong(length, period: period, wait: wait ?? 0)
    // Where measurements are sent twice, those that were are one.
    let count = run.count + 1 - (scene.areSentTwice ? silence.again : 0)
    guard count > 1 else { return }
    // Of a sensor that notifies each beat, as many were due as the heart made.
    let own = areOfBeats && silence.beats == count ? silence.beatSeconds / Double(count) : period
    let due = Self.due(in: length, period: own)
    let fits = Self.fits(count, in: length, period: own)
    if fits, isUsual { return }
    // Too few, and all of them alike, are one that was sent again: none was held back.
    if !fits, count < due, silence.again == run.count { return }
    let most = Int(Self.mostDue(silence, period: own).rounded())
    // The usual period is known to a fortieth or so: it is made of connection intervals.
    let isSure = Double(count) >= (0.975 * Self.mostDue(silence, period: max(own, period))).rounded()
    let rest =
      if !fits {
        "where \(due) were due: \(due > count ? "some are lost" : "some are too many")"
      } else if isSure {
        "as many as were due: \(silence.heldBack)"
      } else {
        "where \(most) were due: \(silence.heldBack), and \(most - count == 1 ? "one" : "\(most - count)") may be lost"
      }
    let message = "\(count) measurements at once after \(seconds(length)) of silence, \(rest)"
    scene.report(Self.self, message, from: silence.end, to: run.last, count: count)
  }

  /// How many were due in a silence of so many seconds.
  private static func due(in silence: Double, period: Double) -> Int {
    Int((silence / max(period, leastPeriod)).rounded())
  }

  /// How many were due in a silence if none was late: the next one may have been due in it, too, unless it came a whole
  /// period behind it.
  private static func mostDue(_ silence: Silence, period: Double) -> Double {
    max(0, min(silence.seconds, silence.untilNext - period)) / max(period, leastPeriod)
  }

  /// Whether what came at once behind a silence is as many as were due in it.
  static func fits(_ count: Int, in silence: Double, period: Double) -> Bool {
    let due = due(in: silence, period: period)
    return abs(due - count) <= max(1, due / 5)
  }
}

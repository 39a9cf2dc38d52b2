import CaptureFiles

/// A rate that leaps as no heart's does.
struct HeartRateJump: AnomalyRule {
  static let step = RuleParameter(
    "step", 30, in: 5...250, isWhole: true, "how far apart neighbours are a jump, in beats a minute")

  static let about = RuleDescription(
    "heart-rate-jump", .warning,
    finds:
      "More than 30 beats a minute between neighbouring values, or a rate that becomes about a half, two thirds, one "
      + "and a half or twice of what it was and stays there. Where RR-Intervals that were measured leap with it, it is the "
      + "heart, unless a steady rate leaps away and back within five minutes, or to more than 200; and so it may be "
      + "where the capture did not keep them. Where the rate is a mean that follows slowly, RR-Intervals that are halved "
      + "or doubled from one beat to the next, and back again, are only mentioned: a heart can do that, too.",
    matters:
      "An optical sensor has locked onto the steps of a run, or counts beats twice or every other one; a strap takes for "
      + "beats what dry electrodes or a shirt make.",
    advice:
      "Compare with the RR-Intervals, and with a chest strap; a sensor that is worn tighter slips less, and wet electrodes "
      + "make less noise. Where the intervals leap too, and again and again, it may be the heart's rhythm.",
    explainedBy: ["contact-lost", "heart-rate-implausible", "notification-gap"],
    parameters: [step],
    examples: [
      .finds("up by 50 and back", [.values(["00 48", "00 48", "00 7a", "00 48", "00 48"])]),
      .finds("to the double, where it stays", [.repeated(["00 3c"], times: 5), .repeated(["00 78"], times: 30)]),
      .finds("from 50 to 75, where it stays", [.repeated(["00 32"], times: 5), .repeated(["00 4b"], times: 30)]),
      .finds(
        "from 50 to 75 for seventeen seconds",
        [.repeated(["00 32"], times: 12), .repeated(["00 4b"], times: 17), .repeated(["00 32"], times: 12)]),
      .quiet("from 50 to 75 for one value", [.repeated(["00 32"], times: 5), .values(["00 4b", "00 32", "00 32"])]),
      .finds(
        "to the double for half a minute, and back",
        [.repeated(["00 3c"], times: 15), .repeated(["00 78"], times: 30), .repeated(["00 3c"], times: 15)]),
      .quiet(
        "one odd value, 27 above the others",
        [.repeated(["00 31"], times: 15), .values(["00 4c"]), .repeated(["00 31"], times: 30)]),
      .quiet("a hard start", [.values(["00 48", "00 50", "00 5a", "00 66", "00 72", "00 80"])]),
      .quiet("zeros between", [.values(["00 48", "00 00", "00 90"])]),
      .quiet(
        "octets in the wrong order, which is another finding", [.values(["01 00 48", "01 00 49", "01 00 4a"])]),
      .quiet(
        "an extra beat and the pause behind it, of a sensor that tells the rate of the last beat",
        [
          .values((0..<16).map { $0 % 2 == 0 ? "10 3c 05 04" : "10 3d e8 03" }),
          .values(["10 78 04 02", "10 2c 70 05", "10 3c 05 04"]), .repeated(["10 3c 02 04"], times: 12),
        ]),
      .quiet(
        "a heart whose beats alternate, from the first one on, of a sensor that tells the rate of the last beat",
        [.values(["10 6b 3c 02", "10 3e db 03", "10 6f 29 02", "10 3e dd 03", "10 6c 38 02", "10 3c fa 03"])]),
      .quiet(
        "a heart that begins to race at once, of a sensor that tells the mean of four beats",
        [
          .values((0..<16).map { $0 % 2 == 0 ? "10 48 63 03" : "10 49 3f 03" }),
          .values(["10 67 4d 03 4f 01 47 01", "10 b8 4a 01 51 01 52 01", "10 ba 47 01 47 01 4c 01"]),
        ]),
      .finds(
        "to 133 for five seconds, and so do the intervals",
        [
          .values((0..<16).map { $0 % 2 == 0 ? "10 3c 05 04" : "10 3d e8 03" }),
          .values((0..<5).map { $0 % 2 == 0 ? "10 85 cb 01 d7 01" : "10 83 b8 01 e8 01" }),
          .values((0..<16).map { $0 % 2 == 0 ? "10 3c 05 04" : "10 3d e8 03" }),
        ]),
      .finds(
        "to 215 for a single beat, of a sensor that tells the rate of the last beat",
        [
          .values((0..<16).map { $0 % 2 == 0 ? "10 3c 05 04" : "10 3d e8 03" }),
          .values(["10 d7 1e 01", "10 3c 05 04"]), .repeated(["10 3c 02 04"], times: 12),
        ]),
      .quiet(
        "a late beat behind a second without any",
        [
          .values((0..<16).map { $0 % 2 == 0 ? "10 4b 36 03" : "10 4d 1b 03" }),
          .values(["10 4a 3f 03", "00 4a", "10 2b 95 05", "10 4a 3e 03"]), .repeated(["10 4b 36 03"], times: 12),
        ]),
      .finds(
        "to the double, with intervals that are made of the rate",
        [.repeated(["10 3c 00 04"], times: 15), .repeated(["10 78 00 02 00 02"], times: 20)]),
      .finds(
        "to the double for a while, by the intervals too: each beat counts twice",
        [
          .values((0..<16).map { $0 % 2 == 0 ? "10 3c 05 04" : "10 3d e8 03" }),
          .values((0..<30).map { $0 % 2 == 0 ? "10 78 05 02 fc 01" : "10 77 f8 01 08 02" }),
          .values((0..<16).map { $0 % 2 == 0 ? "10 3c 05 04" : "10 3d e8 03" }),
        ]),
      .quiet(
        "an extra beat and the pause behind it, of a sensor that sends the octets of intervals in the wrong order",
        [
          .values((0..<16).map { $0 % 2 == 0 ? "10 3c 04 10" : "10 3d 03 e8" }),
          .values(["10 74 02 10", "10 2c 05 70", "10 3c 04 10"]), .repeated(["10 3c 03 f8"], times: 12),
        ]),
      .finds(
        "to the double, and back when the heart is faster",
        [
          .repeated(["00 3c"], times: 15), .repeated(["00 78"], times: 15), .repeated(["00 8c"], times: 15),
          .repeated(["00 a0"], times: 15), .repeated(["00 50"], times: 15),
        ]),
      .quiet(
        "without skin contact, and when that is found again, which is another finding",
        [
          .repeated(["06 90"], times: 10), .values(["04 60", "04 31"]), .repeated(["04 30"], times: 5),
          .repeated(["06 8e"], times: 10),
        ]),
      .quiet("of a malformed value, which is another finding", [.values(["00 48", "01 f8 30 00", "00 48", "00 48"])]),
      .finds(
        "of a sensor that has just begun to measure every five seconds",
        [.values(["00 48", "00 47", "00 8e"], every: 5)]),
      .quiet(
        "nine seconds of silence between", [.repeated(["00 40"], times: 10), .wait(8), .repeated(["00 60"], times: 5)]),
      .quiet(
        "that stays, as it seems, behind ten minutes of silence",
        [
          .repeated(["00 3d"], times: 15), .values(["00 5a"]), .wait(600), .repeated(["00 5a"], times: 25),
        ]),
      .quiet("a minute of silence between", [.values(["00 48"]), .wait(60), .values(["00 90"])]),
    ] + IntervalSteps.examples)
  static let traits: MeasurementTraits = [.leap, .unevenIntervals]
  static let tellsWhatLasts = true
  static let blocks: BlockWish = .sliding
  private let step: Int
  /// A leap that is a jump if the rate stays there.
  private var pending: (moment: Moment, from: Int, to: Int)?
  /// The last jump.
  private var jump: Leap?
  private var synthesised = SynthesisedShare()
  /// Where the rate was in the last whole ten seconds, or close to it, if it stayed there.
  private var held: ClosedRange<Int>?
  /// What the RR-Intervals do where the rate, as a mean over some beats, follows without a leap.
  private var steps = IntervalSteps()
  /// A stretch of them that is over, until it is known that no leap tells of it.
  private var stretch: IntervalSteps.Stretch?
  /// What was told last.
  private var told: (first: Moment, last: Moment)?

  /// By so much a rate that stays may differ, in beats a minute.
  private static let spread = 8

  private struct Leap {
    let moment: Moment
    let from: Int
    let to: Int
    let kind: Kind

    enum Kind {
      /// No heart does that.
      case fault
      /// The RR-Intervals leap with it.
      case ofBeats
      /// They do, and away from where the rate had stayed.
      case ofSteadyBeats
      /// They may, but the capture did not keep them, and away from where the rate had stayed.
      case ofUnkeptBeats
    }

    /// Whether another one leads back: to where it came from, or by as much as it leapt while the heart went on.
    func isBack(_ from: Int, _ to: Int) -> Bool {
      let product = Double(self.to) / Double(self.from) * Double(to) / Double(from)
      return abs(to - self.from) <= 10 || (from > to) != (self.from > self.to) && abs(product - 1) < 0.1
    }

    /// Whether all of the last RR-Intervals are nearer to where it leads than to where it came from.
    func isFollowed(by last: LastIntervals) -> Bool {
      let intervals = last.values
      return [intervals.0, intervals.1, intervals.2, intervals.3].allSatisfy {
        $0 > 0 && ($0 * (from + to) < 2 * 61_440) == (to > from)
      }
    }
  }

  init(_ settings: RuleSettings) {
    step = Int(settings.value(Self.step, of: Self.self))
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    if measurement.traits.contains(.unevenIntervals), measurement.traits.isDisjoint(with: [.malformed, .notInContact]) {
      steps.note(scene.series.intervals, behind: scene.series.rhythm.before, scene.moment)
    }
    guard measurement.traits.contains(.leap), let rate = measurement.rate, let before = scene.series.previous?.rate,
      isAtOnce(measurement, &scene), !measurement.traits.contains(.malformed), before > 0,
      // What a sensor measures without skin contact is told as that; and it has to find the rate again behind it.
      !measurement.traits.contains(.notInContact), scene.series.previous?.traits.contains(.notInContact) != true,
      // What a malformed value makes of a rate is none.
      scene.series.previous?.traits.isSuperset(of: [.malformed, .implausibleRate]) != true,
      // Octets in the wrong order make leaps of 256 out of every beat more or less, and are another finding.
      !measurement.isByteSwapped, scene.series.previous?.isByteSwapped != true
    else { return }
    let kind = kind(of: measurement, rate, before, scene.series)
    // The way back from one odd value leads nowhere new; nor does one from odd beats.
    var isReturn = pending.map { abs(rate - $0.from) <= 10 } ?? false || kind == .ofBeats
    if kind != .fault || abs(rate - before) > step {
      let leap = Leap(moment: scene.moment, from: before, to: rate, kind: kind)
      isReturn = take(leap, &scene) || isReturn || kind == .fault
    }
    pending = !isReturn && Self.factor(Double(rate) / Double(before)) != nil ? (scene.moment, before, rate) : nil
  }

  /// Whether a measurement comes so soon that a heart does not leap until then, or as soon as this sensor's usually do.
  private func isAtOnce(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) -> Bool {
    guard let gap = measurement.gap else { return false }
    return gap < Self.soon || gap < min(Self.latest, 1.5 * (scene.series.periods.median() ?? .infinity))
  }

  /// In seconds.
  private static let soon = 3.5
  private static let latest = 10.0

  /// What a leap is, by the RR-Intervals.
  // Called, it would be handed a copy of the series.
  @inline(__always)
  private func kind(
    of measurement: ObservedMeasurement, _ rate: Int, _ before: Int, _ series: MeasurementSeries
  ) -> Leap.Kind {
    let isSteady = held?.contains(before) ?? false
    if measurement.intervalCount ?? 0 > series.intervals.count { return isSteady ? .ofUnkeptBeats : .ofBeats }
    return isOfBeats(rate, before, series) ? isSteady ? .ofSteadyBeats : .ofBeats : .fault
  }

  /// Whether the RR-Intervals leap as the rates do, and, as far as is known, were not made of them: so the heart did.
  // Called, it would be handed a copy of the series.
  @inline(__always)
  private func isOfBeats(_ rate: Int, _ before: Int, _ series: MeasurementSeries) -> Bool {
    guard !synthesised.isPossible, rate <= Self.soonest || before > Self.soonest / 2 else { return false }
    let now = Agreement(of: rate, series.intervals, series.rhythm.last)
    // The mean of some beats follows the last ones.
    guard now.isMade || (rate > before ? now.hasShorter : now.hasLonger) else { return false }
    // Nothing contradicts a rate that was told before the first interval.
    if series.previousIntervals.isEmpty, series.rhythm.before.values.3 == 0 { return true }
    return Agreement(of: before, series.previousIntervals, series.rhythm.before).isMade
  }

  /// In beats a minute: no beat of a heart at rest follows another so soon.
  private static let soonest = 200

  /// How a rate agrees with a measurement's intervals, and the last four: it may have come with the measurement before.
  private struct Agreement {
    /// Whether one of them makes it, within a tenth.
    private var isOne = false
    /// Whether one of them makes a higher rate.
    private(set) var hasShorter = false
    /// Whether one of them makes a lower rate, or the same.
    private(set) var hasLonger = false

    /// Whether it is one of them, or the mean of some, which lies between a short one and a long one.
    var isMade: Bool { isOne || hasShorter && hasLonger }

    init(of rate: Int, _ intervals: MeasurementIntervals, _ last: LastIntervals) {
      for interval in intervals {
        note(Int(interval), rate)
        // Its octets may be in the wrong order, which is another finding.
        if interval > HeartLimits.intervals.upperBound { note(Int(interval.byteSwapped), rate) }
      }
      let four = last.values
      for interval in [four.0, four.1, four.2, four.3] { note(interval, rate) }
    }

    private mutating func note(_ interval: Int, _ rate: Int) {
      guard HeartLimits.intervals.contains(interval) else { return }
      let excess = interval * rate - 61_440
      if excess < 0 { hasShorter = true } else { hasLonger = true }
      isOne = isOne || abs(excess) * 10 <= 61_440
    }
  }

  /// The rate of the next whole ten seconds tells whether it stays.
  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    synthesised.note(block)
    let isSteady = block.rates > 0 && block.rateMost - block.rateLeast <= 2 * Self.spread
    held = isSteady ? block.rateLeast - Self.spread...block.rateMost + Self.spread : nil
    if let jump, block.first.time.seconds(since: jump.moment.time) > Self.longest { end(jump, nil, &scene) }
    if let stretch, block.first.time.seconds(since: stretch.last.time) > Self.settling { end(stretch, &scene) }
    if let over = steps.note(block) {
      if let stretch { tell(stretch, &scene) }
      stretch = over
    }
    guard let leap = pending, block.first > leap.moment else { return }
    pending = nil
    // Behind a silence, it says nothing of where the rate was before it.
    let wait = block.first.time.seconds(since: leap.moment.time)
    guard wait < Self.latest + 2 * (scene.series.periods.median() ?? 1) else { return }
    guard block.rateLeast >= leap.to - Self.spread, block.rateMost <= leap.to + Self.spread else { return }
    take(Leap(moment: leap.moment, from: leap.from, to: leap.to, kind: .fault), &scene)
  }

  mutating func finish(_ scene: inout RuleScene) {
    if let stretch { end(stretch, &scene) }
    if let jump { end(jump, nil, &scene) }
    // While the connection goes on, a leap may still follow.
    if let stretch, !scene.goesOn { tell(stretch, &scene) }
  }

  /// In seconds: what holds longer is no episode.
  private static let longest = 300.0
  /// In seconds: for so long a rate may go on to follow the RR-Intervals.
  private static let settling = 10.0

  /// Takes a leap: there and back again is one jump.
  /// - Returns: Whether it is the way back.
  @discardableResult
  private mutating func take(_ leap: Leap, _ scene: inout RuleScene) -> Bool {
    let wait = jump.map { max(0, scene.seconds(from: $0.moment, to: leap.moment)) } ?? .infinity
    let isBack = wait < Self.longest && jump.map { $0.isBack(leap.from, leap.to) } ?? false
    if let jump { end(jump, isBack ? wait : nil, &scene) }
    jump = isBack ? nil : leap
    return isBack
  }

  /// Says what was seen of a jump that is over: how long it lasted, if it led back. A heart does not leave a steady rate for
  /// a while and come back to it, each time from one beat to the next; else where its beats lead is no fault.
  private mutating func end(_ jump: Leap, _ wait: Double?, _ scene: inout RuleScene) {
    self.jump = nil
    let lasted = wait ?? (scene.goesOn ? scene.seconds(since: jump.moment) : nil)
    switch jump.kind {
    case .fault:
      told = (jump.moment, scene.moment)
      scene.report(Self.self, Self.words(jump, lasted), from: jump.moment, to: wait == nil ? nil : before(scene))
    case .ofSteadyBeats:
      guard wait != nil, jump.isFollowed(by: scene.series.rhythm.before) else { return }
      let fault = jump.to > jump.from ? "noise counted as beats" : "beats missed"
      told = (jump.moment, scene.moment)
      let why = ", and so do the RR-Intervals: \(fault), or the heart's rhythm"
      scene.report(Self.self, Self.words(jump, lasted) + why, from: jump.moment, to: before(scene))
    case .ofUnkeptBeats:
      guard wait != nil else { return }
      let why = "; the capture did not keep the RR-Intervals, which would tell whether the heart did so"
      scene.report(Self.self, Self.words(jump, lasted) + why, from: jump.moment, to: before(scene))
    case .ofBeats: break
    }
  }

  /// Tells of a stretch, unless a leap may still do so.
  private mutating func end(_ stretch: IntervalSteps.Stretch, _ scene: inout RuleScene) {
    if let jump, jump.moment <= stretch.last { return }
    tell(stretch, &scene)
  }

  /// Tells of a stretch, unless a leap has. Since a heart's rhythm can do the same, however seldom, it is no more than a note.
  private mutating func tell(_ stretch: IntervalSteps.Stretch, _ scene: inout RuleScene) {
    self.stretch = nil
    if let told, told.first <= stretch.last, told.last >= stretch.first { return }
    guard !synthesised.isPossible else { return }
    // A rate that leaps behind it follows it.
    if let jump, jump.moment.time.seconds(since: stretch.last.time) < Self.settling { self.jump = nil }
    scene.report(Self.self, Self.words(stretch), severity: .info, from: stretch.first, to: stretch.last)
  }

  /// The last measurement before the one at hand.
  private func before(_ scene: RuleScene) -> Moment? { scene.series.previous?.moment }

  // Of most of them nobody asks for the words.
  private static func words(_ leap: Leap, _ lasted: Double?) -> String {
    let factor = factor(Double(leap.to) / Double(leap.from)).map { ", \($0) what it was" } ?? ""
    let length = lasted.map { ", for \(seconds($0))" } ?? ""
    return "from \(leap.from) to \(leap.to) bpm at once\(factor)\(length)"
  }

  private static func words(_ stretch: IntervalSteps.Stretch) -> String {
    func rate(_ interval: Double) -> String { number(61_440 / interval, decimals: 0) }
    let (there, back) = stretch.isShorter ? ("halved", "doubled") : ("doubled", "halved")
    let fault = stretch.isShorter ? "each beat is counted twice" : "every other beat is missed"
    return "the RR-Intervals are \(there) from one beat to the next, as from \(rate(stretch.before)) to "
      + "\(rate(stretch.within)) bpm, and \(back) again at once after \(seconds(stretch.seconds)), which the rate follows "
      + "slowly: \(fault), or the heart's rhythm"
  }

  /// The factor that a ratio is within a twentieth of.
  private static func factor(_ ratio: Double) -> String? {
    func isNear(_ factor: Double) -> Bool { abs(ratio - factor) < 0.05 * factor }
    return isNear(0.5)
      ? "half of" : isNear(2.0 / 3) ? "two thirds of" : isNear(1.5) ? "one and a half times" : isNear(2) ? "twice" : nil
  }
}

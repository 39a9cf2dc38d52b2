import CaptureFiles

/// A rate that stands still while the heart does not.
struct HeartRateFrozen: AnomalyRule {
  static let withIntervals = RuleParameter("with-intervals", 30, in: 5...3600, "how long, in seconds, while RR vary")
  static let alone = RuleParameter("alone", 60, in: 5...3600, "how long, in seconds, where there are no RR")

  static let about = RuleDescription(
    "heart-rate-frozen", .warning,
    finds:
      "The same heart rate for 30 s or more while RR-Intervals vary, or for 60 s or more where none are sent, twice as long "
      + "where the capture did not keep them (then it is a note: the heart may have been as steady), and four times as "
      + "long as this sensor's rate stands still otherwise.",
    matters: "No heart keeps its rate so exactly: the sensor repeats an old value.",
    advice:
      "See whether the values go on after the sensor was taken off, and whether the RR-Intervals tell another rate.",
    explainedBy: ["contact-lost", "rr-vanished"],
    parameters: [withIntervals, alone],
    examples: [
      .finds("72 for 80 s", [.values(["00 47"]), .repeated(["00 48"], times: 80), .values(["00 49"])]),
      .finds(
        "72 for 40 s, with intervals that make 60 to 66",
        [.values(["10 47 4d 03"]), .repeated(["10 48 00 04", "10 48 a0 03"], times: 20), .values(["10 49 40 03"])]),
      .finds(
        "72 for 40 s, with intervals that go from 66 to 78",
        [
          .values(["10 47 4d 03"]), .repeated(["10 48 a3 03"], times: 20), .repeated(["10 48 14 03"], times: 20),
          .values(["10 49 40 03"]),
        ]),
      .finds(
        "72 for 80 s, of which a few are missing",
        [.repeated(["00 48"], times: 40), .wait(5), .repeated(["00 48"], times: 35), .values(["00 49"])]),
      .quiet(
        "a watch that smooths, on a resting heart: 72 for 65 s, and other rates for 8 to 40 s",
        [70, 71, 70, 71, 73, 72, 71].enumerated().map { place, rate in
          .repeated(["00 \(String(rate, radix: 16))"], times: [20, 40, 8, 25, 15, 65, 30][place])
        } + [70, 72, 71, 70, 71, 72].map { .repeated(["00 \(String($0, radix: 16))"], times: 22) }),
      .finds(
        "72 for 80 s three times, with a rate that moves between them",
        .times(3, [.repeated(["00 46", "00 46", "00 47"], times: 30), .repeated(["00 48"], times: 80)])
          + [.values(["00 49"])], count: 3),
      .finds(
        "72 for 80 s, and a value of no octets among them",
        [.values(["00 47"]), .repeated(["00 48"], times: 40), .values([""]), .repeated(["00 48"], times: 40)]),
      .quiet(
        "72 for 40 s, a value of no octets, and 73 for 40 s",
        [.repeated(["00 48"], times: 40), .values([""]), .repeated(["00 49"], times: 40)]),
      .quiet(
        "72 for 20 s, values of no octets for a minute, and 72 for 20 s",
        [
          .repeated(["00 48"], times: 20), .repeated([""], times: 60), .repeated(["00 48"], times: 20),
          .values(["00 49"]),
        ]),
      .quiet("72 for 40 s, no intervals", [.repeated(["00 48"], times: 40), .values(["00 49"])]),
      .quiet(
        "72 before a silence, and 72 behind it",
        [.repeated(["00 48"], times: 10), .wait(80), .repeated(["00 48"], times: 10), .values(["00 49"])]),
      .quiet(
        "a steady heart: 72 for 40 s, with intervals that make 72 all the time",
        [.repeated(["10 48 55 03", "10 48 57 03"], times: 20), .values(["10 49 40 03"])]),
      .quiet(
        "a steady heart: 72 for 40 s, with one beat that comes early at the start",
        [
          .values(["10 47 4d 03", "10 48 55 03", "10 48 f4 01", "10 48 84 03"]),
          .repeated(["10 48 55 03"], times: 36), .values(["10 49 40 03"]),
        ]),
      .quiet(
        "72 for 80 s, of a heart whose beats alternate, and make 72",
        [
          .repeated(["10 47 4d 03", "10 48 55 03"], times: 10), .repeated(["10 48 a0 02", "10 48 0a 04"], times: 40),
          .repeated(["10 49 40 03", "10 4a 30 03"], times: 10),
        ]),
      .quiet(
        "67 for 33 s, of a heart whose every fourth beat is late, and which makes 67",
        [
          .values(["10 42 0c 03"]),
          .repeated(["10 43 0c 03", "10 43 08 03", "10 43 fc 02", "10 43 44 05"], times: 9, every: 0.917),
          .values(["10 44 08 03"]),
        ]),
      .quiet(
        "octets in the wrong order, which is another finding",
        [.repeated(["11 00 6c 30 02", "11 00 6c 3a 02"], times: 20), .values(["11 00 6d 30 02"])]),
      .quiet(
        "intervals whose octets are in the wrong order, which is another finding",
        [
          .values(["10 47 03 4d"]), .repeated(["10 48 03 50", "10 48 03 66", "10 48 03 0a", "10 48 03 3e"], times: 10),
          .values(["10 49 03 40"]),
        ]),
      .quiet(
        "a steady heart, and one interval that fills the field, which is another finding",
        [
          .repeated(["10 48 55 03", "10 48 57 03"], times: 10), .values(["10 48 ff ff"]),
          .repeated(["10 48 55 03", "10 48 57 03"], times: 10), .values(["10 49 40 03"]),
        ]),
      .quiet(
        "72 for a minute and a half, of a sensor that measures every half a minute",
        [
          .repeated(["00 46", "00 48", "00 47", "00 49"], times: 8, every: 30),
          .repeated(["00 48"], times: 4, every: 30),
          .repeated(["00 46", "00 48", "00 47", "00 49"], times: 8, every: 30),
        ]),
      .quiet("a rate that moves", [.repeated(["00 48", "00 49"], times: 60)]),
      .quiet("no rate at all", [.repeated(["00 00"], times: 120)]),
    ])
  static let traits: MeasurementTraits = [.sameRate, .malformed, .behind]

  private let withIntervals: Double
  private let alone: Double
  private var run: RecordSpan?
  /// Runs of which it is not clear yet whether this sensor's rate stands still for so long now and then.
  private var unclear: [Suspect] = []
  /// Measurements with the rate of the one before.
  private var same = 0
  /// How long the rate stood still, each time that it did.
  private var lengths = PeriodHistogram()
  private var rate = 0
  /// How many have come without a rate, in a run, one after another: the next one with a rate tells whether it goes on.
  private var interruption = 0
  private var intervals = 0
  /// Measurements with RR-Intervals that the capture did not keep.
  private var unkept = 0
  /// Those that lie between no two beats, and are another finding.
  private var odd = 0
  private var least = UInt16.max
  private var most: UInt16 = 0
  /// The intervals' mean over the last beats, as sensors take it, and the rates that it has made.
  private var mean = 0.0
  private var made = (least: Double.infinity, most: 0.0)
  /// The rates that longer parts of the run make.
  private var parts = RunParts()

  init(_ settings: RuleSettings) {
    withIntervals = settings.value(Self.withIntervals, of: Self.self)
    alone = settings.value(Self.alone, of: Self.self)
  }

  /// A run, and how far the rate went meanwhile that the intervals make; nil where there are none.
  private struct Suspect {
    let run: RecordSpan
    let message: String
    let moved: Double?
    let rate: Int
    /// How grave it is, if not as the rule always is.
    var severity: Severity?
  }

  /// Over a longer silence, in seconds, or so many periods, nobody knows what the rate did.
  private static let longestSilence = (seconds: 10.0, periods: 2.5)
  /// In seconds: longer runs are not told apart, whatever times say.
  private static let longestTold = 86_400.0
  /// Where more have no rate on end, nobody knows what it did.
  private static let mostWithout = 2
  /// Of a sensor that measures twice a minute, a few are the same by chance.
  private static let fewest = 10
  /// More that are unclear are judged by what is known by then.
  private static let mostUnclear = 32

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    // One whose octets are in the wrong order is another finding.
    guard isClose(measurement, &scene) else { return end(&scene) }
    if measurement.rate == nil, run != nil, interruption < Self.mostWithout { return interruption += 1 }
    guard isSame(measurement), let rate = measurement.rate, rate > 0, !measurement.isByteSwapped else {
      return end(&scene)
    }
    if interruption > 0 {
      (interruption, same) = (0, same &+ interruption)
    }
    if run == nil, let previous = scene.series.previous {
      self.rate = rate
      run = RecordSpan(previous.moment)
    }
    run.extend(to: scene.moment)
    same &+= 1
    if measurement.intervalCount ?? 0 > scene.series.intervals.count { unkept &+= 1 }
    let isOdd = measurement.traits.contains(.oddInterval)
    for interval in scene.series.intervals {
      if isOdd, !HeartLimits.intervals.contains(Int(interval)) {
        odd &+= 1
        continue
      }
      intervals &+= 1
      (least, most) = (min(least, interval), max(most, interval))
      mean += (Double(interval) - mean) / Double(min(intervals, Self.beats))
      parts.note(Int(interval))
      if intervals >= Self.beats, mean > 0 { made = (min(made.least, 61_440 / mean), max(made.most, 61_440 / mean)) }
    }
  }

  /// Whether a measurement has the rate of the one before it that has any.
  private func isSame(_ measurement: ObservedMeasurement) -> Bool {
    interruption > 0 ? measurement.rate == rate : measurement.traits.contains(.sameRate)
  }

  /// Whether a measurement is so close to the one before that the rate may have stood still between them. Where records
  /// were lost, or the clock was set, their times tell.
  private func isClose(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) -> Bool {
    if let gap = measurement.gap, gap <= Self.longestSilence.seconds { return true }
    guard let previous = scene.series.previous else { return false }
    let silence = measurement.time.seconds(since: previous.time)
    if silence <= Self.longestSilence.seconds { return silence >= 0 }
    return silence <= Self.longestSilence.periods * (scene.series.periods.median() ?? 0)
  }

  mutating func finish(_ scene: inout RuleScene) {
    end(&scene)
    for suspect in unclear { judge(suspect, &scene) }
  }

  private mutating func end(_ scene: inout RuleScene) {
    interruption = 0
    guard run != nil, let run = run.end() else { return }
    defer {
      (intervals, unkept, odd, least, most, mean, made) = (0, 0, 0, .max, 0, 0, (.infinity, 0))
      parts = RunParts()
    }
    lengths.note(microseconds: Int64(min(max(0, run.seconds), Self.longestTold) * 1e6))
    guard let suspect = suspect(run) else { return }
    if suspect.moved == .infinity || otherRuns(scene) >= 10 { return judge(suspect, &scene) }
    unclear.append(suspect)
    if unclear.count > Self.mostUnclear { judge(unclear.removeFirst(), &scene) }
  }

  /// A run that is long enough to be looked at.
  private func suspect(_ run: RecordSpan) -> Suspect? {
    guard run.seconds >= (intervals == 0 ? alone : withIntervals) else { return nil }
    // Where many are no intervals, the others may be none, either: what the heart did is not known.
    if odd * 10 > intervals { return nil }
    let still = "\(rate) bpm for \(seconds(run.seconds)), without change"
    if intervals == 0 {
      // Most have some where the heart was measured.
      let isUntold = 2 * unkept >= run.count
      if run.seconds < (isUntold ? 2 * alone : alone) || run.count < Self.fewest { return nil }
      // What the capture cut away may have stood still, too: of a pacemaker, in sleep, or at a steady pace it does.
      let why =
        isUntold ? ": the capture did not keep the RR-Intervals, which would tell whether the heart was as steady" : ""
      return Suspect(
        run: run, message: "\(still) (\(measurements(run.count)))\(why)", moved: nil, rate: rate,
        severity: isUntold ? .info : nil)
    }
    if parts.make(rate) { return nil }
    return Suspect(
      run: run,
      message: "\(still), while RR-Intervals go from \(milliseconds(least)) to \(milliseconds(most)) ms",
      moved: isElsewhere ? .infinity : max(0, made.most - made.least), rate: rate)
  }

  /// How many beats a sensor's rate is the mean of, or more.
  private static let beats = 8

  /// Whether the intervals vary by a tenth, and not about this rate on both sides.
  private var isElsewhere: Bool {
    let expected = 61_440 / Double(rate)
    return Double(most) - Double(least) > 0.1 * expected
      && (Double(least) > 0.98 * expected || Double(most) < 1.02 * expected)
  }

  /// How many other runs of one rate there are, be they as short as one measurement.
  private func otherRuns(_ scene: RuleScene) -> Int { scene.series.count - 1 - same }

  private func judge(_ suspect: Suspect, _ scene: inout RuleScene) {
    let runs = otherRuns(scene)
    let isFrozen =
      if let moved = suspect.moved {
        moved == .infinity || isFrozen(suspect, moved, among: runs, scene)
      } else {
        suspect.run.seconds >= 4 * usualLength(among: runs)
      }
    if isFrozen { scene.report(Self.self, suspect.message, severity: suspect.severity, over: suspect.run) }
  }

  /// A steady heart's rate stands still as well, and longer where it is a mean over many beats. So it counts how far the
  /// intervals' own rate went meanwhile, and how many times longer the run is than others of this connection: of the
  /// product, hearts and means of up to 24 beats make 22 at most.
  private func isFrozen(_ suspect: Suspect, _ moved: Double, among runs: Int, _ scene: RuleScene) -> Bool {
    let others = scene.series.count - suspect.run.count
    return runs < 5
      ? moved >= max(3, 0.05 * Double(suspect.rate))
      : moved >= 1.5 && moved * Double(suspect.run.count * runs) >= 32 * Double(others)
  }

  /// How long, in seconds, this sensor's rate stands still at the most in nine of ten times, be it as short as for one
  /// measurement; 0 where that is not known. Of a resting heart, a watch that smooths tells the same rate for a minute.
  private func usualLength(among runs: Int) -> Double {
    guard runs >= 10 else { return 0 }
    let singles = max(0, runs - lengths.count)
    let share = (0.9 * Double(runs) - Double(singles)) / Double(max(1, lengths.count))
    return share > 0 ? lengths.quantile(min(1, share)) ?? 0 : 0
  }
}

/// The rates that RR-Intervals make in parts of a run: where a rate is the mean over so many beats, and stands still, that
/// is what they make it all the time, however much neighbours differ.
private struct RunParts {
  /// The sum of the beats since the last half, and how many they are.
  private var sum = 0
  private var count = 0
  /// The sum of a half whose other one has not come yet.
  private var half: Int?
  private var halves = PartRates()
  private var wholes = PartRates()

  /// Sensors take the mean of twice as many beats at the most. Those of a heart whose every second, third or fourth beat is
  /// another make the same rate in each half, too.
  private static let beatsOfHalf = 12

  mutating func note(_ interval: Int) {
    sum &+= interval
    count &+= 1
    if count == Self.beatsOfHalf { endHalf() }
  }

  // One in a dozen gets here.
  @inline(never)
  private mutating func endHalf() {
    halves.note(sum, of: count)
    if let half {
      wholes.note(half + sum, of: 2 * count)
      self.half = nil
    } else {
      half = sum
    }
    (sum, count) = (0, 0)
  }

  /// Whether each part makes a rate.
  func make(_ rate: Int) -> Bool { halves.make(rate) || wholes.make(rate) }
}

/// The rates of parts of one length.
private struct PartRates {
  private var parts = 0
  private var least = Double.infinity
  private var most = 0.0

  mutating func note(_ sum: Int, of beats: Int) {
    guard sum > 0 else { return }
    let rate = Double(61_440 * beats) / Double(sum)
    (parts, least, most) = (parts + 1, min(least, rate), max(most, rate))
  }

  /// Whether each of them makes a rate, and they are more than one.
  func make(_ rate: Int) -> Bool {
    let rate = Double(rate)
    // The mean over some seconds more or less.
    let spread = max(1, 0.02 * rate)
    return parts >= 2 && least >= rate - spread && most <= rate + spread
  }
}

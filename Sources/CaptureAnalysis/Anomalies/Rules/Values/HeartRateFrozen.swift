import BluetoothHost
import CaptureFiles
import GATTKit

/// A rate that stands still while the heart does not.
struct HeartRateFrozen: AnomalyRule {
  static let withIntervals = RuleParameter("with-intervals", 30, in: 5...3600, "how long, in seconds, while RR vary")
  static let alone = RuleParameter("alone", 60, in: 5...3600, "how long, in seconds, where there are no RR")

  static let about = RuleDescription(
    "heart-rate-frozen", .warning,
    finds: "The same heart rate for 30 s or more while RR-Intervals vary, or for 60 s or more where none are sent.",
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
      .quiet("72 for 40 s, no intervals", [.repeated(["00 48"], times: 40), .values(["00 49"])]),
      .quiet(
        "72 before a silence, and 72 behind it",
        [.repeated(["00 48"], times: 10), .wait(80), .repeated(["00 48"], times: 10), .values(["00 49"])]),
      .quiet(
        "a steady heart: 72 for 40 s, with intervals that make 72 all the time",
        [.repeated(["10 48 55 03", "10 48 57 03"], times: 20), .values(["10 49 40 03"])]),
      .quiet("a rate that moves", [.repeated(["00 48", "00 49"], times: 60)]),
      .quiet("no rate at all", [.repeated(["00 00"], times: 120)]),
    ])
  static let traits: MeasurementTraits = [.sameRate, .behind]

  private let withIntervals: Double
  private let alone: Double
  private var run: RecordSpan?
  /// Runs of which it is not clear yet whether this sensor's rate stands still for so long now and then.
  private var unclear: [Suspect] = []
  /// Measurements with the rate of the one before.
  private var same = 0
  private var rate = 0
  private var intervals = 0
  /// Whether RR-Intervals were sent that the capture did not keep.
  private var hasUnkept = false
  private var least = UInt16.max
  private var most: UInt16 = 0
  /// The intervals' mean over the last beats, as sensors take it, and the rates that it has made.
  private var mean = 0.0
  private var made = (least: Double.infinity, most: 0.0)

  init(_ settings: RuleSettings) {
    withIntervals = settings.value(Self.withIntervals, of: Self.self)
    alone = settings.value(Self.alone, of: Self.self)
  }

  /// A run, and how far the rate went meanwhile that the intervals make.
  private struct Suspect {
    let run: RecordSpan
    let message: String
    let moved: Double
    let rate: Int
  }

  /// Over a longer silence, in seconds, or so many periods, nobody knows what the rate did.
  private static let longestSilence = (seconds: 10.0, periods: 2.5)
  /// More that are unclear are judged by what is known by then.
  private static let mostUnclear = 32

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.sameRate), let rate = measurement.rate, rate > 0,
      isClose(measurement, &scene)
    else { return end(&scene) }
    if run == nil, let previous = scene.series.previous {
      self.rate = rate
      run = RecordSpan(previous.moment)
    }
    run.extend(to: scene.moment)
    same &+= 1
    if measurement.intervalCount ?? 0 > scene.series.intervals.count { hasUnkept = true }
    for interval in scene.series.intervals {
      intervals &+= 1
      (least, most) = (min(least, interval), max(most, interval))
      mean += (Double(interval) - mean) / Double(min(intervals, Self.beats))
      if intervals >= Self.beats, mean > 0 { made = (min(made.least, 61_440 / mean), max(made.most, 61_440 / mean)) }
    }
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
    guard run != nil, let run = run.end() else { return }
    defer { (intervals, hasUnkept, least, most, mean, made) = (0, false, .max, 0, 0, (.infinity, 0)) }
    if intervals == 0 {
      // What they would say is not known.
      if hasUnkept { return }
      guard run.seconds >= alone else { return }
      let message = "\(rate) bpm for \(seconds(run.seconds)), without change (\(measurements(run.count)))"
      return scene.report(Self.self, message, over: run)
    }
    guard run.seconds >= withIntervals else { return }
    let suspect = Suspect(
      run: run,
      message: "\(rate) bpm for \(seconds(run.seconds)), without change, while RR-Intervals go from "
        + "\(milliseconds(least)) to \(milliseconds(most)) ms",
      moved: isElsewhere ? .infinity : max(0, made.most - made.least), rate: rate)
    if suspect.moved == .infinity || otherRuns(scene) >= 10 { return judge(suspect, &scene) }
    unclear.append(suspect)
    if unclear.count > Self.mostUnclear { judge(unclear.removeFirst(), &scene) }
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
  private func otherRuns(_ scene: RuleScene) -> Int {
    (scene.series.current?.ordinal ?? 0) - same
  }

  /// A steady heart's rate stands still as well, and longer where it is a mean over many beats. So it counts how far the
  /// intervals' own rate went meanwhile, and how many times longer the run is than others of this connection: of the
  /// product, hearts and means of up to 24 beats make 22 at most.
  private func judge(_ suspect: Suspect, _ scene: inout RuleScene) {
    let runs = otherRuns(scene)
    let others = (scene.series.current?.ordinal ?? 0) + 1 - suspect.run.count
    let isFrozen =
      runs < 5
      ? suspect.moved >= max(3, 0.05 * Double(suspect.rate))
      : suspect.moved >= 1.5 && suspect.moved * Double(suspect.run.count * runs) >= 32 * Double(others)
    guard isFrozen || suspect.moved == .infinity else { return }
    scene.report(Self.self, suspect.message, over: suspect.run)
  }
}

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
      .quiet("72 for 40 s, no intervals", [.repeated(["00 48"], times: 40), .values(["00 49"])]),
      .quiet(
        "a steady heart: 72 for 40 s, with intervals that make 72 all the time",
        [.repeated(["10 48 55 03", "10 48 57 03"], times: 20), .values(["10 49 40 03"])]),
      .quiet("a rate that moves", [.repeated(["00 48", "00 49"], times: 60)]),
      .quiet("no rate at all", [.repeated(["00 00"], times: 120)]),
    ])
  static let traits: MeasurementTraits = [.sameRate]

  private let withIntervals: Double
  private let alone: Double
  private var run: MeasurementRun?
  private var rate = 0
  private var intervals = 0
  private var least = UInt16.max
  private var most: UInt16 = 0
  /// The intervals' mean over the last beats, as sensors take it, and the rates that it has made.
  private var mean = 0.0
  private var made = (least: Double.infinity, most: 0.0)

  init(_ settings: RuleSettings) {
    withIntervals = settings.value(Self.withIntervals, of: Self.self)
    alone = settings.value(Self.alone, of: Self.self)
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.sameRate), let rate = measurement.rate, rate > 0 else { return finish(&scene) }
    if run == nil, let previous = scene.series.previous {
      self.rate = rate
      run = MeasurementRun(Moment(frame: previous.frame, time: previous.time, member: scene.moment.member))
    }
    run.extend(to: scene.moment)
    for interval in scene.series.intervals {
      intervals &+= 1
      (least, most) = (min(least, interval), max(most, interval))
      mean += (Double(interval) - mean) / Double(min(intervals, Self.beats))
      if intervals >= Self.beats, mean > 0 { made = (min(made.least, 61_440 / mean), max(made.most, 61_440 / mean)) }
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run = run.end() else { return }
    defer { (intervals, least, most, mean, made) = (0, .max, 0, 0, (.infinity, 0)) }
    if intervals == 0 {
      guard run.seconds >= alone else { return }
      let message = "\(rate) bpm for \(seconds(run.seconds)), without change (\(run.count) measurements)"
      scene.report(Self.self, message, from: run.first, to: run.last, count: run.count)
    } else if run.seconds >= withIntervals, contradicts {
      let message =
        "\(rate) bpm for \(seconds(run.seconds)), without change, while RR-Intervals go from \(milliseconds(least)) to "
        + "\(milliseconds(most)) ms"
      scene.report(Self.self, message, from: run.first, to: run.last, count: run.count)
    }
  }

  /// How many beats a sensor's rate is the mean of, or more.
  private static let beats = 8

  /// Whether the intervals vary by more than a steady heart's, whose rate is a mean over many beats: the rate that they
  /// make moves by three beats a minute or more, or they vary by a tenth, and not about this rate on both sides.
  private var contradicts: Bool {
    if made.most - made.least >= max(3, 0.05 * Double(rate)) { return true }
    let expected = 61_440 / Double(rate)
    return Double(most) - Double(least) > 0.1 * expected
      && (Double(least) > 0.98 * expected || Double(most) < 1.02 * expected
        || Double(most) - Double(least) > 0.5 * expected)
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit

/// An interval that lies between no two beats.
struct RrOutOfRange: AnomalyRule {
  static let about = RuleDescription(
    "rr-out-of-range", .warning,
    finds:
      "An RR-Interval shorter than 200 ms or longer than 3 s: 0, 1, 65535 and other values that fill a field. Where they "
      + "make the heart rate with their octets in the other order, that is said, once.",
    matters: "Whoever computes heart rate variability without looking gets nonsense: a single 0 is enough.",
    advice:
      "Leave such intervals out; the sensor's maker should send none where it has none, and the low octet of each first.",
    reference: "HRS 1.0, 3.1.1.4",
    explainedBy: ["contact-lost"],
    examples: [
      .finds("0 and 65535 in a row", [.values(["10 48 55 03", "10 48 00 00", "10 48 ff ff", "10 48 55 03"])]),
      .finds(
        "twice", [.values(["10 48 01 00", "10 48 55 03", "10 48 55 03", "10 48 01 00 55 03", "10 48 55 03"])], count: 2),
      .finds(
        "octets in the wrong order, told once, with an interval between that is in range either way",
        [
          .values(["10 48 03 55", "10 48 03 50", "10 48 03 5c", "10 48 03 04", "10 48 03 49"]),
          .repeated(["10 48 03 50", "10 48 03 5f", "10 49 03 48"], times: 3),
        ]),
      .quiet("300 ms and 2 s", [.values(["10 c8 33 01", "10 1e 00 08"])]),
      .quiet("none", [.values(["00 48"])]),
    ])
  static let traits: MeasurementTraits = [.oddInterval, .behind]
  private var run: Run?
  /// Runs of intervals whose octets may be in the wrong order, judged at the end: then it is known how many there are.
  private var swapped: [Run] = []

  private static let mostRuns = 200
  /// Fewer intervals, or fewer different ones, make the rate by chance with their octets in the other order.
  private static let fewest = (intervals: 5, different: 3)

  /// Measurements one after another with such intervals.
  private struct Run {
    var span: RecordSpan
    /// The first.
    let odd: UInt16
    var count = 0
    /// How many make the rate beside them with their octets in the other order.
    var swapped = 0
    /// The first of these that differ.
    var different: [UInt16] = []

    /// Whether nearly all do.
    var isSwapped: Bool { swapped * 10 >= count * 9 }
  }

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.oddInterval) else { return end(&scene) }
    for interval in scene.series.intervals where interval < 205 || interval > 3072 {
      var run = self.run ?? Run(span: RecordSpan(scene.moment, count: 0), odd: interval)
      run.count += 1
      if Self.isRate(interval.byteSwapped, of: measurement) {
        run.swapped += 1
        if run.different.count < Self.fewest.different, !run.different.contains(interval) {
          run.different.append(interval)
        }
      }
      self.run = run
    }
    run?.span.extend(to: scene.moment)
  }

  /// Whether an interval is one that the rate beside it makes, within the quarter that a heart's hardly ever leave.
  private static func isRate(_ interval: UInt16, of measurement: ObservedMeasurement) -> Bool {
    guard let sent = measurement.rate else { return false }
    let rate = measurement.isByteSwapped ? sent >> 8 : sent
    return abs(Int(interval) * rate - 61_440) * 4 <= 61_440
  }

  mutating func finish(_ scene: inout RuleScene) {
    end(&scene)
    guard let first = swapped.first, let last = swapped.last else { return }
    let different = swapped.reduce(into: Set<UInt16>()) { $0.formUnion($1.different) }
    let count = swapped.reduce(0) { $0 + $1.count }
    guard different.count >= Self.fewest.different, count >= Self.fewest.intervals else {
      for run in swapped { report(run, &scene) }
      return
    }
    let interval = first.odd
    let message =
      "\(count) RR-Intervals that lie between no two beats make the heart rate with their octets in the other order: the "
      + "first, \(milliseconds(interval)) ms (\(interval)), would be \(milliseconds(interval.byteSwapped)) ms "
      + "(\(interval.byteSwapped))"
    scene.report(Self.self, message, from: first.span.first, to: last.span.last, count: count)
  }

  private mutating func end(_ scene: inout RuleScene) {
    guard let run else { return }
    self.run = nil
    if run.isSwapped, swapped.count < Self.mostRuns { swapped.append(run) } else { report(run, &scene) }
  }

  private func report(_ run: Run, _ scene: inout RuleScene) {
    let what =
      run.count == 1 ? "an RR-Interval of" : "\(run.count) RR-Intervals that lie between no two beats, the first of"
    let message = "\(what) \(milliseconds(run.odd)) ms (\(run.odd))"
    scene.report(Self.self, message, from: run.span.first, to: run.span.last, count: run.count)
  }
}

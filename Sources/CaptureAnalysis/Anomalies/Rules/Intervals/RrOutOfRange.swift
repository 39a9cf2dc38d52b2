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
    explainedBy: ["contact-lost", "energy-decreased"],
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
      .finds(
        "octets in the wrong order, of a heart that flutters, told once",
        [
          .values(["10 48 03 55", "10 48 02 30", "10 48 05 0a", "10 48 03 04", "10 48 02 49", "10 48 04 fc"]),
          .values(["10 48 00 02"]), .values(["10 48 05 60", "10 48 04 8b", "10 48 03 1d"]),
          .repeated(["10 48 03 50", "10 48 02 2f", "10 49 03 48"], times: 3),
        ]),
      .quiet("300 ms and 2 s", [.values(["10 c8 33 01", "10 1e 00 08"])]),
      .quiet("none", [.values(["00 48"])]),
    ])
  static let traits: MeasurementTraits = [.oddInterval, .behind]
  static let tellsWhatLasts = true
  private var run: Run?
  /// Runs of intervals whose octets may be in the wrong order, judged together at the end: then it is known how many there
  /// are. Some intervals are in range either way, and end a run.
  private var unclear: [Run] = []
  private var together: Run?

  private static let mostRuns = 200
  /// Fewer intervals, or fewer different ones, make the rate by chance with their octets in the other order.
  private static let fewest = (intervals: 5, different: 3)

  /// Measurements one after another with such intervals.
  private struct Run {
    /// Where they are, and how many intervals.
    var span: RecordSpan
    /// The first.
    let odd: UInt16
    /// How many make the rate beside them with their octets in the other order, and how many, be it roughly, as those of
    /// a heart without any rhythm do.
    var swapped = 0
    var roughly = 0
    /// The first of those that make it, and differ.
    var different: [UInt16] = []

    /// Whether nearly all may have their octets in the wrong order.
    var mayBeSwapped: Bool { roughly * 10 >= span.count * 9 }

    /// Whether all have, if they may: of the most irregular heart, too, most intervals are within a quarter of what the rate
    /// makes them.
    var isSwapped: Bool {
      swapped >= fewest.intervals && different.count >= fewest.different && swapped * 2 >= span.count
    }

    mutating func noteDifferent(_ interval: UInt16) {
      if different.count < fewest.different, !different.contains(interval) { different.append(interval) }
    }

    /// This one, and one that comes later.
    func followed(by next: Run) -> Run {
      var both = self
      both.span.extend(by: next.span)
      both.swapped += next.swapped
      both.roughly += next.roughly
      for interval in next.different { both.noteDifferent(interval) }
      return both
    }
  }

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    // What a malformed value makes of intervals is none.
    guard measurement.traits.contains(.oddInterval), !measurement.traits.contains(.malformed) else {
      return end(&scene)
    }
    for interval in scene.series.intervals where !HeartLimits.intervals.contains(Int(interval)) {
      var run = self.run ?? Run(span: RecordSpan(scene.moment, count: 0), odd: interval)
      run.span.extend(to: scene.moment)
      let other = interval.byteSwapped
      if Self.isRate(other, of: measurement) {
        run.swapped += 1
        run.noteDifferent(interval)
      }
      if Self.isRoughlyRate(other, of: measurement) { run.roughly += 1 }
      self.run = run
    }
  }

  /// Whether an interval is one that the rate beside it makes, within the quarter that a heart's hardly ever leave.
  private static func isRate(_ interval: UInt16, of measurement: ObservedMeasurement) -> Bool {
    abs(units(of: interval, beside: measurement) - 61_440) * 4 <= 61_440
  }

  /// Whether it is no less than half and no more than twice of that, as in a heart that flutters: what is no interval is
  /// so about once in fifty times.
  private static func isRoughlyRate(_ interval: UInt16, of measurement: ObservedMeasurement) -> Bool {
    (30_720...122_880).contains(units(of: interval, beside: measurement))
  }

  /// An interval times the rate beside it: of a steady heart, the units of a minute.
  private static func units(of interval: UInt16, beside measurement: ObservedMeasurement) -> Int {
    let sent = measurement.rate ?? 0
    return Int(interval) * (measurement.isByteSwapped ? sent >> 8 : sent)
  }

  mutating func finish(_ scene: inout RuleScene) {
    end(&scene)
    guard let together, together.isSwapped else {
      for run in unclear { report(run, &scene) }
      return
    }
    let (interval, count) = (together.odd, together.span.count)
    let message =
      "\(count) RR-Intervals that lie between no two beats make the heart rate with their octets in the other "
      + "order: the first, \(milliseconds(interval)) ms (\(interval)), would be \(milliseconds(interval.byteSwapped)) ms "
      + "(\(interval.byteSwapped))"
    scene.report(Self.self, message, over: together.span)
  }

  private mutating func end(_ scene: inout RuleScene) {
    guard let run else { return }
    self.run = nil
    let isFull = unclear.count >= Self.mostRuns && together?.isSwapped != true
    guard run.mayBeSwapped, !isFull else { return report(run, &scene) }
    together = together?.followed(by: run) ?? run
    if unclear.count < Self.mostRuns { unclear.append(run) }
  }

  private func report(_ run: Run, _ scene: inout RuleScene) {
    let count = run.span.count
    let what = count == 1 ? "an RR-Interval of" : "\(count) RR-Intervals that lie between no two beats, the first of"
    let message = "\(what) \(milliseconds(run.odd)) ms (\(run.odd))"
    scene.report(Self.self, message, over: run.span)
  }
}

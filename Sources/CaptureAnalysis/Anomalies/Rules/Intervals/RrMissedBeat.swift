/// A beat that was not detected, or one that was detected twice.
struct RrMissedBeat: AnomalyRule {
  static let about = RuleDescription(
    "rr-missed-beat", .info,
    finds: "An RR-Interval about twice as long as those around it, or two that add up to one of them.",
    matters: "Both are artefacts of detection, or extra beats of the heart; variability counts them in full.",
    advice: "Correct them before variability is computed.",
    reference: "Lipponen and Tarvainen, A robust algorithm for heart rate variability time series artefact correction "
      + "using novel beat classification (2019)",
    explainedBy: ["contact-lost"],
    examples: [
      .finds("twice as long", [.values(["10 3c 00 04", "10 3c 04 04", "10 3c 04 08", "10 3c 02 04", "10 3c 00 04"])]),
      .finds(
        "twice as long, behind a second without",
        [.values(["10 48 55 03", "10 48 57 03", "00 48", "10 48 aa 06", "10 48 53 03", "10 48 55 03"])]),
      .finds(
        "twice as long, where every other notification holds none",
        [
          .repeated(["00 4b", "10 4b 33 03"], times: 5, every: 0.4), .repeated(["00 4b"], times: 4, every: 0.4),
          .values(["10 4b 66 06"], every: 0.4), .repeated(["00 4b", "10 4b 33 03"], times: 5, every: 0.4),
        ]),
      .finds(
        "twice as long, and the rate follows at once",
        [.values(["10 3c 00 04", "10 3c 04 04", "10 1e 00 08", "10 3c 02 04", "10 3c 00 04"])]),
      .finds(
        "one in two pieces",
        [.values(["10 3c 00 04", "10 3c 04 04", "10 3c 80 01 80 02", "10 3c 02 04", "10 3c 00 04"])]),
      .quiet(
        "octets in the wrong order, which is another finding",
        [.values(["10 48 03 50", "10 48 03 a0", "10 48 03 4c", "10 48 03 60"])]),
      .quiet("a slow change", [.values(["10 3c 00 04", "10 3c 80 04", "10 3c 00 05", "10 3c 80 05", "10 3c 00 06"])]),
      .quiet(
        "twice as long, behind a silence",
        [.values(["10 3c 00 04", "10 3c 04 04"]), .wait(4), .values(["10 3c 00 08", "10 3c 02 04", "10 3c 00 04"])]),
      .quiet(
        "a pause that stays", [.values(["10 3c 00 04", "10 3c 00 04", "10 1e 00 08", "10 1e 00 08", "10 1e 00 08"])]),
    ])
  static let traits: MeasurementTraits = .unevenIntervals
  private var run: RecordSpan?
  private var missed = 0
  private var extra = 0

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    var last = scene.series.rhythm.before
    var isFirst = true
    for interval in scene.series.intervals {
      defer { isFirst = false }
      last = last.followed(by: interval)
      if Self.isMissed(last) {
        missed += 1
      } else if Self.isExtra(last) {
        extra += 1
      } else {
        continue
      }
      // What follows an odd interval tells that it is one.
      run.extend(to: isFirst ? scene.series.lastWithIntervals ?? scene.moment : scene.moment)
    }
  }

  /// What is longer lies between no two beats, and is another finding.
  private static let longest = HeartLimits.intervals.upperBound

  /// Whether the last but one is about twice its neighbours.
  private static func isMissed(_ four: LastIntervals) -> Bool {
    guard four.hasLong else { return false }
    let last = four.values
    let neighbours = Double(last.1 + last.3) / 2
    return last.1 <= Self.longest && Self.areClose(last.1, last.3)
      && (1.8...2.3).contains(Double(last.2) / neighbours)
  }

  /// Whether the two in the middle add up to one of those around them.
  private static func isExtra(_ four: LastIntervals) -> Bool {
    guard four.hasShort else { return false }
    let last = four.values
    let around = Double(last.0 + last.3) / 2
    return last.0 <= Self.longest && Self.areClose(last.0, last.3)
      && (0.9...1.1).contains(Double(last.1 + last.2) / around)
      && Double(max(last.1, last.2)) < 0.75 * around
  }

  private static func areClose(_ one: Int, _ other: Int) -> Bool {
    Double(abs(one - other)) < 0.15 * Double(max(one, other))
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let run else { return }
    let parts = [
      missed > 0 ? "\(times(missed)), an interval is about twice as long as those around" : nil,
      extra > 0 ? "\(times(extra)), two intervals add up to one of those around" : nil,
    ]
    let message = parts.compactMap { $0 }.joined(separator: "; ")
    scene.report(Self.self, message, over: run)
  }
}

import CaptureFiles

/// Intervals in the wrong unit.
struct RrInMilliseconds: AnomalyRule {
  static let seconds = RuleParameter("seconds", 20, in: 20...3600, "how long must have been looked at, in seconds")

  static let about = RuleDescription(
    "rr-in-milliseconds", .warning,
    finds: "RR-Intervals that fit the heart rate and the time as thousandths of a second, and not as 1/1024 s.",
    matters: "Everything computed from them is wrong by 2.4 %: little enough not to be noticed.",
    advice: "The unit is 1/1024 s: the sensor's maker has to convert.",
    reference: "HRS 1.0, 3.1.1.4",
    parameters: [seconds],
    examples: [
      .finds(
        "60 bpm with 1000, 75 bpm with 800",
        [
          .repeated(["10 3c e8 03"], times: 50),
          .repeated(["10 4b 20 03", "10 4b 20 03", "10 4b 20 03 20 03", "10 4b 20 03"], times: 15),
        ]
      ),
      .quiet("60 bpm with 1024", [.repeated(["10 3c 00 04"], times: 120)]),
      .finds(
        "120 bpm with 500 for half a minute", [.repeated(["10 78 f4 01 f4 01"], times: 33)]),
      .finds(
        "for a minute in the middle",
        [
          .repeated(["10 5a ab 02", "10 5a ab 02 aa 02"], times: 40),
          .repeated(["10 5a 9b 02", "10 5a 9b 02 9a 02"], times: 30),
          .repeated(["10 5a ab 02", "10 5a ab 02 aa 02"], times: 40),
        ]),
      .finds(
        "beside a rate that goes up and down",
        [
          .repeated(
            [
              "10 57 a4 02 9b 02", "10 59 91 02 89 02", "10 5b 81 02", "10 5d 79 02 72 02", "10 5e 6b 02",
              "10 60 66 02 60 02", "10 62 5c 02 58 02", "10 63 54 02", "10 64 51 02 4f 02", "10 65 4e 02 4d 02",
              "10 65 4c 02", "10 66 4c 02 4d 02", "10 66 4f 02 50 02", "10 66 53 02", "10 65 56 02 5a 02",
              "10 64 5e 02 63 02", "10 63 69 02", "10 62 6f 02 75 02", "10 60 7d 02 85 02", "10 5f 8d 02",
              "10 5c 96 02 9f 02", "10 5b a8 02", "10 5a b2 02", "10 58 bc 02 c6 02", "10 56 d0 02",
              "10 54 da 02 e3 02", "10 53 eb 02", "10 52 f2 02", "10 50 f8 02 fd 02", "10 4f 00 03", "10 4f 01 03",
              "10 4f 01 03", "10 4e ff 02 fb 02", "10 4e f6 02", "10 4f f0 02", "10 50 e8 02 df 02", "10 50 d6 02",
              "10 52 cc 02 c2 02", "10 53 b8 02", "10 54 ae 02",
            ], times: 3)
        ]),
      .quiet(
        "a rate that rises: it is the mean of beats before, and the beats are ahead of it",
        [
          .values([
            "10 3e df 03", "10 3e d5 03", "10 3f cb 03", "10 3f c1 03", "10 3f b8 03", "10 40 af 03", "10 40 a6 03",
            "10 41 9e 03", "10 41 95 03", "10 42 8d 03", "10 43 85 03", "10 44 7e 03 76 03", "10 44 6f 03",
            "10 45 68 03", "10 46 61 03", "10 46 5a 03", "10 47 53 03 4d 03", "10 48 46 03", "10 48 40 03",
            "10 49 3a 03", "10 4a 34 03 2e 03", "10 4b 29 03", "10 4b 23 03", "10 4c 1e 03", "10 4d 18 03 13 03",
            "10 4d 0e 03", "10 4e 09 03", "10 4f 04 03 ff 02", "10 4f fa 02", "10 50 f6 02", "10 51 f1 02 ed 02",
            "10 51 e8 02", "10 52 e4 02", "10 53 e0 02 db 02", "10 53 d7 02", "10 54 d3 02 cf 02", "10 55 cb 02",
            "10 56 c7 02 c4 02", "10 56 c0 02", "10 57 bc 02 b9 02", "10 57 b5 02", "10 58 b2 02 ae 02",
            "10 59 ab 02", "10 5a a7 02 a4 02", "10 5a a1 02", "10 5b 9e 02 9a 02", "10 5c 97 02",
            "10 5c 94 02 91 02",
          ])
        ]),
      .quiet(
        "a beat in forty is missing, and what the rates make is right",
        [.repeated(Array(repeating: "10 78 00 02 00 02", count: 19) + ["10 78 00 02"], times: 9)]),
      .quiet(
        "one value in place of others, now and then",
        [
          .repeated(
            [
              "10 48 5a 03", "10 48 63 03", "10 48 55 03", "10 48 55 03", "10 48 50 03", "10 48 50 03 47 03",
              "10 48 55 03", "10 48 5e 03", "10 48 5a 03", "10 48 63 03", "10 48 00 02 55 03", "10 48 00 02",
              "10 48 63 03", "10 48 47 03", "10 48 57 03", "10 48 50 03 5a 03", "10 48 57 03", "10 48 50 03",
              "10 48 50 03", "10 48 53 03 47 03", "10 48 4c 03", "10 48 50 03", "10 48 5e 03", "10 48 63 03",
              "10 48 4c 03 5e 03",
            ], times: 2)
        ]),
      .quiet("too short to tell", [.repeated(["10 3c e8 03"], times: 20)]),
      .quiet("a slow heart, of which a beat more or less would tell as much", [.repeated(["10 3c e8 03"], times: 33)]),
    ])
  static let blocks: BlockWish = .apart
  private let least: Double
  /// What may be a stretch of thousandths, and what of it leads farthest.
  private var stretch: IntervalShortfall?
  private var best: IntervalShortfall?
  /// All that can be compared, for where the rate moves so much that no stretch leads far; and whether something was left
  /// out before what comes next.
  private var session: IntervalShortfall?
  private var hasHole = false
  /// The rate of the block before; nil where something is between.
  private var lastRate: Double?
  private var lastTime: Timestamp?
  /// The stretches that are, together.
  private var found: (all: IntervalShortfall, stretches: Int)?

  init(_ settings: RuleSettings) {
    least = settings.value(Self.seconds, of: Self.self)
  }

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    // Where there is a gap, the block's time does not reach back to the one before.
    if let lastTime, block.last.time.seconds(since: lastTime) - block.elapsed > 1 { lastRate = nil }
    lastTime = block.last.time
    let isBroken = lastRate == nil
    let part = scene.series.lacksMeasurement(block) ? nil : IntervalShortfall(block, after: lastRate)
    lastRate = part.flatMap { _ in block.meanRate }
    guard let part else { return hasHole = true }
    guard !part.isStep else {
      hasHole = true
      return end()
    }
    session = session?.followed(by: part, isBroken: isBroken || hasHole) ?? part
    hasHole = false
    let whole = stretch?.followed(by: part, isBroken: isBroken) ?? part
    stretch = whole
    guard whole.lead > 0 else { return end() }
    guard let best, best.lead >= whole.lead else { return best = whole }
    if whole.lead < best.lead - part.fall { end() }
  }

  mutating func finish(_ scene: inout RuleScene) {
    // Of a short session, what fills no block is a good part.
    if let rest = scene.series.rest { note(rest, &scene) }
    end()
    if found == nil, let session, isFault(session) { found = (session, 1) }
    guard let found else { return }
    let (all, intervals) = (found.all, found.all.intervals)
    let places = found.stretches == 1 ? "" : ", in \(found.stretches) stretches,"
    let message =
      "over \(CaptureAnalysis.seconds(intervals + all.ofTime))\(places) the RR-Intervals come to "
      + "\(number(intervals / (intervals + all.ofTime), decimals: 3)) of the time and to "
      + "\(number(intervals / (intervals + all.ofRates), decimals: 3)) of what the heart rates make: 1000/1024, as if they "
      + "were milliseconds"
    scene.report(Self.self, message, from: all.first, to: all.last, count: found.stretches)
  }

  /// The stretch is over: from its beginning to where it led farthest; or to its end, where the lead stood still because
  /// the rate rose, which the whole tells better.
  private mutating func end() {
    defer { (stretch, best) = (nil, nil) }
    guard let best = [best, stretch].lazy.compactMap(\.self).first(where: isFault) else { return }
    found = found.map { ($0.all.followed(by: best, isBroken: true), $0.stretches + 1) } ?? (best, 1)
  }

  private func isFault(_ part: IntervalShortfall) -> Bool {
    part.isThousandths && part.intervals + part.ofTime >= least
  }
}

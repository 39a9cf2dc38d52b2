import Octets

/// Intervals that come a second time.
struct RrRepeated: AnomalyRule {
  static let about = RuleDescription(
    "rr-repeated", .warning,
    finds:
      "Two or more RR-Intervals that were sent before come again in the next notification, or one value stands alone "
      + "in four notifications in a row, or a connection begins with those that the one before, with the same sensor, "
      + "ended with.",
    matters: "Beats count twice: variability becomes too small, and time runs ahead.",
    advice: "The sensor's maker has to take intervals out of its queue once they are sent.",
    reference: "HRS 1.0, 3.1.1.4",
    explainedBy: ["notification-repeated", "rr-fill-value"],
    examples: [
      .finds(
        "the last two come again, and those are told together",
        [
          .repeated(["10 78 00 02 02 02", "10 78 fe 01 04 02", "10 78 f8 01 06 02"], times: 3),
          .values(["10 78 00 02 10 02", "10 78 00 02 10 02 08 02 f0 01"]),
          .repeated(["10 78 fc 01 02 02", "10 78 fe 01 04 02"], times: 3),
        ]),
      .finds(
        "one value alone, five times",
        [
          .repeated(["10 3c 00 04", "10 3c 08 04"], times: 5), .repeated(["10 3c 04 04"], times: 5),
          .repeated(["10 3c 00 04", "10 3c 08 04"], times: 5),
        ]),
      .finds(
        "one value alone, always, though the rate moves",
        [
          .repeated(["10 46 33 03"], times: 20), .repeated(["10 50 33 03"], times: 20),
          .repeated(["10 48 33 03"], times: 20),
        ]
      ),
      .quiet(
        "one value alone, always, of a rate that stays",
        [.repeated(["10 4b 33 03"], times: 40), .repeated(["10 4a 33 03"], times: 20)]),
      .quiet(
        "one value alone, four times in two seconds, of a sensor of which two in a row often are equal",
        [
          .repeated(
            ["10 78 00 02", "10 78 04 02", "10 78 04 02", "10 78 fc 01", "10 78 fe 01", "10 78 02 02"],
            times: 40, every: 0.5), .repeated(["10 78 01 02"], times: 4, every: 0.5),
          .repeated(["10 78 00 02", "10 78 04 02", "10 78 fc 01", "10 78 fe 01"], times: 40, every: 0.5),
        ]),
      .quiet(
        "intervals of a steady heart, told in steps of 8",
        [
          .repeated(["10 3c 00 04", "10 3c 08 04", "10 3c 08 04", "10 3c 00 04", "10 3c 00 04"], times: 8),
          .repeated(["10 3c 08 04"], times: 4), .repeated(["10 3c 00 04", "10 3c 08 04", "10 3c 08 04"], times: 8),
        ]),
      .quiet(
        "computed from a rate that stays for a while",
        [.repeated(["10 3c 00 04"], times: 12), .repeated(["10 3e df 03", "10 3f cf 03"], times: 10)]),
      .finds(
        "lists of a heart that varies come again in place of others",
        [
          .repeated(
            [
              "10 78 f0 01 02 02", "10 78 1e 02 04 02", "10 78 e8 01 06 02", "10 78 12 02 f8 01",
              "10 78 08 02 16 02",
            ], times: 8), .values(["10 79 e4 01 1c 02", "10 7a e4 01 1c 02"]),
          .repeated(["10 78 f0 01 02 02", "10 78 1e 02 04 02", "10 78 e8 01 06 02"], times: 3),
          .values(["10 79 e2 01 1b 02", "10 7a e2 01 1b 02", "10 79 e2 01 1b 02"]),
          .repeated(["10 78 f0 01 02 02", "10 78 1e 02 04 02", "10 78 e8 01 06 02"], times: 4),
        ]),
      .finds(
        "a list twice more in place of others, beside intervals that scatter",
        [
          .repeated(
            ["10 40 89 03 b7 03", "10 40 dc 03 a6 03", "10 40 99 03 f2 03", "10 40 c7 03 7d 03", "10 40 83 03 d2 03"],
            times: 8, every: 2),
          .values(["10 41 ac 03 79 03", "10 41 ac 03 79 03", "10 42 ac 03 79 03"], every: 2),
          .repeated(
            ["10 40 89 03 b7 03", "10 40 dc 03 a6 03", "10 40 99 03 f2 03", "10 40 c7 03 7d 03", "10 40 83 03 d2 03"],
            times: 8, every: 2),
        ]),
      .finds(
        "five times, while the rate moves",
        [
          .repeated(
            ["10 6e 3b 02 24 02", "10 6e 1c 02 33 02", "10 6e 28 02 43 02", "10 6e 36 02 1a 02"], times: 12),
          .values([
            "10 6d 20 02 2d 02", "10 6d 20 02 2d 02", "10 6d 20 02 2d 02", "10 6e 20 02 2d 02", "10 6e 20 02 2d 02",
            "10 6e 20 02 2d 02",
          ]),
          .repeated(
            ["10 6e 3b 02 24 02", "10 6e 1c 02 33 02", "10 6e 28 02 43 02", "10 6e 36 02 1a 02"], times: 12),
        ]),
      .finds(
        "two of five lists are the one before",
        [
          .repeated(
            ["10 40 89 03 b7 03", "10 40 89 03 b7 03", "10 40 dc 03 a6 03", "10 40 99 03 f2 03", "10 40 99 03 f2 03"],
            times: 18, every: 2)
        ]),
      .quiet(
        "intervals of 0, which are another finding",
        [.repeated(["10 3c 00 04", "10 3c 08 04", "10 3c 04 04"], times: 10), .repeated(["10 3c 00 00"], times: 8)]),
      .quiet(
        "a heart so steady that lists come again by chance",
        [.repeated(["10 78 00 02 02 02", "10 78 00 02 02 02", "10 78 02 02 00 02", "10 78 00 02 00 02"], times: 15)]),
      .quiet("a steady heart, told by a clock of 64 Hz: two values, nearly in turns", [.values(ticks)]),
      .quiet(
        "lists computed from a rate that stays for a while",
        [
          .repeated(["10 78 00 02 00 02"], times: 9), .repeated(["10 79 fc 01 fc 01"], times: 9),
          .repeated(["10 7b f4 01 f4 01"], times: 9), .repeated(["10 7a f8 01 f8 01"], times: 9),
        ]),
      .quiet("lists computed from a rate that lags behind one that rises, and then stays", [.values(lagging)]),
      .quiet(
        "an overlap by chance, behind some that were held back",
        [
          .repeated(["10 78 03 02 fd 01", "10 78 fe 01 02 02", "10 78 05 02 fb 01"], times: 8), .wait(4),
          .values(["10 78 ff 01 01 02", "10 78 06 02 fa 01", "10 78 07 02 f9 01", "10 78 04 02 fc 01"], every: 0.002),
          .values(["10 78 07 02 f9 01", "10 78 03 02 fd 01", "10 78 03 02 fd 01"]),
          .repeated(["10 78 fb 01 05 02", "10 78 03 02 fd 01", "10 78 04 02 fc 01"], times: 4),
        ]),
      .quiet("two equal beats", [.values(["10 3c 00 04", "10 3c 00 04", "10 3c 08 04", "10 3c 08 04"])]),
      .quiet(
        "an overlap by chance, in time",
        [
          .repeated(["10 78 00 02 02 02", "10 78 fe 01 04 02", "10 78 f8 01 06 02"], times: 3),
          .values(["10 78 00 02 00 02", "10 78 00 02 00 02", "10 78 02 02 fe 01"]),
        ]),
      .finds(
        "the last twelve values of a connection come again when it was lost and made anew",
        [.values(varied(0..<40)), .disconnect(0x08), .wait(8), .connect, .values(varied(28..<60))]),
      .finds(
        "the same, at once, and after an attempt that brought none",
        [
          .values(varied(0..<40)), .disconnect(0x08), .wait(8), .connect, .disconnect(0x3E), .wait(2), .connect,
          .values(varied(20..<40), every: 0.03), .values(varied(40..<60)),
        ]),
      .quiet(
        "the connection was lost and made anew, and the heart goes on",
        [.values(varied(0..<40)), .disconnect(0x08), .wait(8), .connect, .values(varied(48..<90))]),
      .quiet(
        "the last two values of a connection come again when it was lost and made anew",
        [.values(varied(0..<40)), .disconnect(0x08), .wait(8), .connect, .values(varied(38..<60))]),
      .quiet(
        "the connection was lost and made anew, of a heart so steady that three values are all there are",
        [
          .repeated(["10 3c 00 04", "10 3c 08 04", "10 3c 04 04"], times: 12), .disconnect(0x08), .wait(8), .connect,
          .repeated(["10 3c 00 04", "10 3c 08 04", "10 3c 04 04"], times: 12),
        ]),
    ])
  /// Values of a heart whose intervals differ.
  private static func varied(_ seconds: Range<Int>) -> [String] {
    seconds.map { second in "10 40 \(UInt8(second * second * 37 % 101 + 100).hexadecimal) 03" }
  }

  /// A second each: as many intervals as the heart beats, of the length that its rate had eight seconds before.
  private static let lagging = (0..<60).map { second in
    let rate = 90 + min(max(second - 8, 0), 44)
    let (before, now) = (second * (90 + second / 2), (second + 1) * (90 + (second + 1) / 2))
    let interval = (61_440 + rate / 2) / rate
    let octets = " \(UInt8(interval & 0xFF).hexadecimal) \(UInt8(interval >> 8).hexadecimal)"
    return "10 \(UInt8(rate).hexadecimal)" + String(repeating: octets, count: now / 60 - before / 60)
  }

  /// The intervals of a heart of 139 beats a minute, 448 and 432.
  private static let ticks = [
    "ccb", "cb", "cc", "bcb", "cb", "cb", "cc", "bcb", "cb", "cc", "bcc", "bc", "bc", "bcc", "bc", "bc", "bcb", "cb",
    "cc", "bcc", "bc", "bc", "cbc", "bb", "cc", "bcb", "cc", "bc", "cbc", "bc", "cb", "ccb", "cb", "cc", "bc", "bcb",
    "cb", "cb", "cbc",
  ].map { list in "10 8b" + list.map { " \($0)0 01" }.joined() }

  static let traits: MeasurementTraits = [.repeatedIntervals, .behind]
  static let blocks: BlockWish = .apart
  private static let mostRuns = 200

  /// Notifications in a row that hold one interval alone, always the same.
  private struct Same {
    var run: RecordSpan
    /// The rates beside it.
    private(set) var rates: ClosedRange<Int>?

    mutating func note(_ rate: Int?) {
      guard let rate, rate > 0 else { return }
      rates = min(rate, rates?.lowerBound ?? rate)...max(rate, rates?.upperBound ?? rate)
    }

    /// The rates, if it is almost all there is, of so many notifications, and they go farther than the coarsest clock would
    /// leave an interval the same.
    func contradictedRates(in notifications: Int) -> ClosedRange<Int>? {
      guard run.count >= 30, 10 * run.count >= 9 * notifications, let rates else { return nil }
      return Double(rates.upperBound) >= 1.12 * Double(rates.lowerBound) ? rates : nil
    }
  }

  private var repeats: RecordSpan?
  private var repeatedIntervals = 0
  /// How long all are that may have come twice, in seconds.
  private var secondsTwice = 0.0
  /// Notifications of which the first interval alone is the last one before, as it may be by chance.
  private var singles: RecordSpan?
  /// The same in notifications that are those before, octet for octet: of a sensor that sends them twice, that is another
  /// finding.
  private var copies: (span: RecordSpan?, intervals: Int) = (nil, 0)
  /// The last of them.
  private var provenOrdinal: Int?
  private var same: Same?
  /// Runs of one value, told at the end: where intervals are computed from the rate, they are no beats that come twice.
  private var alone: [(same: Same, interval: UInt16)] = []
  private var synthesised = SynthesisedShare()
  private var chance = Coincidences()
  private var few = FewValues()

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    // Intervals that are none are another finding.
    guard measurement.traits.isDisjoint(with: [.malformed, .oddInterval]) else { return endSame(&scene) }
    noteSame(&scene)
    guard measurement.traits.contains(.repeatedIntervals) else { return }
    let (before, now) = (scene.series.previousIntervals, scene.series.intervals)
    if now.first == before.last { chance.noteEqual(measurement.ordinal) }
    let overlap = Self.overlap(before, now)
    secondsTwice += Self.length(of: now.prefix(overlap))
    guard overlap >= 2 else {
      if overlap > 0 { singles.extend(to: scene.moment) }
      return
    }
    if isProven(overlap, measurement, scene) {
      provenOrdinal = measurement.ordinal
      // What came again just before is a part of it.
      if let row = chance.takeRun(before: measurement.ordinal) {
        repeats.extend(by: row.again)
        repeatedIntervals += row.intervals
      }
      if measurement.traits.contains(.repeated) {
        copies.span.extend(to: scene.moment)
        copies.intervals += overlap
      } else {
        repeats.extend(to: scene.moment)
        repeatedIntervals += overlap
      }
    } else if overlap == now.count, overlap == before.count {
      chance.noteAgain(overlap, measurement.ordinal, scene.moment)
      few.noteAgain(now)
    }
  }

  /// Whether so many first intervals come twice, as those of the notification before do, or since beats that come twice
  /// take no time. Without that, the time may be ahead of its mean by half a beat, and by half of what a measurement may
  /// wait for a connection event.
  private func isProven(_ overlap: Int, _ measurement: ObservedMeasurement, _ scene: RuleScene) -> Bool {
    if let provenOrdinal, provenOrdinal == measurement.ordinal - 1 { return true }
    let (series, wait) = (scene.series, scene.longestWait ?? 0)
    let length = Self.length(of: series.intervals.prefix(overlap))
    // Once some are proven, the time has run ahead; what is the same at once is proven by itself.
    if repeats != nil || copies.span != nil, measurement.traits.contains(.repeated),
      measurement.sinceLast < 0.5 * length,
      !measurement.traits.contains(.heldBack)
    {
      return true
    }
    return series.balance.isSettled && !clockLags(series)
      && series.balance.excess > max(0.6 * length, 0.35 * length + 0.5 * wait)
  }

  /// In seconds.
  private static func length(of intervals: Slice<MeasurementIntervals>) -> Double {
    Double(intervals.reduce(0) { $0 &+ Int($1) }) / 1024
  }

  /// Whether the time falls behind all the while, by much more than what may have come twice makes: by a clock that is slow,
  /// or other intervals that are none. Then it proves nothing of those.
  private func clockLags(_ series: MeasurementSeries) -> Bool {
    series.balance.value > 2 * secondsTwice + Self.leastLag
  }

  /// In seconds.
  private static let leastLag = 10.0

  /// No value is so long that it has more. Core 6.0, Vol 3, Part F, 3.2.9.
  private static let mostOfMeasurement = 255

  /// How many of the first intervals are the last of those before.
  private static func overlap(_ before: MeasurementIntervals, _ now: MeasurementIntervals) -> Int {
    var length = min(before.count, now.count, Self.mostOfMeasurement)
    while length > 0, !now.begins(with: length, lastOf: before) { length -= 1 }
    return length
  }

  private mutating func noteSame(_ scene: inout RuleScene) {
    let (before, now) = (scene.series.previousIntervals, scene.series.intervals)
    guard now.count == 1, before.count == 1, now[0] == before[0], let previous = scene.series.previous else {
      return endSame(&scene)
    }
    var ongoing = same ?? Same(run: RecordSpan(previous.moment))
    if same == nil { ongoing.note(previous.rate) }
    ongoing.run.extend(to: scene.moment)
    ongoing.note(scene.series.current?.rate)
    same = ongoing
  }

  private mutating func endSame(_ scene: inout RuleScene) {
    defer { same = nil }
    guard let same, same.run.count >= 4, let interval = scene.series.previousIntervals.first else { return }
    keep(same, interval)
  }

  private mutating func keep(_ same: Same, _ interval: UInt16) {
    if alone.count < Self.mostRuns { alone.append((same, interval)) }
  }

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    synthesised.note(block)
    few.note(block)
  }

  mutating func finish(_ scene: inout RuleScene) {
    if let same, same.run.count >= 4, let interval = scene.series.intervals.first { keep(same, interval) }
    same = nil
    let notifications = scene.series.count
    for (same, interval) in alone {
      let rates = same.contradictedRates(in: notifications)
      guard rates != nil || !synthesised.isPossible && chance.isUnlikely(run: same.run.count, in: notifications) else {
        continue
      }
      let beside = rates.map { ", while the rate goes from \($0.lowerBound) to \($0.upperBound) bpm" } ?? ""
      let message =
        "\(same.run.count) notifications in a row hold the same RR-Interval alone, \(milliseconds(interval)) ms\(beside)"
      scene.report(Self.self, message, over: same.run)
    }
    // A rate that lags behind makes intervals that run ahead of the time: what is computed from it is no beat.
    if let span = copies.span, !scene.areSentTwice {
      repeats.extend(by: span)
      repeatedIntervals += copies.intervals
    }
    // Where almost all begin with what came before, those do that repeat one interval.
    if let run = repeats, let singles, 10 * (run.count + singles.count) >= 9 * notifications {
      repeats.extend(by: singles)
      repeatedIntervals += singles.count
    }
    if let run = repeats, !synthesised.isCertain, !clockLags(scene.series) {
      let message =
        "\(repeatedIntervals) RR-Intervals were sent again: the last ones of the notification before"
        + (run.count > 1 ? ", in \(run.count) notifications" : "")
      scene.report(Self.self, message, over: run)
    }
    // What is computed from the rate comes again with the rate.
    if !synthesised.isPossible, !scene.areSentTwice, !few.areAll(with: scene.series.rest),
      let found = chance.unlikely(in: notifications)
    {
      let message =
        "the RR-Intervals of a notification come again in place of new ones, and hardly by chance\(inAll(found.count))"
      scene.report(Self.self, message, over: found)
    }
    reportFormer(&scene)
  }

  /// Says that the intervals of the connection before came again, unless a rate that moves the same way has made them.
  private func reportFormer(_ scene: inout RuleScene) {
    guard let found = scene.series.former?.found, let first = scene.series.beginning, !synthesised.isPossible else {
      return
    }
    let count = found.ordinal + 1
    let message =
      "the RR-Intervals that the connection before ended with come again, among those of the first \(measurements(count))"
    scene.report(Self.self, message, from: first, to: found.moment, count: count)
  }
}

/// More intervals than a notification holds, and what became of the others.
struct RrOverflow: AnomalyRule {
  static let about = RuleDescription(
    "rr-overflow", .warning,
    finds:
      "A notification that is full to the ATT_MTU, whose other RR-Intervals are lost or come in an extra notification "
      + "at once.",
    matters: "Beats are missing, or an app that counts notifications sees one too many.",
    advice: "The sensor has to keep what does not fit for the next notification; a longer ATT_MTU helps.",
    reference: "HRS 1.0, 3.1.1.4",
    explainedBy: ["notification-gap"],
    examples: [
      .finds(
        "nine intervals after a gap, and the others are lost",
        [
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 4), .wait(8),
          .values([
            "10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02", "10 78 00 02 04 02", "10 78 00 02 04 02",
          ]),
        ]),
      .finds(
        "nine, and the others at once",
        [
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 4), .wait(5),
          .values(["10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02", "10 78 00 02 04 02"], every: 0.05),
          .wait(1), .values(["10 78 00 02 04 02"]),
        ]),
      .quiet(
        "nine that are all there were",
        [
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 4), .wait(3.5),
          .values([
            "10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02", "10 78 00 02 04 02", "10 78 00 02 04 02",
          ]),
        ]),
      .finds(
        "intervals are held back, without a silence, and half of them are lost",
        [
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 8), .repeated(["00 78"], times: 8),
          .values(["10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02"]),
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 15),
        ]),
      .finds(
        "two are lost",
        [
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 8), .wait(4.5),
          .values(["10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02"]),
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 15),
        ]),
      .finds(
        "every notification is full, which is told once",
        [.repeated(["10 90 aa 01 aa 01 aa 01 aa 01 aa 01 aa 01 aa 01 aa 01 aa 01"], times: 20, every: 5)]),
      .quiet(
        "the others come with the next ones",
        [
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 8), .wait(5),
          .values([
            "10 78 00 02 02 02 04 02 06 02 00 02 02 02 04 02 06 02 00 02", "10 78 00 02 04 02 02 02 04 02 06 02",
          ]),
          .repeated(["10 78 00 02 04 02", "10 78 fe 01 02 02"], times: 15),
        ]),
      .quiet(
        "every notification is full, and nothing is lost",
        [.repeated(["10 6c 39 02 39 02 39 02 39 02 39 02 39 02 39 02 39 02 39 02"], times: 20, every: 5)]),
      .quiet("two", [.repeated(["10 78 00 02 04 02"], times: 10)]),
    ])
  static let traits: MeasurementTraits = [.full, .behind]
  static let blocks: BlockWish = .apart

  /// Notifications that are full, one soon after another, and what was known before the first of them.
  private struct Episode {
    let first: Moment
    var last: Moment
    /// The place of the last.
    var ordinal: Int
    var full = 1
    /// Their RR-Intervals, in seconds.
    var intervals: Int
    var length: Double
    /// How much longer than their time the intervals were before, and how sure that is.
    let before: Double
    let isSettled: Bool
    let beginnings: Int
    /// From the last intervals before the first to those of the last, in seconds; nil if that is not known.
    var covered: Double?
    /// The same right behind the last.
    var after: Double
    /// Those that came at once behind one that is full.
    var extra: (notifications: Int, intervals: Int, gap: Double) = (0, 0, 0)
    /// Whether one that is not full came behind the last.
    var isFollowed = false
    /// Ten seconds that have gone by since.
    var blocks = 0

    /// The mean interval, in seconds.
    var interval: Double { length / Double(max(1, intervals)) }
  }

  /// Between two that are full, of one episode, there are no more others.
  private static let mostBetween = 5

  private var episode: Episode?

  init(_ settings: RuleSettings) {}

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    let intervals = scene.series.intervals
    if let episode, measurement.ordinal == episode.ordinal + 1 { follow(measurement, intervals.count, scene) }
    guard measurement.traits.contains(.full), !measurement.traits.contains(.malformed), isMTUKnown(measurement, scene),
      intervals.count > 4, scene.hasTimes,
      measurement.intervalCount == intervals.count, let gap = measurement.gap, gap < 60
    else { return }
    let balance = scene.series.balance
    let length = intervals.figures.seconds
    if let episode, measurement.ordinal - episode.ordinal > Self.mostBetween || episode.beginnings != balance.beginnings
    {
      end(&scene)
    }
    if episode == nil {
      // As long as it is not known, any value between two beats may have been the mean.
      let before = balance.isSettled ? balance.mean : balance.value - length + gap
      episode = Episode(
        first: scene.moment, last: scene.moment, ordinal: measurement.ordinal, intervals: intervals.count,
        length: length, before: before, isSettled: balance.isSettled, beginnings: balance.beginnings,
        covered: scene.series.lastWithIntervals.map(scene.seconds), after: balance.value)
    } else {
      if let last = episode?.last { episode?.covered? += scene.seconds(since: last) }
      episode?.full += 1
      episode?.intervals += intervals.count
      episode?.length += length
    }
    episode?.last = scene.moment
    episode?.ordinal = measurement.ordinal
    episode?.after = balance.value
    episode?.isFollowed = false
    episode?.blocks = 0
  }

  /// Whether it is known how much a notification has room for: where the connection's beginning is not in the capture, what is
  /// longer than the least ATT_MTU tells that it is another.
  private func isMTUKnown(_ measurement: ObservedMeasurement, _ scene: RuleScene) -> Bool {
    guard !scene.mayLackAgreement else { return false }
    return scene.wasSeen || measurement.length + 3 <= scene.mtu(of: scene.series.bearer) ?? 0
  }

  /// What comes behind one that is full.
  private mutating func follow(_ measurement: ObservedMeasurement, _ intervals: Int, _ scene: RuleScene) {
    if scene.series.balance.beginnings == episode?.beginnings { episode?.after = scene.series.balance.value }
    episode?.last = scene.moment
    episode?.isFollowed = true
    guard intervals > 0, measurement.traits.contains(.early), let extra = episode?.extra else { return }
    episode?.extra = (extra.notifications + 1, extra.intervals + intervals, max(extra.gap, measurement.sinceLast))
  }

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    guard let episode, block.first > episode.last else { return }
    self.episode?.blocks += 1
    if episode.blocks == 1 { end(&scene) }
  }

  mutating func finish(_ scene: inout RuleScene) { end(&scene) }

  private mutating func end(_ scene: inout RuleScene) {
    guard let episode else { return }
    self.episode = nil
    let often = episode.full == 1 ? "a notification" : "\(episode.full) notifications"
    let filled = "\(episode.intervals) RR-Intervals fill \(often)"
    let rest: String
    if episode.extra.notifications > 0 {
      let follow = episode.extra.intervals == 1 ? "follows" : "follow"
      rest = ", \(episode.extra.intervals) more \(follow) within \(length(seconds: episode.extra.gap))"
    } else if let missing = missing(episode, scene.series.balance) {
      rest = "; those of about \(seconds(missing)) more never come"
    } else {
      return
    }
    scene.report(Self.self, filled + rest, from: episode.first, to: episode.last, count: episode.full)
  }

  /// How long the intervals that never came were, in seconds; nil if it cannot be told that there were any. Where some are
  /// missing again and again, the mean lags behind: there were no more of these than the time had room for.
  private func missing(_ episode: Episode, _ balance: IntervalBalance) -> Double? {
    // Once twenty seconds have gone by, the mean tells; before that, a beat more or less may be under way.
    let isKnown = episode.blocks >= 1 && episode.isSettled && balance.beginnings == episode.beginnings
    let missing = episode.before - (isKnown ? balance.mean : episode.after)
    // Where the last is full, too, as many as it holds may be under way.
    let least = isKnown ? 0.8 : episode.isFollowed ? 1.5 : Double(episode.intervals) / Double(episode.full)
    guard missing > least * episode.interval else { return nil }
    return min(missing, max(least * episode.interval, episode.covered.map { $0 - episode.length } ?? missing))
  }
}

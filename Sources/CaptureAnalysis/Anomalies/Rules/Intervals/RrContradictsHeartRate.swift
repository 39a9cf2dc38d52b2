import CaptureFiles

/// Intervals that make another rate than the one beside them.
struct RrContradictsHeartRate: AnomalyRule {
  static let tolerance = RuleParameter("tolerance", 0.1, in: 0.02...1, "how far apart the two rates may be, as a part")

  static let about = RuleDescription(
    "rr-contradicts-heart-rate", .warning,
    finds:
      "Over ten seconds the mean RR-Interval makes a rate that differs by more than a tenth from the one that is sent, "
      + "and so do those of the ten seconds before, over which a sensor may take its mean.",
    matters: "One of the two is wrong: an old rate, a rate of steps, or intervals in another unit.",
    advice: "Believe the intervals if they add up to the time that went by.",
    explainedBy: ["heart-rate-frozen", "heart-rate-jump", "rr-fill-value", "rr-out-of-range", "rr-overflow"],
    isExplainedWhileLasting: true, parameters: [tolerance],
    examples: [
      .finds("72 beside intervals of one second", [.repeated(["10 48 00 04", "10 48 08 04"], times: 15)]),
      .finds(
        "72 beside intervals that make 60, for fifteen seconds",
        [
          .repeated(["10 3c 00 04"], times: 23), .repeated(["10 48 00 04"], times: 15),
          .repeated(["10 3c 00 04"], times: 20),
        ]),
      .finds(
        "a third too much, while the heart goes from 70 to 100 and back",
        [
          .repeated(["10 46 6e 03"], times: 6), .repeated(["10 50 00 03"], times: 6),
          .repeated(["10 5a ab 02"], times: 6), .repeated(["10 64 66 02"], times: 6),
          .repeated(["10 5a ab 02"], times: 6), .repeated(["10 50 00 03"], times: 6),
          .repeated(["10 5b 6e 03"], times: 6), .repeated(["10 68 00 03"], times: 6),
          .repeated(["10 75 ab 02"], times: 6), .repeated(["10 82 66 02"], times: 6),
          .repeated(["10 75 ab 02"], times: 6), .repeated(["10 68 00 03"], times: 6),
          .repeated(["10 46 6e 03"], times: 6), .repeated(["10 50 00 03"], times: 6),
        ]),
      .finds(
        "72 beside intervals of one second, of a sensor that notifies every four seconds",
        [.repeated(["10 48 00 04 00 04 00 04 00 04", "10 48 00 04 08 04 f8 03 00 04"], times: 8, every: 4)]),
      .finds(
        "72 beside intervals of one second, of a sensor that notifies four times a second",
        [.repeated(["10 48 00 04", "00 48", "00 48", "00 48"], times: 30, every: 0.25)]),
      .quiet("60 beside intervals of one second", [.repeated(["10 3c 00 04", "10 3c 08 04"], times: 15)]),
      .quiet(
        "intervals whose octets are in the wrong order, which is another finding",
        [.repeated(["10 96 01 9a", "10 96 01 8c", "10 96 01 a6", "10 96 01 b0"], times: 10)]),
      .quiet(
        "a rate whose octets are in the wrong order", [.repeated(["11 00 3c 00 04", "11 00 3c 08 04"], times: 15)]),
      .quiet(
        "a rate that lags behind a hard start",
        [
          .values([
            "10 46 6d 03", "10 4b 00 03", "10 50 c0 02", "10 58 80 02", "10 60 50 02", "10 68 30 02", "10 70 20 02",
          ])
        ]
      ),
      .quiet(
        "a rate that lags twelve seconds behind, and so by a quarter",
        [
          .repeated(["10 46 6e 03"], times: 24), .repeated(["10 46 00 03"], times: 6),
          .repeated(["10 46 ab 02"], times: 6), .repeated(["10 50 66 02"], times: 6),
          .repeated(["10 5a 66 02"], times: 6), .repeated(["10 64 66 02"], times: 24),
        ]),
      .quiet(
        "a beat that was missed",
        [.repeated(["10 3c 00 04"], times: 8), .values(["10 3c 00 08"]), .repeated(["10 3c 00 04"], times: 8)]),
    ])
  static let blocks: BlockWish = .sliding
  private let tolerance: Double
  private var made = RecentRates()
  private var episode: Episode?
  /// In seconds: for so long the two rates may agree before it is over.
  private static let longestDoubt = 10.0

  /// Blocks of which the intervals make another rate, all of them a higher one or all of them a lower one.
  private struct Episode {
    let first: Moment
    var last: Moment
    let isHigher: Bool
    var blocks = 0.0
    var sent = 0.0
    var made = 0.0
    /// Those of the blocks whose sent rate is no mean of their beats and of those before: how many, their intervals, and how
    /// far the rate is from the nearest that these make, as a part.
    var sure = (blocks: 0, intervals: 0, difference: 0.0)
    /// Whether some have few rates: then one may be newer than most beats of its block.
    var isSparse = false

    /// Each measurement is in two blocks, but for those at the ends.
    var beats: Double { Double(sure.intervals * (sure.blocks + 1)) / Double(2 * sure.blocks) }
  }

  init(_ settings: RuleSettings) {
    tolerance = settings.value(Self.tolerance, of: Self.self)
  }

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    let (rates, intervals) = (HeartLimits.rates, HeartLimits.intervals)
    // A rate that no heart has is another finding.
    guard block.intervals >= 5, block.hasEnoughRates, let rate = block.meanRate, rate >= Double(rates.lowerBound),
      rate <= Double(rates.upperBound)
    else { return }
    let mean = Double(block.intervalSum) / Double(block.intervals)
    // What lies between no two beats makes no rate, and is another finding.
    guard block.intervalLeast >= intervals.lowerBound, block.intervalMost <= intervals.upperBound else { return }
    // What lies far from its neighbours is an artefact, and another rule's.
    guard mean > 0, Double(block.intervalMost) < 1.6 * mean, Double(block.intervalLeast) > 0.5 * mean else { return }
    let made = 61_440 / mean
    self.made.note(made, of: block)
    let isHigher = made > rate
    // Where a fault begins or ends, or is shorter than a block, some of the rates are right.
    let nearest = Double(isHigher ? block.rateMost : block.rateLeast)
    guard abs(made / rate - 1) > tolerance, abs(made / nearest - 1) > tolerance / 2, isHigher == (made > nearest) else {
      return
    }
    if let episode,
      episode.isHigher != isHigher || scene.seconds(from: episode.last, to: block.first) > Self.longestDoubt
    {
      end(&scene)
    }
    let last = block.last
    let first = block.first
    var episode = self.episode ?? Episode(first: first, last: last, isHigher: isHigher)
    episode.last = last
    episode.blocks += 1
    episode.sent += rate
    episode.made += made
    if let difference = self.made.difference(from: rate, least: block.rateLeast, most: block.rateMost),
      difference > tolerance
    {
      episode.sure.blocks += 1
      episode.sure.intervals += block.intervals
      episode.sure.difference += difference
    }
    episode.isSparse = episode.isSparse || block.rates < 5
    self.episode = episode
  }

  mutating func finish(_ scene: inout RuleScene) { end(&scene) }

  private mutating func end(_ scene: inout RuleScene) {
    guard let episode else { return }
    self.episode = nil
    // A few beats of a heart at rest make another rate than those before them, which the sent one is the mean of.
    guard episode.sure.blocks > (episode.isSparse ? 1 : 0),
      episode.sure.difference / Double(episode.sure.blocks) > tolerance * (1 + 6 / episode.beats)
    else { return }
    let (sent, made) = (episode.sent / episode.blocks, episode.made / episode.blocks)
    let length = scene.seconds(from: episode.first, to: episode.last)
    let message =
      "\(number(sent, decimals: 0)) bpm is sent, the RR-Intervals make \(number(made, decimals: 0)) bpm, "
      + "for \(seconds(length))"
    scene.report(Self.self, message, from: episode.first, to: episode.last)
  }
}

extension MeasurementBlock {
  /// Whether its rates are what the sensor has sent: five, or each of those of a sensor that sends fewer in such a time.
  fileprivate var hasEnoughRates: Bool { rates >= 5 || rates >= 2 && rates == count }
}

/// The rates that RR-Intervals have made in the last blocks.
///
/// What a sensor sends is the mean over its last beats, as many as its maker thinks fit: while the rate moves it lags
/// behind, but it is always between the least and the greatest that the beats have made meanwhile.
private struct RecentRates {
  private var rates: [Double] = []
  private var end: Timestamp?

  /// Blocks of ten seconds, a new one every five: no sensor lags farther behind than they reach back.
  private static let most = 3
  /// In seconds: behind so long a time without a block, those before tell nothing.
  private static let longestGap = 10.0

  mutating func note(_ rate: Double, of block: MeasurementBlock) {
    if let end, block.first.time.seconds(since: end) > Self.longestGap { rates = [] }
    if rates.count == Self.most { rates.removeFirst() }
    rates.append(rate)
    end = block.last.time
  }

  /// How far a mean of sent rates is from all that the beats have made, as a part of it; nil if one of the sent ones is
  /// not, or not enough is known.
  func difference(from mean: Double, least: Int, most: Int) -> Double? {
    guard rates.count == Self.most, let slowest = rates.min(), let fastest = rates.max() else { return nil }
    if Double(least) > fastest { return 1 - fastest / mean }
    return Double(most) < slowest ? slowest / mean - 1 : nil
  }
}

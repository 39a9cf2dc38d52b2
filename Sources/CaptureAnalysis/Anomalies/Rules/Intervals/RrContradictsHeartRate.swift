import BluetoothHost
import CaptureFiles
import GATTKit

/// Intervals that make another rate than the one beside them.
struct RrContradictsHeartRate: AnomalyRule {
  static let tolerance = RuleParameter("tolerance", 0.1, in: 0.02...1, "how far apart the two rates may be, as a part")

  static let about = RuleDescription(
    "rr-contradicts-heart-rate", .warning,
    finds:
      "Over ten seconds the mean RR-Interval makes a rate that differs by more than a tenth from the one that is sent, "
      + "while that is steady.",
    matters: "One of the two is wrong: an old rate, a rate of steps, or intervals in another unit.",
    advice: "Believe the intervals if they add up to the time that went by.",
    explainedBy: ["heart-rate-frozen", "heart-rate-jump", "rr-fill-value", "rr-out-of-range"],
    parameters: [tolerance],
    examples: [
      .finds("72 beside intervals of one second", [.repeated(["10 48 00 04", "10 48 08 04"], times: 15)]),
      .finds(
        "72 beside intervals that make 60, for fifteen seconds",
        [
          .repeated(["10 3c 00 04"], times: 23), .repeated(["10 48 00 04"], times: 15),
          .repeated(["10 3c 00 04"], times: 20),
        ]),
      .quiet("60 beside intervals of one second", [.repeated(["10 3c 00 04", "10 3c 08 04"], times: 15)]),
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
        "a beat that was missed",
        [.repeated(["10 3c 00 04"], times: 8), .values(["10 3c 00 08"]), .repeated(["10 3c 00 04"], times: 8)]),
    ])
  static let blocks: BlockWish = .sliding
  private let tolerance: Double
  private var episode: Episode?
  /// The intervals of the last half minute or so and how many they are: what came long ago counts for less.
  private var lately = (intervals: 0.0, count: 0.0)
  private static let memory = 0.85
  /// In seconds: for so long it may be unclear whether the rates differ still.
  private static let longestDoubt = 10.0

  /// Blocks of which the intervals make another rate, all of them a higher one or all of them a lower one.
  private struct Episode {
    let first: Moment
    var last: Moment
    let isHigher: Bool
    var blocks = 0
    var intervals = 0
    var sent = 0.0
    var made = 0.0
    /// How far the sent rate is in the end from that of the last half minute, as a part.
    var lag = 0.0

    /// Each measurement is in two blocks, but for those at the ends.
    var beats: Double { Double(intervals * (blocks + 1)) / Double(2 * blocks) }
    var difference: Double { abs(made / sent - 1) }
  }

  init(_ settings: RuleSettings) {
    tolerance = settings.value(Self.tolerance, of: Self.self)
  }

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    guard block.intervals >= 5, block.rates >= 5, let rate = block.meanRate, block.rateMost - block.rateLeast <= 8,
      // A rate that no heart has is another finding.
      (25...240).contains(rate)
    else { return }
    let mean = Double(block.intervalSum) / Double(block.intervals)
    // What lies far from its neighbours is an artefact, and another rule's.
    guard mean > 0, Double(block.intervalMost) < 1.6 * mean, Double(block.intervalLeast) > 0.5 * mean else { return }
    lately = (
      lately.intervals * Self.memory + Double(block.intervalSum), lately.count * Self.memory + Double(block.intervals)
    )
    let made = 61_440 / mean
    guard abs(made / rate - 1) > tolerance else { return end(&scene) }
    if let episode,
      episode.isHigher != (made > rate) || block.first.time.seconds(since: episode.last.time) > Self.longestDoubt
    {
      end(&scene)
    }
    let last = Moment(frame: block.last.frame, time: block.last.time, member: scene.moment.member)
    if episode == nil {
      let first = Moment(frame: block.first.frame, time: block.first.time, member: scene.moment.member)
      episode = Episode(first: first, last: last, isHigher: made > rate)
    }
    episode?.last = last
    episode?.blocks += 1
    episode?.intervals += block.intervals
    episode?.sent += rate
    episode?.made += made
    episode?.lag = abs(61_440 * lately.count / lately.intervals / rate - 1)
  }

  mutating func finish(_ scene: inout RuleScene) { end(&scene) }

  private mutating func end(_ scene: inout RuleScene) {
    guard let episode else { return }
    self.episode = nil
    // A few beats of a heart at rest make another rate than those before them, which the sent one is the mean of.
    guard episode.difference > tolerance * (1 + 6 / episode.beats), episode.lag > 0.7 * tolerance else { return }
    let (sent, made) = (episode.sent / Double(episode.blocks), episode.made / Double(episode.blocks))
    let length = episode.last.time.seconds(since: episode.first.time)
    let message =
      "\(number(sent, decimals: 0)) bpm is sent, the RR-Intervals make \(number(made, decimals: 0)) bpm, "
      + "for \(seconds(length))"
    scene.report(Self.self, message, from: episode.first, to: episode.last)
  }
}

import CaptureFiles

/// Intervals that do not add up to the time that went by.
struct RrSumMismatch: AnomalyRule {
  static let tolerance = RuleParameter("tolerance", 0.1, in: 0.01...1, "how far from 1 the sum may be")

  static let about = RuleDescription(
    "rr-sum-mismatch", .warning,
    finds: "The RR-Intervals of 30 seconds add up to less than 0.9 or more than 1.1 of the time in which they came.",
    matters: "Beats are missing, or were sent twice: variability that is computed from them is wrong.",
    advice:
      "See whether each notification holds only one interval although the heart beats faster, or whether some are "
      + "repeated; take such stretches out.",
    reference: "HRS 1.0, 3.1.1.4",
    explainedBy: [
      "rr-repeated", "rr-overflow", "rr-fill-value", "rr-out-of-range", "rr-missed-beat", "notification-repeated",
      "rr-synthesised", "rr-contradicts-heart-rate",
    ],
    parameters: [tolerance],
    examples: [
      .finds("one interval of 500 ms each second", [.repeated(["10 78 00 02"], times: 60)]),
      .finds("three of 500 ms each second", [.repeated(["10 78 00 02 fa 01 04 02"], times: 60)]),
      .quiet("two of 500 ms each second", [.repeated(["10 78 00 02 02 02", "10 78 fe 01 00 02"], times: 30)]),
      .finds(
        "ten of twelve, every five seconds",
        [.repeated(["10 90 aa 01 aa 01 aa 01 aa 01 aa 01 aa 01 aa 01 aa 01 aa 01"], times: 20, every: 5)]),
      .finds(
        "two of five are missing, of a sensor that notifies twice a second",
        [
          .repeated(
            ["00 48", "10 48 55 03", "00 48", "10 48 55 03", "10 48 55 03", "00 48", "00 48", "00 48"], times: 15,
            every: 0.5)
        ]),
      .quiet(
        "all of five, of a sensor that notifies twice a second",
        [
          .repeated(
            ["00 48", "10 48 55 03", "10 48 55 03", "00 48", "10 48 55 03", "10 48 55 03", "00 48", "10 48 55 03"],
            times: 15, every: 0.5208)
        ]),
      .quiet(
        "held back for nine seconds, and sent in two notifications then",
        [
          .repeated(["10 3c 00 04"], times: 41), .repeated(["00 3c"], times: 9),
          .values([
            "10 3c 00 04 00 04 00 04 00 04 00 04 00 04 00 04", "10 3c 00 04 00 04 00 04 00 04",
          ]),
          .repeated(["10 3c 00 04"], times: 45),
        ]),
      .quiet(
        "held back through a silence, and sent in full notifications then",
        [
          .repeated(["10 78 00 02 00 02"], times: 40), .wait(12),
          .repeated(["10 78 00 02 00 02 00 02 00 02 00 02 00 02 00 02 00 02 00 02"], times: 3),
          .values(["10 78 00 02 00 02 00 02"]), .repeated(["10 78 00 02 00 02"], times: 60),
        ]),
      .finds(
        "one interval of 500 ms every three seconds, of a sensor that has notified more often before",
        [
          .repeated(["10 78 00 02 00 02"], times: 60), .repeated(["10 78 00 02"], times: 50, every: 3),
        ]),
      .quiet(
        "all of them every three seconds, of a sensor that has notified more often before",
        [
          .repeated(["10 78 00 02 00 02"], times: 60),
          .repeated(["10 78 00 02 00 02 00 02 00 02 00 02 00 02"], times: 50, every: 3),
        ]),
      .finds(
        "the last two each time, behind a silence",
        [
          .repeated(["10 3c 05 04", "10 3c 00 04"], times: 20), .wait(300),
          .values(
            (0..<60).map { place in
              "10 3c \(place % 2 == 0 ? "00" : "05") 04 \(place % 2 == 0 ? "05" : "00") 04"
            }),
        ]),
      .quiet(
        "kept until someone listened, and sent in lists of four then",
        [
          .repeated(["10 3c 00 04 02 04 fe 03 01 04", "10 3c ff 03 03 04 fd 03 04 04"], times: 3),
          .repeated(["10 3c 00 04"], times: 60),
        ]),
      .quiet(
        "held back through a silence, and sent in lists of three then",
        [
          .repeated(["10 3c 00 04"], times: 41), .wait(9),
          .repeated(["10 3c 00 04 02 04 fe 03", "10 3c ff 03 03 04 01 04"], times: 2),
          .repeated(["10 3c 00 04"], times: 45),
        ]),
      .finds(
        "for ten of every sixteen seconds",
        [.repeated(Array(repeating: "10 3c 00 04", count: 10) + Array(repeating: "00 3c", count: 6), times: 6)]),
      .finds(
        "for four of every eight, of a sensor that notifies every three seconds",
        [
          .repeated(
            Array(repeating: "10 3c 00 04 00 04 00 04", count: 4) + Array(repeating: "00 3c", count: 4), times: 6,
            every: 3)
        ]),
      .quiet(
        "none for seven seconds, once",
        [
          .repeated(["10 3c 00 04"], times: 45), .repeated(["00 3c"], times: 7), .repeated(["10 3c 00 04"], times: 45),
        ]),
      .quiet("none at all", [.repeated(["00 78"], times: 60)]),
      .quiet("twenty seconds are no window", [.repeated(["10 78 00 02"], times: 20)]),
      .quiet(
        "none for 25 s in the middle",
        [
          .repeated(["10 3c 00 04"], times: 45), .repeated(["00 3c"], times: 25), .repeated(["10 3c 00 04"], times: 45),
        ]),
      .quiet(
        "no contact for four seconds, and so no beats",
        [
          .repeated(["16 3c 00 04"], times: 45), .repeated(["04 3c"], times: 4), .repeated(["16 3c 00 04"], times: 45),
        ]),
      .quiet(
        "no contact for six seconds, and no beats for two more",
        [
          .repeated(["16 3c 00 04 00 04"], times: 24, every: 2), .repeated(["04 3c"], times: 3, every: 2),
          .values(["06 3c"], every: 2), .repeated(["16 3c 00 04 00 04"], times: 24, every: 2),
        ]),
      .quiet(
        "one of 64 s, which is another finding",
        [.repeated(["10 3c 00 04"], times: 45), .values(["10 3c ff ff"]), .repeated(["10 3c 00 04"], times: 45)]),
      .quiet(
        "six that were held back, and come at once",
        [
          .repeated(["10 3c 00 04"], times: 45), .wait(5), .repeated(["10 3c 00 04"], times: 6, every: 0.01),
          .wait(0.99), .repeated(["10 3c 00 04"], times: 45),
        ]),
      .quiet(
        "a gap", [.repeated(["10 3c 00 04"], times: 40), .wait(6), .repeated(["10 3c 00 04"], times: 40)]),
    ])
  static let blocks: BlockWish = .apart
  private let tolerance: Double
  /// The last block: what comes behind it tells whether intervals vanished in it.
  private var pending: MeasurementBlock?
  private var followsVanished = false
  /// The last block, if intervals pause in it: some that were held back may come in the next.
  private var held: MeasurementBlock?
  /// The three blocks before.
  private var window: [MeasurementBlock] = []
  /// What does not add up so far, and what does since.
  private var episode: Episode?
  /// How long the window of it was that shows it first, in seconds, and what part of that its intervals were.
  private var shown = (covered: 0.0, part: 1.0)

  /// In seconds: intervals that are missing for so long on end, from the first measurement without, have vanished, which is
  /// another finding.
  private static let vanished = 10.0
  /// In seconds: they pause for so long now and then, as where a sensor was moved, which is none if it happens once.
  private static let pause = 5.0

  /// Blocks one after another that do not add up together.
  private struct Episode {
    /// Up to the last that does not by itself.
    var whole: MeasurementBlock
    /// Those behind it: they may be in order, unless more follow that are not.
    var rest: MeasurementBlock?
    /// Of the whole, those that intervals pause in.
    var pauses: (count: Int, covered: Double, intervals: Double) = (0, 0, 0)

    init(_ first: MeasurementBlock) {
      whole = first
      note(first)
    }

    /// - Parameter isInOrder: Whether its own intervals add up.
    mutating func add(_ block: MeasurementBlock, isInOrder: Bool) {
      let more = rest?.followed(by: block) ?? block
      guard !isInOrder else { return rest = more }
      whole = whole.followed(by: more)
      rest = nil
      note(block)
    }

    private mutating func note(_ block: MeasurementBlock) {
      guard block.longestWithout >= RrSumMismatch.pause else { return }
      pauses = (
        pauses.count + 1, pauses.covered + block.covered, pauses.intervals + block.intervalSeconds
      )
    }

    /// Whether it is one pause, and in order but for that.
    func isPause(within tolerance: Double) -> Bool {
      guard pauses.count == 1 else { return false }
      let covered = whole.covered - pauses.covered
      // At its ends a beat may be on the other side.
      let beat = whole.intervalSeconds / Double(max(1, whole.intervals))
      return whole.intervalSeconds - pauses.intervals + 1.5 * beat > (1 - tolerance) * covered
    }
  }

  init(_ settings: RuleSettings) {
    tolerance = settings.value(Self.tolerance, of: Self.self)
  }

  mutating func note(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    // Where intervals vanish is another finding: the blocks at its ends are parts of it.
    let vanished = Self.vanished + (scene.series.periods.median() ?? 1)
    guard block.withIntervals > 0, block.longestWithout < vanished else {
      (pending, held, followsVanished) = (nil, nil, true)
      window = []
      return end(&scene)
    }
    if let held {
      self.held = nil
      if !block.isApart(from: held) { return take(held.followed(by: block), &scene) }
      take(held, &scene)
    }
    if block.longestWithout >= Self.pause { held = block } else { take(block, &scene) }
  }

  private mutating func take(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    if let pending { judge(pending, &scene) }
    pending = followsVanished ? nil : block
    followsVanished = false
  }

  private mutating func judge(_ block: MeasurementBlock, _ scene: inout RuleScene) {
    // Where there is a gap between two blocks, the later one's time does not reach back to the earlier one.
    if let last = window.last, block.isApart(from: last) { window = [] }
    guard block.isWhole else {
      window = []
      return end(&scene)
    }
    if window.count == 3 { window.removeFirst() }
    window.append(block)
    guard window.count == 3 else { return }
    let elapsed = window.reduce(0) { $0 + $1.covered }
    let intervals = window.reduce(0) { $0 + $1.intervalSeconds }
    let isMissing = intervals < elapsed
    // What goes on may come a little nearer.
    let goesOn = episode.map { $0.whole.intervalSeconds < $0.whole.covered } == isMissing
    guard abs(intervals / elapsed - 1) > (goesOn ? 0.6 : 1) * tolerance else { return end(&scene) }
    // Where all wait for a connection event, those of one may be on the other side of the window's ends, and a beat is.
    let beat = intervals / Double(window.reduce(0) { $0 + $1.intervals })
    guard goesOn || abs(intervals - elapsed) > 1.1 * (scene.longestWait ?? 0) + 1.5 * beat else { return end(&scene) }
    if !goesOn { end(&scene) }
    if episode == nil { shown = (elapsed, intervals / elapsed) }
    for block in episode == nil ? window : [block] {
      // The blocks before the first that shows it are in order.
      let isInOrder = block.isInOrder(within: tolerance / 2, isMissing: isMissing)
      if episode == nil, !isInOrder { episode = Episode(block) } else { episode?.add(block, isInOrder: isInOrder) }
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    for block in [pending, held].compactMap(\.self) { judge(block, &scene) }
    (pending, held) = (nil, nil)
    end(&scene)
  }

  private mutating func end(_ scene: inout RuleScene) {
    guard let found = episode else { return }
    self.episode = nil
    if found.isPause(within: tolerance) { return }
    let episode = found.whole
    let ratio = episode.intervalSeconds / episode.covered
    // What goes on may come nearer than the rule asks for: then what it began with shows it.
    let showing =
      abs(ratio - 1) > tolerance ? "" : ", and those of \(seconds(shown.covered)) in it to \(share(shown.part))"
    let message =
      "the RR-Intervals of \(seconds(episode.covered)) add up to \(seconds(episode.intervalSeconds)), \(share(ratio)) "
      + (ratio < 1
        ? "of it\(showing): beats are missing\(lost(episode.count, in: episode.elapsed, scene))"
        : "times as much\(showing): \(surplus(episode))")
    scene.report(Self.self, message, from: episode.first, to: episode.last)
  }

  /// Why there are too many, where it is certain: without those that came before, the rest adds up.
  private func surplus(_ episode: MeasurementBlock) -> String {
    let rest = Double(episode.intervalSum - episode.overlapSum) / 1024 / episode.covered
    guard abs(rest - 1) <= tolerance / 2 else { return "beats are repeated, or are none" }
    if episode.again == episode.overlapping, episode.withIntervals == episode.count {
      return "the last interval is sent again wherever there is no new beat"
    }
    // The first may have none before it.
    return episode.overlapping + 1 >= episode.withIntervals
      ? "each notification begins with the last interval of the one before" : "beats are repeated, or are none"
  }

  /// A part of the time: what is beyond the tolerance is not told as if it were not.
  private func share(_ part: Double) -> String {
    number(part, decimals: 2, apartFrom: part < 1 ? 1 - tolerance : 1 + tolerance)
  }

  /// ", and about 14 of 115 measurements with them", where fewer came than usually do.
  private func lost(_ measurements: Int, in elapsed: Double, _ scene: RuleScene) -> String {
    guard !scene.series.comeTogether, let period = scene.series.usualPeriod, period > 0 else { return "" }
    let usual = elapsed / period
    let lost = usual - Double(measurements)
    guard usual.isFinite, lost >= max(2, 0.05 * usual) else { return "" }
    return ", and about \(number(lost, decimals: 0)) of \(number(usual, decimals: 0)) measurements with them"
  }
}

extension MeasurementBlock {
  /// Whether there is a gap between this and one before it.
  fileprivate func isApart(from last: MeasurementBlock) -> Bool {
    self.last.time.seconds(since: last.last.time) - elapsed > 1
  }

  /// Whether its intervals add up to its time, or are off the other way.
  fileprivate func isInOrder(within tolerance: Double, isMissing: Bool) -> Bool {
    let part = intervalSeconds / max(covered, .leastNonzeroMagnitude)
    return isMissing ? part > 1 - tolerance : part < 1 + tolerance
  }
}

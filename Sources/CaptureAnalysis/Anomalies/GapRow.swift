import CaptureFiles

/// Gaps of about the same length, one right behind another, or with a shorter silence between each two: from three on they
/// are no gaps, but how often the sensor measures now.
struct GapRow {
  /// From one measurement to the next.
  typealias Gap = (start: Moment, end: Moment, seconds: Double)

  /// What is told of one.
  struct Words {
    /// Of one by itself.
    let alone: String
    /// What follows how often there were some in a row, and about how long they were.
    let rest: String
    /// What else happened in it.
    let meanwhile: String
  }

  /// The first of them, which are told one by one if no more come.
  private var gaps: [(gap: Gap, words: Words)]
  private var end: Moment
  private var count = 1
  /// Where a silence ended that came right behind the last one, and was too short for another.
  private var bridge: Moment?
  private var bridges = 0
  /// How long all are together.
  private var total: Double

  private static let most = 2
  /// By such a part of their mean they may differ.
  private static let spread = 0.25

  init(_ gap: Gap, _ words: Words) {
    gaps = [(gap, words)]
    end = gap.end
    total = gap.seconds
  }

  private var mean: Double { total / Double(count) }

  /// Whether a silence right behind them is no longer than they are, once there are so many that they are usual.
  func isWithin(_ gap: Gap) -> Bool {
    count > Self.most && gap.start == end && gap.seconds <= (1 + Self.spread) * mean
  }

  /// Takes up a silence right behind them, which need not be a gap by now; false if it is none of them, or if they are
  /// too few.
  mutating func take(_ gap: Gap) -> Bool { count > Self.most && add(gap, nil) }

  /// Takes up another gap; false if it is none of them.
  mutating func add(_ gap: Gap, _ words: @autoclosure () -> Words?) -> Bool {
    guard gap.start == end || gap.start == bridge, abs(gap.seconds - mean) <= Self.spread * mean else { return false }
    if gap.start != end { bridges += 1 }
    if count < Self.most, let words = words() { gaps.append((gap, words)) }
    (end, total, count) = (gap.end, total + gap.seconds, count + 1)
    return true
  }

  /// Takes up a silence right behind them that is shorter, and longer than usual.
  mutating func take(shorter gap: Gap) -> Bool {
    guard gap.start == end else { return false }
    bridge = gap.end
    return true
  }

  /// What is to be told: each of a few, or all of them together.
  var findings: [(span: RecordSpan, message: String)] {
    guard count > Self.most, let first = gaps.first else {
      return gaps.map {
        (RecordSpan(from: $0.gap.start, to: $0.gap.end, count: 1), $0.words.alone + $0.words.meanwhile)
      }
    }
    let row = bridges == 0 ? "in a row" : "in \(seconds(end.time.seconds(since: first.gap.start.time)))"
    let message =
      "\(times(count)) \(row) about \(seconds(mean)) \(first.words.rest): measurements came less often"
      + first.words.meanwhile
    return [(RecordSpan(from: first.gap.start, to: end, count: count), message)]
  }
}

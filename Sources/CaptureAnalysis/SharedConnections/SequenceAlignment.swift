/// Which values of one sequence are which of another: both were the same, until some were left out of one or the other.
struct SequenceAlignment {
  /// A value, and when it came, in seconds of its own clock.
  struct Entry: Sendable {
    let fingerprint: UInt64
    let time: Double
  }

  /// Places of the same value in both, in order.
  private(set) var pairs: [(first: Int, second: Int)] = []

  private let first: [Entry]
  private let second: [Entry]
  /// What is not farther off than this, in seconds, comes when the clocks say.
  let nearEnough: Double
  /// What is farther off than this, in seconds, is not taken for the same.
  private var farthest = 60.0
  /// How far the second clock is ahead of the first, by the time of the first.
  private var ahead: (offset: Double, slope: Double) = (0, 0)

  /// Runs of so many values are looked for that stand only once in each sequence: the shorter, the more survive a loss.
  private static let runs = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]
  /// Fewer such runs in order are chance.
  private static let leastAnchors = 3
  /// Sensors have a value a second or so: what is nearer than this, in seconds, is no other one's.
  private static let usuallyNear = 0.25
  /// Of more offsets that anchors tell, some are not tried.
  private static let mostOffsets = 16
  /// What lies between two anchors is compared value by value, as far as it is no longer than this.
  private static let longestGap = 1000

  /// - Parameter interval: The longest connection interval that held, in seconds: everything waits for the next one.
  /// - Returns: Nil if they have nothing in common.
  init?(_ first: [Entry], _ second: [Entry], interval: Double) {
    self.first = first
    self.second = second
    nearEnough = max(Self.usuallyNear, 1.2 * interval)
    guard var anchors = anchors() else { return nil }
    ahead = clocks(of: anchors)
    // Of several values that are the same, a run may hold the wrong one: time tells which.
    anchors.removeAll { residual($0.first, $0.second) > nearEnough && !isDistinct($0.first, $0.second) }
    pairUp(around: anchors)
    dropStrays()
  }

  /// A value that is common, and alone is far from what the clocks say, is another one of its kind: each sequence lacks
  /// the one that the other has. One that was held back on the air is late, too, but comes close upon the next.
  private mutating func dropStrays() {
    var counts: [UInt64: Int] = [:]
    for entry in first + second { counts[entry.fingerprint, default: 0] += 1 }
    let residuals = pairs.map { residual($0.first, $0.second) }
    let kept = pairs.indices.filter { place in
      let pair = pairs[place]
      guard residuals[place] > nearEnough, counts[first[pair.first].fingerprint, default: 0] > 2 else {
        return true
      }
      let isAlone =
        (place == 0 || residuals[place - 1] <= nearEnough)
        && (place + 1 == pairs.count || residuals[place + 1] <= nearEnough)
      return !isAlone || isCloseUponNext(pair)
    }
    guard kept.count < pairs.count else { return }
    // What they stood in the way of is paired now, if it is where the clocks say.
    farthest = nearEnough
    pairUp(around: kept.map { pairs[$0] })
  }

  /// Whether a value comes much sooner before the next one in one sequence than in the other.
  private func isCloseUponNext(_ pair: (first: Int, second: Int)) -> Bool {
    guard pair.first + 1 < first.count, pair.second + 1 < second.count else { return false }
    let gaps = (
      first[pair.first + 1].time - first[pair.first].time, second[pair.second + 1].time - second[pair.second].time
    )
    return min(gaps.0, gaps.1) < nearEnough
  }

  /// Whether a pair cannot be taken for one with a value beside it, in both sequences: those are others, or, where the clocks
  /// agree with the pair, far from it.
  func isCertain(_ i: Int, _ j: Int) -> Bool {
    isDistinct(i, j) || residual(i, j) <= nearEnough && isDistinct(i, j, within: 2 * nearEnough)
  }

  /// Whether a value is another than those beside it in both sequences, so that it cannot be taken for one of them.
  /// - Parameter seconds: How far off in time those matter.
  private func isDistinct(_ i: Int, _ j: Int, within seconds: Double = .infinity) -> Bool {
    Self.isDistinct(i, in: first, within: seconds) && Self.isDistinct(j, in: second, within: seconds)
  }

  private static func isDistinct(_ place: Int, in entries: [Entry], within seconds: Double) -> Bool {
    [place - 1, place + 1].allSatisfy { other in
      !entries.indices.contains(other) || entries[other].fingerprint != entries[place].fingerprint
        || (entries[other].time - entries[place].time).magnitude > seconds
    }
  }

  /// How far off a pair is from what the clocks say.
  private func residual(_ i: Int, _ j: Int) -> Double {
    (second[j].time - first[i].time - ahead.offset - ahead.slope * first[i].time).magnitude
  }
}

// MARK: - Anchors

extension SequenceAlignment {
  /// Places of runs that stand once in each, those that are in order.
  private func anchors() -> [(first: Int, second: Int)]? {
    var best: [(first: Int, second: Int)] = []
    for length in Self.runs {
      guard length <= min(first.count, second.count) else { break }
      let (one, other) = (Self.unique(first, length), Self.unique(second, length))
      let common = one.compactMap { run, place in other[run].map { (first: place, second: $0) } }
        .sorted { $0.first < $1.first }
      let ordered = Self.longestRise(common)
      if ordered.count > best.count { best = ordered }
    }
    return best.count >= Self.leastAnchors ? best : nil
  }

  /// Where runs begin that stand only once.
  private static func unique(_ entries: [Entry], _ length: Int) -> [UInt64: Int] {
    var places: [UInt64: Int] = [:]
    var repeated: Set<UInt64> = []
    for start in 0...(entries.count - length) {
      let run = entries[start..<(start + length)].reduce(0x9E37_79B9) {
        ($0 ^ $1.fingerprint) &* 0x100_0000_01B3 &+ ($0 >> 29)
      }
      if places.updateValue(start, forKey: run) != nil { repeated.insert(run) }
    }
    return places.filter { !repeated.contains($0.key) }
  }

  /// The longest part of pairs, sorted by their first places, in which the second places rise too.
  private static func longestRise(_ pairs: [(first: Int, second: Int)]) -> [(first: Int, second: Int)] {
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      let place = ends.firstPlace { pairs[$0].second >= pair.second }
      before[index] = place > 0 ? ends[place - 1] : -1
      if place == ends.count { ends.append(index) } else { ends[place] = index }
    }
    var rise: [(first: Int, second: Int)] = []
    var index = ends.last ?? -1
    while index >= 0 {
      rise.append(pairs[index])
      index = before[index]
    }
    return rise.reversed()
  }

  /// The line through points that most pairs of them agree on. Theil, A rank-invariant method of linear and polynomial
  /// regression analysis (1950); Sen, Estimates of the regression coefficient based on Kendall's tau (1968).
  static func line(_ points: [(x: Double, y: Double)]) -> (offset: Double, slope: Double) {
    let step = max(1, points.count / 200)
    let some = stride(from: 0, to: points.count, by: step).map { points[$0] }
    var slopes: [Double] = []
    for (index, one) in some.enumerated() {
      for other in some.dropFirst(index + 1) where other.x - one.x > 1 {
        slopes.append((other.y - one.y) / (other.x - one.x))
      }
    }
    // No clock is off by more than this; what seems so is held back on the air.
    let slope = min(max(SampleStatistics.quantile(slopes, 0.5) ?? 0, -0.001), 0.001)
    let offset = SampleStatistics.quantile(points.map { $0.y - slope * $0.x }, 0.5) ?? 0
    return (offset, slope)
  }
}

// MARK: - Clocks

extension SequenceAlignment {
  /// How far the second clock is ahead, as most anchors tell. Where there are few values and many are lost, most anchors may
  /// be wrong, each by the time of a value or several: of all offsets that they tell, the one is right with which most
  /// values meet their like.
  private func clocks(of anchors: [(first: Int, second: Int)]) -> (offset: Double, slope: Double) {
    let points = anchors.map { (x: first[$0.first].time, y: second[$0.second].time - first[$0.first].time) }
    let line = Self.line(points)
    var offsets = [line.offset]
    for point in points where offsets.count < Self.mostOffsets {
      let offset = point.y - line.slope * point.x
      if !offsets.contains(where: { ($0 - offset).magnitude <= nearEnough }) { offsets.append(offset) }
    }
    guard offsets.count > 1 else { return line }
    let counts = offsets.map { meetings((offset: $0, slope: line.slope)) }
    guard let most = counts.max(), let best = counts.firstIndex(of: most), best > 0 else { return line }
    let right = points.filter { ($0.y - offsets[best] - line.slope * $0.x).magnitude <= nearEnough }
    return right.count >= Self.leastAnchors ? Self.line(right) : (offsets[best], line.slope)
  }

  /// How many values of the first sequence are those that are nearest in time in the second, if the clocks differ so.
  private func meetings(_ ahead: (offset: Double, slope: Double)) -> Int {
    var (count, place) = (0, 0)
    for entry in first {
      let time = entry.time + ahead.offset + ahead.slope * entry.time
      func distance(_ place: Int) -> Double { (second[place].time - time).magnitude }
      while place + 1 < second.count, distance(place + 1) <= distance(place) { place += 1 }
      if second[place].fingerprint == entry.fingerprint, distance(place) <= nearEnough { count += 1 }
    }
    return count
  }
}

// MARK: - Between anchors

extension SequenceAlignment {
  /// Pairs all there is, with some pairs that stand.
  private mutating func pairUp(around anchors: [(first: Int, second: Int)]) {
    pairs = []
    var last = (first: -1, second: -1)
    for anchor in anchors + [(first.count, second.count)] {
      fill(from: (last.first + 1, last.second + 1), to: anchor)
      if anchor.first < first.count { pairs.append(anchor) }
      last = anchor
    }
  }

  /// Pairs what lies between two anchors: as many as possible, and of those ways the one that the clocks agree with best.
  private mutating func fill(from start: (first: Int, second: Int), to end: (first: Int, second: Int)) {
    // Long stretches without an anchor are compared as far as they are near to one.
    let rows = min(end.first - start.first, Self.longestGap)
    let columns = min(end.second - start.second, Self.longestGap)
    guard rows > 0, columns > 0 else { return }
    let isTail = end.first == first.count
    let origin =
      isTail || start.first > 0 ? start : (end.first - rows, end.second - columns)
    let width = columns + 1
    var scores = [Double](repeating: 0, count: (rows + 1) * width)
    for i in stride(from: rows - 1, through: 0, by: -1) {
      for j in stride(from: columns - 1, through: 0, by: -1) {
        var score = max(scores[(i + 1) * width + j], scores[i * width + j + 1])
        if let match = match(origin.0 + i, origin.1 + j) {
          score = max(score, match + scores[(i + 1) * width + j + 1])
        }
        scores[i * width + j] = score
      }
    }
    var (i, j) = (0, 0)
    while i < rows, j < columns {
      if let match = match(origin.0 + i, origin.1 + j),
        scores[i * width + j] == match + scores[(i + 1) * width + j + 1]
      {
        pairs.append((origin.0 + i, origin.1 + j))
        (i, j) = (i + 1, j + 1)
      } else if scores[i * width + j] == scores[(i + 1) * width + j] {
        i += 1
      } else {
        j += 1
      }
    }
  }

  /// What a pair is worth: the more, the nearer in time; nil if it is none.
  private func match(_ i: Int, _ j: Int) -> Double? {
    guard first[i].fingerprint == second[j].fingerprint else { return nil }
    let residual = residual(i, j)
    return residual <= farthest ? 1 - residual / 120 : nil
  }
}

/// How two clocks differ that saw the same.
public struct ClockDifference: Sendable {
  /// How far the second clock is ahead of the first, in seconds, at the first thing that both saw; negative if it is
  /// behind.
  public let offset: Double
  /// The offset may be off by so many seconds: half of what the way there and back takes at least. Nil where only one
  /// way was seen, and the offset holds all the time that it takes.
  public let uncertainty: Double?
  /// How much faster the second clock runs, in millionths; nil where that is less than can be told.
  public let drift: Double?

  /// When one and the same thing was seen by both.
  struct Sighting {
    /// By the first clock, in seconds.
    let time: Double
    /// How much later by the second.
    let difference: Double
    /// Which way it went between the two; nil if both saw it on the same end.
    let isForward: Bool?
    /// Whether it is a request or a response: each waits for the other, and then for the connection's next event, there
    /// as long as back. A notification comes at any time.
    var isExchanged = false
  }

  /// Of fewer requests or responses the quickest need not be quick.
  private static let leastExchanged = 5
  /// Drift shows over time only, and among delays of a connection interval or so; in seconds.
  private static let leastSpan = 90.0
  /// Fewer of the twenty spans of time in which something was seen tell no drift.
  private static let leastPoints = 8

  /// - Parameter interval: The longest connection interval that held, in seconds: a way may take as long.
  init?(_ all: [Sighting], interval: Double) {
    let sightings = Self.plausible(all, interval)
    guard let begin = sightings.map(\.time).min(), let end = sightings.map(\.time).max() else { return nil }
    let slope = Self.slope(sightings, begin: begin, span: end - begin, interval)
    func level(_ sighting: Sighting) -> Double { sighting.difference - slope * (sighting.time - begin) }
    // A way takes at least as long as it takes: the shortest of each is nearest to the truth, and what is the same for
    // there and back falls out.
    let exchanged = sightings.filter(\.isExchanged)
    let isTimedBothWays = [true, false].allSatisfy { way in
      exchanged.count { $0.isForward == way } >= Self.leastExchanged
    }
    let timed = isTimedBothWays ? exchanged : sightings
    let there = timed.filter { $0.isForward == true }.map(level).min()
    let back = timed.filter { $0.isForward == false }.map(level).max()
    let same = sightings.filter { $0.isForward == nil }.map(level)
    if let there, let back {
      offset = (there + back) / 2
      uncertainty = max(0, (there - back) / 2)
    } else if let middle = SampleStatistics.quantile(same, 0.5) {
      offset = middle
      uncertainty = (SampleStatistics.quantile(same.map { ($0 - middle).magnitude }, 0.9) ?? 0)
    } else if let bound = there ?? back {
      offset = bound
      uncertainty = nil
    } else {
      return nil
    }
    drift = slope == 0 ? nil : slope * 1_000_000
  }

  /// Those that agree with most: what is far from them was taken for something else, or held back for long.
  private static func plausible(_ sightings: [Sighting], _ interval: Double) -> [Sighting] {
    let line = SequenceAlignment.line(sightings.map { ($0.time, $0.difference) })
    func residual(_ sighting: Sighting) -> Double {
      (sighting.difference - line.offset - line.slope * sighting.time).magnitude
    }
    let scatter = SampleStatistics.quantile(sightings.map(residual), 0.5) ?? 0
    return sightings.filter { residual($0) <= max(0.25, 6 * scatter, 2.5 * interval) }
  }

  /// How fast the difference grows, by the edge of what is possible: the least of what went there, the most of what came
  /// back, in twenty spans of time each.
  private static func slope(
    _ sightings: [Sighting], begin: Double, span: Double, _ interval: Double
  ) -> Double {
    guard span >= leastSpan else { return 0 }
    var points: [(x: Double, y: Double)] = []
    for way in [true, false, nil] as [Bool?] {
      let some = sightings.filter { $0.isForward == way }
      var spans: [Int: [Sighting]] = [:]
      for sighting in some { spans[Int((sighting.time - begin) / span * 19.999), default: []].append(sighting) }
      guard spans.count >= leastPoints else { continue }
      let edge = spans.values.compactMap { part -> (x: Double, y: Double)? in
        switch way {
        case true?: part.min { $0.difference < $1.difference }.map { ($0.time, $0.difference) }
        case false?: part.max { $0.difference < $1.difference }.map { ($0.time, $0.difference) }
        case nil: SampleStatistics.quantile(part.map(\.difference), 0.5).map { (part[0].time, $0) }
        }
      }
      // The way of which there is most to see tells it best.
      guard edge.count > points.count || points.isEmpty else { continue }
      points = edge.sorted { $0.x < $1.x }
    }
    guard points.count >= leastPoints else { return 0 }
    let line = SequenceAlignment.line(points)
    let residue = SampleStatistics.quantile(points.map { ($0.y - line.offset - line.slope * $0.x).magnitude }, 0.5) ?? 0
    // Less than the edge's own roughness is nothing; and a sensor's beat shifts against the connection's.
    return (line.slope * span).magnitude > max(4 * residue, 0.002, interval / 2) ? line.slope : 0
  }
}

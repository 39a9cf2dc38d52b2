/// Where one of two clocks was set: from there on, they differ otherwise.
public struct ClockChange: Sendable {
  /// The first record behind it that both logs have: in the first log, and in the second.
  public let records: (first: Moment, second: Moment)
  /// How much further the second clock is ahead from there on, in seconds; negative if less.
  public let seconds: Double
}

extension ClockChange {
  /// So much of what both have is looked at on either side.
  private static let most = 24
  /// Of less it cannot be told whether it lasts.
  private static let least = 6
  /// What is held back on the air comes late for once, or is caught up bit by bit: of what a clock does, so much is even.
  private static let leastEven = 0.75
  /// No clock gains or loses more in a second.
  private static let mostDrift = 0.001

  /// The place among sightings where the difference of two clocks changes most clearly, for good; nil if it does not.
  /// - Parameters:
  ///   - sightings: Times by the first clock, and how much later it was by the second.
  ///   - near: How far a difference may scatter, in seconds.
  static func place(
    in sightings: [(time: Double, difference: Double)], near: Double
  ) -> (place: Int, seconds: Double)? {
    var best: (place: Int, seconds: Double, roughness: Double)?
    for place in sightings.indices.dropFirst(least).dropLast(least - 1) {
      let (last, next) = (sightings[place - 1], sightings[place])
      guard (next.difference - last.difference).magnitude > near else { continue }
      let before = Level(sightings[max(0, place - most)..<place].map(\.difference), near: near)
      let after = Level(sightings[place..<min(sightings.count, place + most)].map(\.difference), near: near)
      let seconds = after.middle - before.middle
      guard min(before.evenness, after.evenness) >= leastEven,
        seconds.magnitude > 2 * near + mostDrift * (next.time - last.time).magnitude
      else { continue }
      let roughness = before.roughness + after.roughness
      if roughness < best?.roughness ?? .infinity { best = (place, seconds, roughness) }
    }
    return best.map { ($0.place, $0.seconds) }
  }

  /// A difference that stays what it is.
  private struct Level {
    let middle: Double
    /// How large a part is near to it.
    let evenness: Double
    /// How far it is off, in the mean.
    let roughness: Double

    init(_ differences: [Double], near: Double) {
      let middle = SampleStatistics.quantile(differences, 0.5) ?? 0
      let count = Double(max(1, differences.count))
      self.middle = middle
      evenness = Double(differences.count { ($0 - middle).magnitude <= near }) / count
      roughness = differences.reduce(0) { $0 + ($1 - middle).magnitude } / count
    }
  }
}

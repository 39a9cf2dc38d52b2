import CaptureFiles

extension RrVanished {
  /// Measurements in a row without intervals, all of them with a heart rate.
  struct Gap {
    let first: Moment
    let last: Moment
    let count: Int
    /// In seconds.
    let length: Double
  }

  /// Gaps of a sensor that sends no intervals above a rate, as it seems: until that is refuted, they are kept.
  struct HighRates {
    /// All of them so far.
    private(set) var gaps: [Gap] = []
    /// Whether there were gaps at rates beside which there were intervals as well, or too many to be kept.
    private(set) var isRefuted = false
    /// The highest rate beside intervals, in beats a minute, and the lowest one in the gaps.
    private(set) var most = 0
    private var least = Int.max
    /// The lowest one in the gap at hand.
    private var leastAtHand = Int.max

    /// In beats a minute: at lower rates there is time for beats to be told one by one.
    private static let leastRate = 120
    /// Once is chance, twice may be.
    private static let fewest = 3
    private static let mostGaps = 1000

    /// Whether that is what it is.
    var areProven: Bool { !isRefuted && gaps.count >= Self.fewest }

    /// Looks at rates; not where intervals begin and end.
    mutating func note(_ block: MeasurementBlock) {
      if block.withIntervals == 0 {
        leastAtHand = min(leastAtHand, block.rateLeast)
      } else if block.withIntervals == block.count {
        most = max(most, block.rateMost)
        if most >= least { isRefuted = true }
      }
    }

    /// Keeps a gap that is over, if it fits.
    mutating func keeps(_ gap: Gap) -> Bool {
      defer { leastAtHand = .max }
      guard !isRefuted, (Self.leastRate..<Int.max).contains(leastAtHand), leastAtHand > most,
        gaps.count < Self.mostGaps
      else {
        isRefuted = true
        return false
      }
      least = min(least, leastAtHand)
      gaps.append(gap)
      return true
    }

    mutating func refute() { isRefuted = true }

    mutating func takeRefuted() -> [Gap] {
      guard isRefuted else { return [] }
      defer { gaps = [] }
      return gaps
    }
  }
}

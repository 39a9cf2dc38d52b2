/// Quantiles of samples, and tests of whether two are of one kind. They assume nothing of how the values are distributed.
enum SampleStatistics {
  /// What is rarer than this, if both were of one kind, is no chance.
  static let significance = 0.001
  /// Fewer values say nothing.
  static let leastValues = 5
  /// Up to so many values, chance is counted out: of more, the approximation finds all that can be told.
  private static let mostCounted = 24

  /// Whether two samples can differ beyond chance at all: of all ways to deal as many values to two sides, two lay all of
  /// one side above the other.
  private static func canTell(_ first: Int, _ second: Int, beyond significance: Double) -> Bool {
    guard min(first, second) >= leastValues else { return false }
    var ways = 1.0
    for place in 1...min(first, second) {
      ways *= Double(max(first, second) + place) / Double(place)
      if 2 / ways < significance { return true }
    }
    return false
  }

  /// The Mann–Whitney U test: of few values exact, of more with the normal approximation and its correction for ties.
  ///
  /// Mann, Whitney: On a test of whether one of two random variables is stochastically larger than the other (1947).
  /// - Parameter significance: What counts as no chance.
  /// - Returns: The probability of such a difference by chance, two-sided, and how often a value of the first is above one
  ///   of the second, ties counting half: 0 to 1. Nil for fewer than five values on a side, and where no difference of so
  ///   few could be told from chance.
  static func mannWhitney(
    _ first: [Double], _ second: [Double], beyond significance: Double = significance
  ) -> (chance: Double, superiority: Double)? {
    guard canTell(first.count, second.count, beyond: significance) else { return nil }
    let all = (first.map { ($0, true) } + second.map { ($0, false) }).sorted { $0.0 < $1.0 }
    var rankSum = 0.0
    var tieTerm = 0.0
    var doubledRanks: [Int] = []
    var start = 0
    while start < all.count {
      var end = start
      while end < all.count, all[end].0 == all[start].0 { end += 1 }
      let ties = Double(end - start)
      let rank = Double(start + end + 1) / 2
      doubledRanks += repeatElement(start + end + 1, count: end - start)
      rankSum += rank * Double(all[start..<end].count { $0.1 })
      tieTerm += ties * ties * ties - ties
      start = end
    }
    let (n, m) = (Double(first.count), Double(second.count))
    let u = rankSum - n * (n + 1) / 2
    let total = n + m
    if all.count <= mostCounted {
      let chosen = min(first.count, second.count)
      let distance = 2 * (u - n * m / 2).magnitude
      return (chance(ofChoosing: chosen, of: doubledRanks, asFarAs: distance), u / (n * m))
    }
    let variance = n * m / 12 * (total + 1 - tieTerm / (total * (total - 1)))
    guard variance > 0 else { return (1, 0.5) }
    let z = max(0, (u - n * m / 2).magnitude - 0.5) / variance.squareRoot()
    return (2 * upperTail(z), u / (n * m))
  }

  /// Of all ways to choose so many of the ranks, doubled, the part whose sum is as far from the middle as that.
  private static func chance(ofChoosing chosen: Int, of ranks: [Int], asFarAs distance: Double) -> Double {
    let width = ranks.reduce(1, +)
    // By how many are chosen, and by their sum.
    var ways = [Double](repeating: 0, count: (chosen + 1) * width)
    ways[0] = 1
    for (place, rank) in ranks.enumerated() {
      for count in stride(from: min(place + 1, chosen), to: 0, by: -1) {
        for sum in rank..<width { ways[count * width + sum] += ways[(count - 1) * width + sum - rank] }
      }
    }
    let sums = ways[(chosen * width)...]
    let middle = Double(chosen * (ranks.count + 1))
    let far = sums.indices.filter { (Double($0 - chosen * width) - middle).magnitude >= distance }
    return far.reduce(0) { $0 + sums[$1] } / sums.reduce(0, +)
  }

  /// The Kolmogorov–Smirnov test for two samples, by its limiting distribution.
  ///
  /// Smirnov: Table for estimating the goodness of fit of empirical distributions (1948).
  /// - Returns: The probability of such a distance by chance; nil for fewer than five values on a side, and where no
  ///   difference of so few could be told from chance.
  static func kolmogorovSmirnov(_ first: [Double], _ second: [Double]) -> Double? {
    guard canTell(first.count, second.count, beyond: significance) else { return nil }
    let (a, b) = (first.sorted(), second.sorted())
    var (i, j, distance) = (0, 0, 0.0)
    while i < a.count, j < b.count {
      let value = min(a[i], b[j])
      while i < a.count, a[i] <= value { i += 1 }
      while j < b.count, b[j] <= value { j += 1 }
      distance = max(distance, (Double(i) / Double(a.count) - Double(j) / Double(b.count)).magnitude)
    }
    let size = Double(a.count) * Double(b.count) / Double(a.count + b.count)
    let root = size.squareRoot()
    let lambda = (root + 0.12 + 0.11 / root) * distance
    guard lambda > 0.2 else { return 1 }
    var sum = 0.0
    for k in 1...100 { sum += (k % 2 == 1 ? 1 : -1) * exponential(-2 * Double(k * k) * lambda * lambda) }
    return min(1, max(0, 2 * sum))
  }

  /// The value that a part of all do not exceed; nil where there is none.
  static func quantile(_ values: [Double], _ part: Double) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let place = min(max(part, 0), 1) * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }

  /// How likely a normal deviate above z is. Abramowitz, Stegun: Handbook of Mathematical Functions (1964), 26.2.17: good
  /// to 1e-7, so that what is rarer counts as nought.
  static func upperTail(_ z: Double) -> Double {
    let t = 1 / (1 + 0.2316419 * z)
    let polynomial =
      t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    return max(0, 0.3989422804014327 * exponential(-z * z / 2) * polynomial)
  }
}

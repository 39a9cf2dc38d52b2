/// Tests of whether two samples are of one kind. They assume nothing of how the values are distributed.
enum SampleTests {
  /// What is rarer than this, if both were of one kind, is no chance.
  static let significance = 0.001
  /// Fewer values say nothing.
  static let leastValues = 5

  /// The Mann–Whitney U test, with the normal approximation and its correction for ties.
  ///
  /// Mann, Whitney: On a test of whether one of two random variables is stochastically larger than the other (1947).
  /// - Returns: The probability of such a difference by chance, two-sided, and how often a value of the first is above one
  ///   of the second, ties counting half: 0 to 1. Nil for fewer than five values on a side.
  static func mannWhitney(_ first: [Double], _ second: [Double]) -> (chance: Double, superiority: Double)? {
    guard first.count >= leastValues, second.count >= leastValues else { return nil }
    let all = (first.map { ($0, true) } + second.map { ($0, false) }).sorted { $0.0 < $1.0 }
    var rankSum = 0.0
    var tieTerm = 0.0
    var start = 0
    while start < all.count {
      var end = start
      while end < all.count, all[end].0 == all[start].0 { end += 1 }
      let ties = Double(end - start)
      let rank = Double(start + end + 1) / 2
      rankSum += rank * Double(all[start..<end].count { $0.1 })
      tieTerm += ties * ties * ties - ties
      start = end
    }
    let (n, m) = (Double(first.count), Double(second.count))
    let u = rankSum - n * (n + 1) / 2
    let total = n + m
    let variance = n * m / 12 * (total + 1 - tieTerm / (total * (total - 1)))
    guard variance > 0 else { return (1, 0.5) }
    let z = max(0, (u - n * m / 2).magnitude - 0.5) / variance.squareRoot()
    return (2 * upperTail(z), u / (n * m))
  }

  /// The Kolmogorov–Smirnov test for two samples, by its limiting distribution.
  ///
  /// Smirnov: Table for estimating the goodness of fit of empirical distributions (1948).
  /// - Returns: The probability of such a distance by chance; nil for fewer than five values on a side.
  static func kolmogorovSmirnov(_ first: [Double], _ second: [Double]) -> Double? {
    guard first.count >= leastValues, second.count >= leastValues else { return nil }
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

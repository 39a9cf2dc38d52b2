import Testing

@testable import CaptureAnalysis

/// Against SciPy 1.17: `mannwhitneyu(method="asymptotic")`, `kstwobign.sf` of Stephens' modified statistic, `norm.sf`; of few
/// values, against all ways to deal them, one by one.
@Suite struct `Statistics of samples` {
  private let few = [1.1, 2.0, 2.0, 3.5, 4.2, 5.9, 6.0, 7.7]
  private let others = [2.0, 3.5, 6.1, 8.8, 9.0, 9.1, 10.4]
  private let low = (1...24).map(Double.init)
  private let high = (19...32).map(Double.init)

  private func isNear(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) <= 1e-4 * expected + 1e-7 } ?? false
  }

  @Test func `Mann and Whitney`() throws {
    let ties = try #require(SampleStatistics.mannWhitney(few, others))
    #expect(isNear(ties.chance, 0.057031857) && isNear(ties.superiority, 0.20535714))
    let apart = try #require(SampleStatistics.mannWhitney(low, high))
    #expect(isNear(apart.chance, 6.0235325e-06) && isNear(apart.superiority, 0.053571429))
    let same = try #require(SampleStatistics.mannWhitney(low, low))
    #expect(same.superiority == 0.5 && same.chance > 0.99)
    let constant = try #require(SampleStatistics.mannWhitney([1, 1, 1, 1, 1], [1, 1, 1, 1, 1], beyond: 0.01))
    #expect(constant.chance == 1)
    #expect(SampleStatistics.mannWhitney([1, 2, 3, 4], low) == nil)
  }

  /// Of too few, not even the largest difference is beyond chance: there is no test that could find none.
  @Test func `what cannot be found is not looked for`() throws {
    let (seven, apart) = (Array(low.prefix(7)), Array(high.prefix(7)))
    #expect(isNear(SampleStatistics.mannWhitney(seven, apart)?.chance, 2.0 / 3432))
    #expect(SampleStatistics.kolmogorovSmirnov(seven, apart).map { $0 < SampleStatistics.significance } == true)
    for (count, other) in [(5, 5), (6, 6), (6, 7), (5, 8)] {
      #expect(SampleStatistics.mannWhitney(Array(low.prefix(count)), Array(high.prefix(other))) == nil)
      #expect(SampleStatistics.kolmogorovSmirnov(Array(low.prefix(count)), Array(high.prefix(other))) == nil)
    }
    let few = SampleStatistics.mannWhitney(Array(low.prefix(5)), Array(high.prefix(5)), beyond: 0.01)
    #expect(isNear(few?.chance, 2.0 / 252))
  }

  @Test func `Kolmogorov and Smirnov`() throws {
    #expect(isNear(SampleStatistics.kolmogorovSmirnov(low, high), 3.2563711e-05))
    #expect(isNear(SampleStatistics.kolmogorovSmirnov(few, others), 0.091044897))
    #expect(SampleStatistics.kolmogorovSmirnov(low, low) == 1)
    #expect(SampleStatistics.kolmogorovSmirnov(low, [1, 2]) == nil)
  }

  @Test(arguments: [(0.0, 0.5), (1, 0.15865525), (2, 0.02275013), (3.29, 0.00050094)])
  func `the upper tail`(z: Double, chance: Double) {
    #expect(isNear(SampleStatistics.upperTail(z), chance))
  }

  @Test func `quantiles`() {
    #expect(SampleStatistics.quantile([4, 1, 3, 2], 0.5) == 2.5 && SampleStatistics.quantile([], 0.5) == nil)
    #expect(SampleStatistics.quantile([7], 0.9) == 7 && SampleStatistics.quantile(low, 1) == 24)
  }
}

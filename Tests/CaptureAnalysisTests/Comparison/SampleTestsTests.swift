import Testing

@testable import CaptureAnalysis

/// Against SciPy 1.17: `mannwhitneyu(method="asymptotic")`, `kstwobign.sf` of Stephens' modified statistic, `norm.sf`.
@Suite struct `Tests of samples` {
  private let few = [1.1, 2.0, 2.0, 3.5, 4.2, 5.9, 6.0, 7.7]
  private let others = [2.0, 3.5, 6.1, 8.8, 9.0, 9.1, 10.4]
  private let low = (1...24).map(Double.init)
  private let high = (19...32).map(Double.init)

  private func isNear(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) <= 1e-4 * expected + 1e-7 } ?? false
  }

  @Test func `Mann and Whitney`() throws {
    let ties = try #require(SampleTests.mannWhitney(few, others))
    #expect(isNear(ties.chance, 0.062890871) && isNear(ties.superiority, 0.20535714))
    let apart = try #require(SampleTests.mannWhitney(low, high))
    #expect(isNear(apart.chance, 6.0235325e-06) && isNear(apart.superiority, 0.053571429))
    let same = try #require(SampleTests.mannWhitney(low, low))
    #expect(same.superiority == 0.5 && same.chance > 0.99)
    let constant = try #require(SampleTests.mannWhitney([1, 1, 1, 1, 1], [1, 1, 1, 1, 1]))
    #expect(constant.chance == 1)
    #expect(SampleTests.mannWhitney([1, 2, 3, 4], low) == nil)
  }

  @Test func `Kolmogorov and Smirnov`() throws {
    #expect(isNear(SampleTests.kolmogorovSmirnov(low, high), 3.2563711e-05))
    #expect(isNear(SampleTests.kolmogorovSmirnov(few, others), 0.091044897))
    #expect(SampleTests.kolmogorovSmirnov(low, low) == 1)
    #expect(SampleTests.kolmogorovSmirnov(low, [1, 2]) == nil)
  }

  @Test(arguments: [(0.0, 0.5), (1, 0.15865525), (2, 0.02275013), (3.29, 0.00050094)])
  func `the upper tail`(z: Double, chance: Double) {
    #expect(isNear(SampleTests.upperTail(z), chance))
  }

  @Test func `quantiles`() {
    #expect(SampleTests.quantile([4, 1, 3, 2], 0.5) == 2.5 && SampleTests.quantile([], 0.5) == nil)
    #expect(SampleTests.quantile([7], 0.9) == 7 && SampleTests.quantile(low, 1) == 24)
  }
}

import Testing

@testable import CaptureAnalysis

/// Against SciPy 1.17: `fisher_exact` and `binom.sf`.
@Suite struct `Statistics of counts` {
  private func isNear(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) <= 1e-6 * expected }

  @Test(
    arguments: [
      ((3, 4), (1, 4), 0.48571428571428565), ((4, 4), (0, 4), 0.028571428571428567), ((1, 10), (0, 10), 1),
      ((4, 10), (0, 10), 0.08668730650154799), ((3, 3), (0, 3), 0.1), ((7, 12), (30, 31), 0.004178822640177388),
      ((40, 4000), (90, 5000), 0.0017574119440485721), ((0, 5), (0, 5), 1), ((5, 5), (5, 5), 1),
    ] as [((Int, Int), (Int, Int), Double)])
  func `Fisher's exact test`(first: (Int, Int), second: (Int, Int), chance: Double) {
    #expect(isNear(CountStatistics.fisher(first, second), chance))
    #expect(isNear(CountStatistics.fisher(second, first), chance))
  }

  @Test(
    arguments: [
      (8, 8, 0.5, 0.00390625), (7, 10, 0.3, 0.010592078399999996), (0, 10, 0.3, 1),
      (300, 1000, 0.25, 1.935903219490758e-4),
      (1000, 1000, 0.5, 9.332636185032189e-302), (20, 25, 0.5, 0.0020386576652526855), (0, 0, 0.5, 1), (11, 10, 0.5, 0),
    ] as [(Int, Int, Double, Double)])
  func `the tail of the binomial distribution`(some: Int, all: Int, probability: Double, tail: Double) {
    #expect(isNear(CountStatistics.binomial(atLeast: some, of: all, each: probability), tail))
  }
}

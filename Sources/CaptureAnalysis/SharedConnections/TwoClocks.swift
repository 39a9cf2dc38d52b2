/// Two clocks, each in seconds from an origin of its own.
struct TwoClocks {
  /// How far the second one was ahead at a time of the first.
  private let offset: Double
  private let begin: Double
  /// How far it gains, in seconds a second.
  private let slope: Double

  init(_ difference: ClockDifference, since begin: Double) {
    offset = difference.offset
    self.begin = begin
    slope = (difference.drift ?? 0) / 1_000_000
  }

  /// How far the second one is ahead. What it gains in that time is nothing: of either clock the time will do.
  private func ahead(at time: Double) -> Double { offset + slope * (time - begin) }

  /// What the second one shows when the first one shows a time.
  func second(at first: Double) -> Double { first + ahead(at: first) }

  /// What the first one shows when the second one shows a time.
  func first(at second: Double) -> Double { second - ahead(at: second) }

  /// How much later by the second one than by the first one something was.
  func delay(_ first: Double, _ second: Double) -> Double { second - first - ahead(at: first) }
}

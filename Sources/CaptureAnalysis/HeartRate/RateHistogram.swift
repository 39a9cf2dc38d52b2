/// How often each heart rate came, in constant memory: what is above 255 counts as 255.
struct RateHistogram: Sendable {
  private var counts = Counts(size: most + 1)

  /// No higher rates are told apart.
  static let most = 255

  @inline(__always)
  mutating func note(_ rate: Int) { counts.note(rate) }

  /// No more come, most likely.
  mutating func settle() { counts.settle() }

  /// How often no rate came: 0 stands for it.
  var zeros: Int { counts[0] }

  /// The rate that a part of all do not exceed: 0.5 for the median; nil where there is none.
  /// - Parameter part: 0 to 1.
  func quantile(_ part: Double) -> Int? {
    guard counts.total > 0 else { return nil }
    var left = max(1, (Double(counts.total) * min(max(part, 0), 1)).rounded(.up))
    var found: Int?
    counts.forEach { rate, number in
      left -= Double(number)
      found = rate
      return left > 0
    }
    return found
  }
}

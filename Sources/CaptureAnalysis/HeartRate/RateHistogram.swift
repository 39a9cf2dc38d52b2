/// How often each heart rate came, in constant memory: what is above 255 counts as 255.
public struct RateHistogram: Sendable {
  private var counts: ContiguousArray<UInt32> = []
  private var count = 0

  @inline(__always)
  mutating func note(_ rate: Int) {
    if counts.isEmpty { counts = ContiguousArray(repeating: 0, count: 256) }
    counts[min(max(rate, 0), 255)] &+= 1
    count &+= 1
  }

  /// The rate that a part of all do not exceed: 0.5 for the median; nil where there is none.
  /// - Parameter part: 0 to 1.
  public func quantile(_ part: Double) -> Int? {
    guard count > 0 else { return nil }
    var left = (Double(count) * min(max(part, 0), 1)).rounded(.up)
    for (rate, number) in counts.enumerated() {
      left -= Double(number)
      if left <= 0, number > 0 || left < 0 { return rate }
    }
    return counts.lastIndex { $0 > 0 }
  }
}

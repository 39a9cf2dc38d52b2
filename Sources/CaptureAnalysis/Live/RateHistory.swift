import CaptureFiles

/// The heart rate of the last ten minutes at least, a mean a second, in constant memory.
public struct RateHistory: Sendable {
  /// The last seconds that have a value, in order of arrival.
  private var seconds = ContiguousArray<Second>()

  private struct Second: Sendable {
    /// Its first value's.
    let moment: Moment
    var sum: UInt32 = 0
    var count: UInt32 = 0
  }

  /// How many seconds are kept.
  public static let length = 600

  mutating func note(_ rate: UInt16, at moment: Moment) {
    if seconds.last.map({ Self.number(of: $0.moment.time) != Self.number(of: moment.time) }) ?? true {
      if seconds.count >= Self.length { seconds.removeFirst() }
      seconds.append(Second(moment: moment))
    }
    seconds[seconds.count - 1].sum &+= UInt32(rate)
    seconds[seconds.count - 1].count &+= 1
  }

  /// The mean of each stretch of time up to a moment; nil where nothing was measured for a while.
  /// - Parameters:
  ///   - columns: How many stretches.
  ///   - secondsPerColumn: How long each is. They begin at whole multiples of that, so that a drawing moves by columns.
  ///   - steadyTime: How time goes by.
  public func means(
    columns: Int, secondsPerColumn: Int, until end: Moment, in steadyTime: SteadyTime
  ) -> [Double?] {
    guard columns > 0, secondsPerColumn > 0 else { return [] }
    let width = Int64(secondsPerColumn)
    let first = Self.floor(Self.number(of: end.time), width) - Int64(columns) + 1
    var sums = [(sum: Int, count: Int)](repeating: (0, 0), count: columns)
    for second in seconds {
      let column = Self.floor(Self.number(of: steadyTime.time(of: second.moment, by: end)), width) - first
      guard (0..<Int64(columns)).contains(column) else { continue }
      sums[Int(column)].sum += Int(second.sum)
      sums[Int(column)].count += Int(second.count)
    }
    var means: [Double?] = sums.map { $0.count == 0 ? nil : Double($0.sum) / Double($0.count) }
    // Sensors notify about once a second: a second without a value is no silence.
    let bridged = 2 / secondsPerColumn
    var empty = bridged
    for column in means.indices {
      empty = means[column] == nil ? empty + 1 : 0
      if empty > 0, empty <= bridged { means[column] = means[column - 1] }
    }
    return means
  }

  private static func number(of time: Timestamp) -> Int64 { floor(time.microseconds, 1_000_000) }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}

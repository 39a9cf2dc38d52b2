public import CaptureFiles

/// The heart rate of the last ten minutes, a mean a second, in constant memory.
public struct RateHistory: Sendable {
  /// The last seconds, each at its number's remainder.
  private var seconds = ContiguousArray(repeating: Second(), count: Self.length)
  /// The number of the newest second with a value, from 1970; nil if there is none.
  private var newest: Int64?

  private struct Second: Sendable {
    var sum: UInt32 = 0
    var count: UInt32 = 0
  }

  /// How many seconds are kept.
  public static let length = 600
  /// A clock that goes back further than this was set: what was before it is over.
  private static let mostReordered: Int64 = 60

  mutating func note(_ rate: UInt16, at time: Timestamp) {
    let second = Self.number(of: time)
    let step = newest.map { second - $0 } ?? Int64(Self.length)
    if step >= Int64(Self.length) || step < -Self.mostReordered {
      seconds = ContiguousArray(repeating: Second(), count: Self.length)
      newest = second
    } else if step > 0 {
      for skipped in 1...step { seconds[Self.place(second - step + skipped)] = Second() }
      newest = second
    }
    seconds[Self.place(second)].sum &+= UInt32(rate)
    seconds[Self.place(second)].count &+= 1
  }

  /// The mean of each stretch of time up to a moment; nil where nothing was measured for a while.
  /// - Parameters:
  ///   - columns: How many stretches.
  ///   - secondsPerColumn: How long each is. They begin at whole multiples of that, so that a drawing moves by columns.
  public func means(columns: Int, secondsPerColumn: Int, until end: Timestamp) -> [Double?] {
    guard columns > 0, secondsPerColumn > 0 else { return [] }
    let width = Int64(secondsPerColumn)
    let last = Self.floor(Self.number(of: end), width)
    var means = (0..<Int64(columns)).map { mean(from: (last - Int64(columns) + 1 + $0) * width, width) }
    // Sensors notify about once a second: a second without a value is no silence.
    let bridged = 2 / secondsPerColumn
    var empty = bridged
    for column in means.indices {
      empty = means[column] == nil ? empty + 1 : 0
      if empty > 0, empty <= bridged { means[column] = means[column - 1] }
    }
    return means
  }

  private func mean(from first: Int64, _ width: Int64) -> Double? {
    guard let newest else { return nil }
    var (sum, count) = (0, 0)
    let oldest = newest - Int64(Self.length) + 1
    for second in max(first, oldest)..<max(first + width, oldest) where second <= newest {
      sum += Int(seconds[Self.place(second)].sum)
      count += Int(seconds[Self.place(second)].count)
    }
    return count == 0 ? nil : Double(sum) / Double(count)
  }

  private static func number(of time: Timestamp) -> Int64 { floor(time.microseconds, 1_000_000) }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }

  private static func place(_ second: Int64) -> Int {
    Int(second - floor(second, Int64(length)) * Int64(length))
  }
}

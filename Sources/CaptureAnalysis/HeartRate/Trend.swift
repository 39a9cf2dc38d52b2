import CaptureFiles

/// A series of numbers over time, for drawing: means over equal stretches of time, which grow with the series so that
/// their number stays the same.
public struct Trend: Sendable {
  private var stretches = ContiguousArray<Stretch>()
  private var start: Timestamp?
  /// The length of a stretch, as a power of two in microseconds: about a second at first.
  private var widthExponent: Int64 = 20

  private static let most = 128

  private struct Stretch: Sendable {
    var sum: UInt32 = 0
    var count: UInt32 = 0

    mutating func note(_ value: UInt32) {
      sum &+= value
      count &+= 1
    }
  }

  mutating func note(_ value: Int, at time: Timestamp) {
    let start = self.start ?? time
    self.start = start
    let age = max(0, time.microseconds.subtractingReportingOverflow(start.microseconds).partialValue)
    while age >> widthExponent >= Int64(Self.most) { widen() }
    let place = Int(age >> widthExponent)
    while stretches.count <= place { stretches.append(Stretch()) }
    stretches[place].note(UInt32(clamping: value))
  }

  /// Two stretches become one.
  private mutating func widen() {
    widthExponent += 1
    var place = 0
    while place * 2 < stretches.count {
      var joined = stretches[place * 2]
      if place * 2 + 1 < stretches.count {
        joined.sum &+= stretches[place * 2 + 1].sum
        joined.count &+= stretches[place * 2 + 1].count
      }
      stretches[place] = joined
      place += 1
    }
    stretches.removeSubrange(place...)
  }

  /// The series drawn in at most `columns` columns: the mean of each, nil where nothing was measured for a while. A
  /// stretch that is empty only because measurements came a little early or late takes the mean of the one before.
  public func means(columns: Int) -> [Double?] {
    guard columns > 0, !stretches.isEmpty else { return [] }
    let shown = min(columns, stretches.count)
    var means = (0..<shown).map { mean(of: $0 * stretches.count / shown..<($0 + 1) * stretches.count / shown) }
    let columnWidth = Double(1 << widthExponent) * Double(stretches.count) / Double(shown) / 1_000_000
    var column = 0
    while column < shown {
      let end = means[column...].firstIndex { $0 != nil } ?? shown
      if end > column, Double(end - column) * columnWidth < Self.shortestGap, column > 0 {
        for empty in column..<end { means[empty] = means[column - 1] }
      }
      column = end + 1
    }
    return means
  }

  /// In seconds: sensors notify about once a second.
  private static let shortestGap = 2.5

  private func mean(of range: Range<Int>) -> Double? {
    let sum = stretches[range].reduce(0) { $0 + Int($1.sum) }
    let count = stretches[range].reduce(0) { $0 + Int($1.count) }
    return count == 0 ? nil : Double(sum) / Double(count)
  }
}

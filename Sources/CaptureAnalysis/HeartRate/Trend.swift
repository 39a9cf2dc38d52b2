/// A series of numbers over time, for drawing: means over equal stretches of time, which grow with the series so that
/// their number stays the same.
public struct Trend: Sendable {
  private var stretches = ContiguousArray<Stretch>()
  private var start: Int64?
  /// The length of a stretch, as a power of two in microseconds: about a second at first.
  private var widthExponent: Int64 = 20

  /// What came in the stretch that the last value belongs to, and where that stretch is.
  private var current = Stretch()
  private var currentPlace = 0
  private var currentStart: Int64 = 0
  private var currentWidth: Int64 = 0

  private static let most = 128

  private struct Stretch: Sendable {
    var sum: UInt32 = 0
    var count: UInt32 = 0

    mutating func note(_ value: UInt32) {
      sum &+= value
      count &+= 1
    }

    mutating func add(_ other: Stretch) {
      sum &+= other.sum
      count &+= other.count
    }
  }

  /// - Parameter time: When it came, in microseconds since anything.
  @inline(__always)
  mutating func note(_ value: Int, at time: Int64) {
    // Almost always another one belongs to the same stretch.
    let age = time &- currentStart
    if age >= 0, age < currentWidth {
      current.note(UInt32(truncatingIfNeeded: value))
    } else {
      begin(value, at: time)
    }
  }

  /// A value of another stretch than the current one, which is put where it belongs.
  @inline(never)
  private mutating func begin(_ value: Int, at time: Int64) {
    let start = self.start ?? time
    self.start = start
    settle()
    let age = max(0, time &- start)
    while age >> widthExponent >= Int64(Self.most) { widen() }
    currentPlace = Int(age >> widthExponent)
    while stretches.count <= currentPlace { stretches.append(Stretch()) }
    current.note(UInt32(truncatingIfNeeded: value))
    currentStart = start &+ Int64(currentPlace) << widthExponent
    currentWidth = 1 << widthExponent
  }

  /// Puts what came in the current stretch where it belongs.
  private mutating func settle() {
    if current.count > 0 { stretches[currentPlace].add(current) }
    current = Stretch()
  }

  /// Two stretches become one.
  private mutating func widen() {
    widthExponent += 1
    var place = 0
    while place * 2 < stretches.count {
      var joined = stretches[place * 2]
      if place * 2 + 1 < stretches.count {
        joined.add(stretches[place * 2 + 1])
      }
      stretches[place] = joined
      place += 1
    }
    stretches.removeSubrange(place...)
  }

  /// The series drawn in at most `columns` columns: the mean of each, nil where nothing was measured for a while. A
  /// column that is empty only because measurements are as far apart takes the mean of the one before.
  /// - Parameter pause: The longest silence that is no gap, in seconds.
  public func means(columns: Int, pause: Double) -> [Double?] {
    var settled = self
    settled.settle()
    return settled.settledMeans(columns: columns, pause: pause)
  }

  private func settledMeans(columns: Int, pause: Double) -> [Double?] {
    let shown = min(columns, stretches.count)
    let width = Double(1 << widthExponent) / 1_000_000
    var last: Double?
    return (0..<max(0, shown)).map { column in
      let range = column * stretches.count / shown..<(column + 1) * stretches.count / shown
      guard let mean = mean(of: range) else {
        return Double(silence(at: range.lowerBound)) * width < pause ? last : nil
      }
      last = mean
      return mean
    }
  }

  /// How many stretches in a row are empty where one is. Columns would not tell: some hold more stretches than others.
  private func silence(at place: Int) -> Int {
    let before = stretches[..<place].lastIndex { $0.count > 0 } ?? -1
    let behind = stretches[place...].firstIndex { $0.count > 0 } ?? stretches.count
    return behind - before - 1
  }

  private func mean(of range: Range<Int>) -> Double? {
    let sum = stretches[range].reduce(0) { $0 + Int($1.sum) }
    let count = stretches[range].reduce(0) { $0 + Int($1.count) }
    return count == 0 ? nil : Double(sum) / Double(count)
  }
}

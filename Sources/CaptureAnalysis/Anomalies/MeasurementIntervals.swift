import GATTKit

/// The RR-Intervals that came with a measurement, as far as they are there, oldest first, and what they are together.
///
/// In units of 1/1024 s.
struct MeasurementIntervals: RandomAccessCollection {
  /// Those at hand, and behind them what is left of others: the memory of one measurement serves the next.
  private var storage: ContiguousArray<UInt16> = []
  private(set) var endIndex = 0
  /// All of them together.
  private(set) var sum = 0
  /// The shortest; `Int.max` where there is none.
  private(set) var least = Int.max
  /// The longest; 0 where there is none.
  private(set) var most = 0

  var startIndex: Int { 0 }

  /// All of them together, in seconds.
  var seconds: Double { Double(sum) * (1 / 1024) }

  subscript(place: Int) -> UInt16 { storage[place] }

  /// Begins anew.
  @inline(__always)
  mutating func clear() { (endIndex, sum, least, most) = (0, 0, .max, 0) }

  /// Takes those of a measurement, all of them.
  @inline(__always)
  mutating func take(_ measurement: borrowing HeartRateMeasurement.View) {
    if measurement.rrCount > storage.count { makeRoom(for: measurement.rrCount) }
    var (count, sum, least, most) = (0, 0, Int.max, 0)
    var room = storage.mutableSpan
    measurement.forEachRRInterval { interval in
      guard count < room.count else { return }
      room[count] = interval.rawValue
      let length = Int(interval.rawValue)
      count &+= 1
      sum &+= length
      least = Swift.min(least, length)
      most = Swift.max(most, length)
    }
    (endIndex, self.sum, self.least, self.most) = (count, sum, least, most)
  }

  /// Takes one more.
  mutating func add(_ rawValue: UInt16) {
    if endIndex == storage.count { makeRoom(for: endIndex + 1) }
    storage[endIndex] = rawValue
    endIndex += 1
    sum += Int(rawValue)
    least = Swift.min(least, Int(rawValue))
    most = Swift.max(most, Int(rawValue))
  }

  @inline(never)
  private mutating func makeRoom(for count: Int) {
    storage.append(contentsOf: repeatElement(0, count: count - storage.count))
  }

  /// Whether so many of its first ones are the last of others.
  func begins(with count: Int, lastOf before: MeasurementIntervals) -> Bool {
    guard count <= endIndex, count <= before.endIndex else { return false }
    for place in 0..<count where storage[place] != before.storage[before.endIndex &- count &+ place] { return false }
    return true
  }

  /// Whether one is among them.
  func holds(_ rawValue: UInt16) -> Bool {
    for place in 0..<endIndex where storage[place] == rawValue { return true }
    return false
  }

  /// How far the one that is farthest from what a rate makes it is from that, times the rate: a minute has 61,440 units.
  /// 0 where there is none.
  @inline(__always)
  func deviation(from rate: Int) -> Int {
    isEmpty ? 0 : Swift.max(abs(least &* rate &- 61_440), abs(most &* rate &- 61_440))
  }
}

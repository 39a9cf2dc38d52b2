import GATTKit

/// The RR-Intervals that came with a measurement, as far as they are there, oldest first, and what they are together.
///
/// In units of 1/1024 s.
struct MeasurementIntervals: RandomAccessCollection {
  /// The first four, the first in the lowest bits: hardly ever are there more.
  private var packed: UInt64 = 0
  /// All of them, where they are more; and behind them what is left of others: the memory of one measurement serves the
  /// next.
  private var storage: ContiguousArray<UInt16> = []
  private(set) var endIndex = 0
  /// All of them together.
  private(set) var sum = 0
  /// The shortest; `Int.max` where there is none.
  private(set) var least = Int.max
  /// The longest; 0 where there is none.
  private(set) var most = 0

  private static let packedMost = 4

  var startIndex: Int { 0 }

  /// All of them together, in seconds.
  @inline(__always)
  var seconds: Double { Double(sum) * (1 / 1024) }

  subscript(place: Int) -> UInt16 {
    endIndex <= Self.packedMost ? UInt16(truncatingIfNeeded: packed >> (16 &* UInt64(place & 3))) : storage[place]
  }

  /// Calls a function with each: several times as fast as a loop over a collection.
  @inline(__always)
  func forEach(_ body: (UInt16) -> Void) {
    if endIndex > Self.packedMost { return forEachOfMany(body) }
    var (left, word) = (endIndex, packed)
    while left > 0 {
      body(UInt16(truncatingIfNeeded: word))
      left &-= 1
      word >>= 16
    }
  }

  @inline(never)
  private func forEachOfMany(_ body: (UInt16) -> Void) {
    for place in 0..<endIndex { body(storage[place]) }
  }

  /// Begins anew.
  @inline(__always)
  mutating func clear() { (packed, endIndex, sum, least, most) = (0, 0, 0, .max, 0) }

  /// Takes those of a measurement, all of them.
  @inline(__always)
  mutating func take(_ measurement: borrowing HeartRateMeasurement.View) {
    let count = measurement.rrCount
    if count == 0 { return clear() }
    if count > Self.packedMost { return takeMany(measurement) }
    packed = measurement.firstRRIntervals
    endIndex = count
    // Four at once: where there are fewer, zeros are no part of a sum and never the longest.
    let pairs = (packed & 0x0000_FFFF_0000_FFFF) &+ (packed >> 16 & 0x0000_FFFF_0000_FFFF)
    sum = Int(truncatingIfNeeded: pairs & 0xFFFF_FFFF) &+ Int(truncatingIfNeeded: pairs >> 32)
    most = Swift.max(Swift.max(lane(packed, 0), lane(packed, 16)), Swift.max(lane(packed, 32), lane(packed, 48)))
    let filled = packed | ~0 << (16 &* UInt64(count))
    least = Swift.min(Swift.min(lane(filled, 0), lane(filled, 16)), Swift.min(lane(filled, 32), lane(filled, 48)))
  }

  @inline(__always)
  private func lane(_ word: UInt64, _ shift: UInt64) -> Int { Int(truncatingIfNeeded: word &>> shift & 0xFFFF) }

  @inline(never)
  private mutating func takeMany(_ measurement: borrowing HeartRateMeasurement.View) {
    clear()
    measurement.forEachRRInterval { add($0.rawValue) }
  }

  /// Takes one more.
  mutating func add(_ rawValue: UInt16) {
    if endIndex == storage.count { storage.append(rawValue) } else { storage[endIndex] = rawValue }
    if endIndex < Self.packedMost { packed |= UInt64(rawValue) << (16 &* UInt64(endIndex)) }
    endIndex += 1
    sum += Int(rawValue)
    least = Swift.min(least, Int(rawValue))
    most = Swift.max(most, Int(rawValue))
  }

  /// Whether so many of its first ones are the last of others.
  func begins(with count: Int, lastOf before: MeasurementIntervals) -> Bool {
    guard count <= endIndex, count <= before.endIndex else { return false }
    for place in 0..<count where self[place] != before[before.endIndex &- count &+ place] { return false }
    return true
  }

  /// Whether one is among them.
  @inline(__always)
  func holds(_ rawValue: UInt16) -> Bool {
    if endIndex > Self.packedMost { return manyHold(rawValue) }
    // Where a lane has this value, what differs there is 0, and to take 1 from it borrows from its highest bit.
    let difference = packed ^ UInt64(rawValue) &* 0x0001_0001_0001_0001 | ~0 << (16 &* UInt64(endIndex))
    return (difference &- 0x0001_0001_0001_0001) & ~difference & 0x8000_8000_8000_8000 != 0
  }

  @inline(never)
  private func manyHold(_ rawValue: UInt16) -> Bool {
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

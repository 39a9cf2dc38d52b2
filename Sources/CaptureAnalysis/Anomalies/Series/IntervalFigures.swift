import GATTKit

/// What the RR-Intervals of one measurement are together, and the first four of them, in units of 1/1024 s.
struct IntervalFigures: BitwiseCopyable {
  /// The first four, the first in the lowest bits; zeros where there are fewer.
  private(set) var packed: UInt64 = 0
  private(set) var count = 0
  /// All of them together.
  private(set) var sum = 0
  /// The shortest; `Int.max` where there is none.
  private(set) var least = Int.max
  /// The longest; 0 where there is none.
  private(set) var most = 0

  /// Hardly ever are there more than are packed.
  static let packedMost = 4

  var isEmpty: Bool { count == 0 }

  /// All bits where there are any, none where there are not: what depends on that is computed with it, since the processor
  /// cannot guess it.
  @inline(__always)
  var mask: Int { (0 &- count) >> 63 }

  /// All of them together, in seconds.
  var seconds: Double { Double(sum) * (1 / 1024) }

  /// None.
  init() {}

  /// Those of a measurement that has no more than two; nil for any other.
  @inline(__always)
  init?(_ measurement: borrowing HeartRateMeasurement.View) {
    guard measurement.rrCount <= 2 else { return nil }
    (packed, count) = (measurement.firstRRIntervals, measurement.rrCount)
    // Without a branch: where there is one, it is the second as well, but no part of the sum.
    let first = Int(truncatingIfNeeded: packed & 0xFFFF)
    let second = Int(truncatingIfNeeded: packed >> 16)
    let last = count == 2 ? second : first
    sum = first &+ second
    least = count == 0 ? .max : min(first, last)
    most = max(first, last)
  }

  /// Takes one more.
  mutating func add(_ interval: UInt16) {
    if count < Self.packedMost { packed |= UInt64(interval) << (16 &* UInt64(count)) }
    count += 1
    sum += Int(interval)
    least = min(least, Int(interval))
    most = max(most, Int(interval))
  }

  /// One of the first four.
  @inline(__always)
  subscript(place: Int) -> UInt16 { UInt16(truncatingIfNeeded: packed >> (16 &* UInt64(place & 3))) }

  /// Whether one is among them, if they are no more than four.
  @inline(__always)
  func holds(_ interval: UInt16) -> Bool {
    // Where one has this value, what differs there is 0, and to take 1 from it borrows from its highest bit.
    let difference = packed ^ UInt64(interval) &* 0x0001_0001_0001_0001 | ~0 << (16 &* UInt64(count))
    return (difference &- 0x0001_0001_0001_0001) & ~difference & 0x8000_8000_8000_8000 != 0
  }

  /// How far the one that is farthest from what a rate makes it is from that, times the rate: a minute has 61,440 units.
  /// Of no meaning where there is none.
  @inline(__always)
  func deviation(from rate: Int) -> UInt {
    max((least &* rate &- 61_440).magnitude, (most &* rate &- 61_440).magnitude)
  }
}

import Octets

/// The RR-Intervals of one measurement, oldest first.
///
/// Ten fit without an allocation: a notification of the default ATT_MTU has room for nine at most, as
/// `HeartRateMeasurement.rrCapacity(inOctets:)` tells. Only longer lists, which a larger ATT_MTU allows, are kept on the heap.
///
/// HRS 1.0, 3.1.1.4.
@frozen public struct RRIntervals: Hashable, Sendable {
  /// All intervals where they are more than ten; else nil.
  @usableFromInline var overflow: ContiguousArray<UInt16>?
  /// The first four intervals, the first in the lowest bits; zero where there are none, so that equal lists are equal.
  @usableFromInline var first: UInt64
  /// The next four.
  @usableFromInline var second: UInt64
  /// The last two.
  @usableFromInline var third: UInt32
  /// How many intervals are kept in the words above: 0 if in `overflow`.
  @usableFromInline var inlineCount: UInt16

  /// More take an allocation.
  @usableFromInline static var inlineMost: Int { 10 }

  /// No intervals.
  @inlinable public init() {
    overflow = nil
    first = 0
    second = 0
    third = 0
    inlineCount = 0
  }

  /// The given intervals, oldest first.
  @inlinable public init(_ intervals: some Sequence<RRInterval>) {
    self.init()
    for interval in intervals { append(interval) }
  }

  /// Adds an interval younger than all others.
  @inlinable public mutating func append(_ interval: RRInterval) {
    let value = interval.rawValue
    let place = UInt64(inlineCount)
    switch inlineCount {
    case _ where overflow != nil: overflow?.append(value)
    case 0..<4:
      first |= UInt64(value) << (place &* 16)
      inlineCount &+= 1
    case 4..<8:
      second |= UInt64(value) << ((place &- 4) &* 16)
      inlineCount &+= 1
    case 8..<10:
      third |= UInt32(value) << ((UInt32(place) &- 8) &* 16)
      inlineCount &+= 1
    default: spill(value)
    }
  }

  @inline(never) @usableFromInline
  mutating func spill(_ value: UInt16) {
    var all = ContiguousArray(lazy.map(\.rawValue))
    all.append(value)
    self = Self()
    overflow = all
  }
}

// MARK: - On the air

extension RRIntervals {
  func encode(into octets: inout [UInt8]) {
    for interval in self { octets.append(littleEndian: interval.rawValue) }
  }
}

// MARK: - As a collection

extension RRIntervals: RandomAccessCollection {
  /// The index of the oldest interval.
  @inlinable public var startIndex: Int { 0 }

  /// The index behind the youngest interval.
  @inlinable public var endIndex: Int { overflow?.count ?? Int(inlineCount) }

  /// The interval at an index; 0 is the oldest.
  @inlinable public subscript(index: Int) -> RRInterval {
    if let overflow { return RRInterval(rawValue: overflow[index]) }
    precondition(index >= 0 && index < Int(inlineCount), "RR-Interval index out of range")
    let word =
      switch index {
      case 0..<4: first
      case 4..<8: second
      default: UInt64(third)
      }
    return RRInterval(rawValue: UInt16(truncatingIfNeeded: word &>> UInt64((index & 3) &* 16)))
  }
}

extension RRIntervals {
  /// Calls a function with each interval, oldest first: the same as a loop, and several times as fast.
  @inlinable @inline(__always) public func forEach(_ body: (RRInterval) -> Void) {
    // One or two are usual; more than four are rare.
    if inlineCount > 4 || overflow != nil { return forEachOfMany(body) }
    Self.forEach(first, Int(inlineCount), body)
  }

  /// The same of up to four intervals in a word, the first in the lowest bits.
  @inlinable @inline(__always)
  static func forEach(_ intervals: UInt64, _ count: Int, _ body: (RRInterval) -> Void) {
    var (left, word) = (count, intervals)
    while left > 0 {
      body(RRInterval(rawValue: UInt16(truncatingIfNeeded: word)))
      left &-= 1
      word &>>= 16
    }
  }

  @inline(never) @usableFromInline
  func forEachOfMany(_ body: (RRInterval) -> Void) {
    for interval in self { body(interval) }
  }
}

extension RRIntervals: ExpressibleByArrayLiteral {
  /// The given intervals, oldest first.
  @inlinable public init(arrayLiteral intervals: RRInterval...) { self.init(intervals) }
}

extension RRIntervals: CustomStringConvertible {
  /// The intervals as a list: "[1000 (976.563 ms), 1024 (1000.000 ms)]".
  public var description: String { "[\(map(\.description).joined(separator: ", "))]" }
}

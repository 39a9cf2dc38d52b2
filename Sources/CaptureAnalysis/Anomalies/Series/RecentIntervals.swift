import GATTKit

/// The RR-Intervals of the measurement at hand, and of the one before.
struct RecentIntervals {
  private(set) var current = IntervalFigures()
  private(set) var before = IntervalFigures()
  /// All of them, where they are more than the figures hold.
  private var many = (current: ContiguousArray<UInt16>(), before: ContiguousArray<UInt16>())

  /// Those of the measurement at hand.
  var intervals: MeasurementIntervals { MeasurementIntervals(current, all: many.current) }
  /// Those of the one before.
  var previous: MeasurementIntervals { MeasurementIntervals(before, all: many.before) }

  /// Begins with the next measurement, nothing of which is odd.
  @inline(__always)
  mutating func take(_ measurement: borrowing HeartRateMeasurement.View) {
    if let few = IntervalFigures(measurement), current.count <= IntervalFigures.packedMost {
      (before, current) = (current, few)
    } else {
      takeMany(measurement)
    }
  }

  @inline(never)
  private mutating func takeMany(_ measurement: borrowing HeartRateMeasurement.View) {
    begin()
    measurement.forEachRRInterval { add($0.rawValue) }
  }

  /// Begins with the next measurement, which has none as yet.
  mutating func begin() {
    (before, current) = (current, IntervalFigures())
    swap(&many.before, &many.current)
    many.current.removeAll(keepingCapacity: true)
  }

  /// Adds one to the measurement at hand.
  mutating func add(_ interval: UInt16) {
    current.add(interval)
    many.current.append(interval)
  }

  /// Whether the first of the measurement at hand, if there is one, is among those before.
  @inline(__always)
  var firstIsRepeated: Bool {
    let isHeld =
      before.count <= IntervalFigures.packedMost ? before.holds(current[0]) : many.before.contains(current[0])
    return isHeld && !current.isEmpty
  }
}

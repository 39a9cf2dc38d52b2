import GATTKit

/// Heart rate variability in the time domain, as the intervals come.
///
/// Task Force of the ESC and NASPE, Heart rate variability: standards of measurement (1996), table 1.
public struct IntervalStatistics: Sendable {
  /// Intervals that were sent, those too whose values the capture cut away.
  public var count: Int { known + unknown }
  /// Intervals whose values are there.
  public private(set) var known = 0
  private var unknown = 0
  // In units of 1/1024 s, and so exact, however many intervals there are.
  private var sum = 0
  private var squares = 0
  private var differenceSquares = 0
  private var differencesAbove50 = 0
  /// The one before; negative where the next has none before it.
  private var last = -1
  /// Intervals with none before them: all others differ from one.
  private var beginnings = 0

  private static let millisecondsPerUnit = 1000.0 / 1024
  /// As many units as are in 50 ms, and a fraction.
  private static var units50: Int { 50 * 1024 / 1000 }

  /// The intervals of a measurement that the capture may have cut.
  mutating func note(_ reading: HeartRateMeasurement.Reading) {
    guard reading.hasAllRRIntervals else {
      unknown &+= reading.rrCount ?? 0
      return breakOff()
    }
    reading.forEachKeptRRInterval { note($0.rawValue) }
  }

  /// What comes next is no neighbour of what came last.
  mutating func breakOff() { last = -1 }

  /// All that are known, together, in seconds.
  public var seconds: Double { Double(sum) / 1024 }

  /// An interval that is known.
  @inline(__always)
  mutating func note(_ rawValue: UInt16) {
    let interval = Int(rawValue)
    known &+= 1
    sum &+= interval
    squares &+= interval &* interval
    if last >= 0 {
      let difference = interval &- last
      differenceSquares &+= difference &* difference
      // Without a branch: it is anybody's guess.
      differencesAbove50 &+= abs(difference) > Self.units50 ? 1 : 0
    } else {
      beginnings &+= 1
    }
    last = interval
  }

  private var differences: Int { known - beginnings }

  /// The mean interval in milliseconds; nil where there is none.
  public var meanMilliseconds: Double? {
    known > 0 ? Double(sum) / Double(known) * Self.millisecondsPerUnit : nil
  }

  /// SDNN, the standard deviation of all intervals, in milliseconds; nil for fewer than two.
  public var sdnn: Double? {
    guard known > 1 else { return nil }
    let spread = Double(squares) - Double(sum) / Double(known) * Double(sum)
    return (max(0, spread) / Double(known - 1)).squareRoot() * Self.millisecondsPerUnit
  }

  /// RMSSD, the root of the mean square of successive differences, in milliseconds; nil for fewer than two intervals.
  public var rmssd: Double? {
    differences > 0
      ? (Double(differenceSquares) / Double(differences)).squareRoot() * Self.millisecondsPerUnit : nil
  }

  /// pNN50, how large a part of all intervals differs from the one before by more than 50 ms: 0 to 1; nil for fewer
  /// than two.
  public var pnn50: Double? { differences > 0 ? Double(differencesAbove50) / Double(known) : nil }
}

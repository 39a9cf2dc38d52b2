/// How far RR-Intervals fall short of what the heart rates beside them make, told apart by its causes: a part of all
/// intervals, and, where the rate rises, what comes of rates that are the mean of beats before.
///
/// By least squares over blocks: shortfall = part · intervals + delay · rise.
struct ShortfallLine: BitwiseCopyable {
  // Sums over blocks of products.
  private var intervalsSquared: Double
  private var intervalsRise: Double
  private var riseSquared: Double
  private var intervalsShortfall: Double
  private var riseShortfall: Double

  /// By how many seconds rates come late: of most sensors, and how far others are from that.
  static let usualDelay = 4.0
  private static let delayDeviation = 2.0
  /// How far a block is from the line, in seconds.
  private static let scatter = 0.08
  /// What is known of the delay beforehand counts as much as blocks with this square of their rise.
  private static let known = (scatter / delayDeviation) * (scatter / delayDeviation)

  /// That of one block.
  /// - Parameters:
  ///   - intervals: All of them together, in seconds.
  ///   - rise: By what part the rate has risen since the block before.
  ///   - shortfall: How much longer the rates would make them, in seconds.
  init(_ intervals: Double, rise: Double, shortfall: Double) {
    intervalsSquared = intervals * intervals
    intervalsRise = intervals * rise
    riseSquared = rise * rise
    intervalsShortfall = intervals * shortfall
    riseShortfall = rise * shortfall
  }

  static func += (line: inout Self, other: Self) {
    line.intervalsSquared += other.intervalsSquared
    line.intervalsRise += other.intervalsRise
    line.riseSquared += other.riseSquared
    line.intervalsShortfall += other.intervalsShortfall
    line.riseShortfall += other.riseShortfall
  }

  private var weight: Double { riseSquared + Self.known }
  private var determinant: Double { intervalsSquared * weight - intervalsRise * intervalsRise }

  /// The part of the intervals that is missing whatever the rate does.
  var part: Double {
    let late = riseShortfall + Self.known * Self.usualDelay
    return (intervalsShortfall * weight - late * intervalsRise) / determinant
  }

  /// How far that may be off: its standard deviation.
  var deviation: Double { Self.scatter * (weight / determinant).squareRoot() }
}

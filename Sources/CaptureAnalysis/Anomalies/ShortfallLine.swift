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
  private var shortfallSquared: Double
  private var blocks = 1.0

  /// By how many seconds rates come late: of most sensors, and how far others are from that.
  static let usualDelay = 4.0
  private static let delayDeviation = 2.0
  /// How far a block is from the line at least, in seconds.
  private static let scatter = 0.08
  /// Blocks one after another make up for each other: what is too much in one is too little in the next.
  private static let apart = 0.7
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
    shortfallSquared = shortfall * shortfall
  }

  static func += (line: inout Self, other: Self) {
    line.intervalsSquared += other.intervalsSquared
    line.intervalsRise += other.intervalsRise
    line.riseSquared += other.riseSquared
    line.intervalsShortfall += other.intervalsShortfall
    line.riseShortfall += other.riseShortfall
    line.shortfallSquared += other.shortfallSquared
    line.blocks += other.blocks
  }

  private var weight: Double { riseSquared + Self.known }
  private var determinant: Double { intervalsSquared * weight - intervalsRise * intervalsRise }

  /// What the shortfall and the rise have in common, with what is known beforehand.
  private var late: Double { riseShortfall + Self.known * Self.usualDelay }

  /// The part of the intervals that is missing whatever the rate does.
  var part: Double { (intervalsShortfall * weight - late * intervalsRise) / determinant }

  /// By how many seconds the rates come late.
  private var delay: Double { (intervalsSquared * late - intervalsRise * intervalsShortfall) / determinant }

  /// How far blocks are from the line: the root of the mean square, in seconds.
  private var distance: Double {
    let (part, delay) = (part, delay)
    let crossed = part * intervalsShortfall + delay * riseShortfall - part * delay * intervalsRise
    let squares = shortfallSquared - 2 * crossed + part * part * intervalsSquared + delay * delay * riseSquared
    return (max(0, squares) / blocks).squareRoot()
  }

  /// How far the part may be off: its standard deviation. Where blocks are far from the line, something else makes them
  /// short.
  var deviation: Double { max(Self.scatter, Self.apart * distance) * (weight / determinant).squareRoot() }
}

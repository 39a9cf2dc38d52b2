/// Ten seconds of measurements, or a little more, without a gap between them.
struct MeasurementBlock: BitwiseCopyable {
  /// The first and the last measurement.
  var first = Moment.none
  var last = Moment.none
  /// From the measurement before the first to the last, in seconds: the time in which its beats were.
  var elapsed = 0.0
  /// From the last RR-Intervals before it to the last in it, in seconds: the time that its intervals should add up to.
  var covered = 0.0
  /// The longest stretch of measurements without RR-Intervals that ends in it, in seconds.
  var longestWithout = 0.0
  /// Measurements.
  var count = 0
  /// The rates that are there and not 0.
  var rates = 0
  var rateSum = 0
  var rateLeast = Int.max
  var rateMost = 0
  /// RR-Intervals that are there.
  var intervals = 0
  var intervalSum = 0
  var intervalLeast = Int.max
  var intervalMost = 0
  /// Measurements with RR-Intervals.
  var withIntervals = 0
  /// Measurements of which each RR-Interval is just what the rate makes it.
  var synthesised = 0
  /// Measurements whose first RR-Interval is the last one of the measurement before, those that have no other one, and
  /// what these RR-Intervals add up to.
  var overlapping = 0
  var again = 0
  var overlapSum = 0
  /// Whether its RR-Intervals can be compared with the time: nothing cut, malformed or lost, and nothing that tells of
  /// time without beats or of intervals that are none.
  var isWhole = true

  /// This, and another one that begins where it ends.
  func followed(by next: MeasurementBlock) -> MeasurementBlock {
    var both = self
    both.last = next.last
    both.elapsed += next.elapsed
    both.covered += next.covered
    both.longestWithout = max(longestWithout, next.longestWithout)
    both.count &+= next.count
    both.rates &+= next.rates
    both.rateSum &+= next.rateSum
    both.rateLeast = min(rateLeast, next.rateLeast)
    both.rateMost = max(rateMost, next.rateMost)
    both.intervals &+= next.intervals
    both.intervalSum &+= next.intervalSum
    both.intervalLeast = min(intervalLeast, next.intervalLeast)
    both.intervalMost = max(intervalMost, next.intervalMost)
    both.withIntervals &+= next.withIntervals
    both.synthesised &+= next.synthesised
    both.overlapping &+= next.overlapping
    both.again &+= next.again
    both.overlapSum &+= next.overlapSum
    both.isWhole = isWhole && next.isWhole
    return both
  }

  /// In beats a minute.
  var meanRate: Double? { rates > 0 ? Double(rateSum) / Double(rates) : nil }
  /// In seconds.
  var intervalSeconds: Double { Double(intervalSum) / 1024 }
}

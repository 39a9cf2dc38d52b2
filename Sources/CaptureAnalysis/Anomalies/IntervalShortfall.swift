/// How far the RR-Intervals of a stretch fall short of the time in which they came, and of what the heart rates beside
/// them make.
///
/// Of a sensor in order neither grows with the stretch: beats are sent when they are over, so that no more than one is
/// missing of the time, and rates are those of the beats before. Thousandths of a second that are told as 1/1024 s fall
/// short by 24 of 1000, of the one as of the other, for as long as they are sent.
struct IntervalShortfall: BitwiseCopyable {
  /// The first and the last measurement.
  private(set) var first: Moment
  private(set) var last: Moment
  /// All intervals together, in seconds, and how many they are.
  private(set) var intervals: Double
  private var beats: Int
  /// How much longer the time was, in seconds.
  private(set) var ofTime: Double
  /// How much nearer they are to thousandths than to 1/1024 s, in seconds: this rises through a stretch of those, and
  /// falls through any other.
  private(set) var lead: Double
  /// Beside what the rates make of them, and how far rates that are rounded may be off, in seconds.
  private var line: ShortfallLine
  private var rounding: Double
  /// How often blocks that cannot be compared, or none, are between.
  private var breaks = 0

  /// What notifications come sooner or later, in seconds.
  private static let jitter = 0.1
  /// The part by which thousandths that are told as 1/1024 s are too short.
  private static let part = 24.0 / 1000

  /// That of ten seconds; nil where intervals and rates cannot be compared.
  /// - Parameter rate: The mean rate of the block before, if nothing is between them.
  init?(_ block: MeasurementBlock, after rate: Double?) {
    guard block.isWhole, block.intervals >= 5, let meanRate = block.meanRate else { return nil }
    let mean = Double(block.intervalSum) / Double(block.intervals)
    // A beat that was missed, or one that was told in two.
    guard Double(block.intervalMost) < 1.6 * mean, Double(block.intervalLeast) > 0.5 * mean else { return nil }
    (first, last) = (block.first, block.last)
    intervals = block.intervalSeconds
    beats = block.intervals
    ofTime = block.covered - intervals
    let expected = Double(block.intervals) * 60 / meanRate
    rounding = 0.5 * expected / meanRate
    let rise = rate.map { 2 * (meanRate - $0) / (meanRate + $0) } ?? 0
    line = ShortfallLine(intervals, rise: rise, shortfall: expected - intervals)
    let (early, late) = (expected - intervals, ShortfallLine.usualDelay * rise)
    lead = ofTime + early - late - Self.part * intervals
    // Rates that are none of these beats.
    guard abs(early - late) <= 0.08 * intervals + abs(late) else { return nil }
  }

  /// This, and what comes behind it.
  func followed(by next: Self, isBroken: Bool) -> Self {
    var both = self
    both.last = next.last
    both.intervals += next.intervals
    both.beats += next.beats
    both.ofTime += next.ofTime
    both.lead += next.lead
    both.line += next.line
    both.rounding += next.rounding
    both.breaks += next.breaks + (isBroken ? 1 : 0)
    return both
  }

  /// In seconds.
  private var meanInterval: Double { intervals / Double(beats) }
  /// By what thousandths would fall short, in seconds.
  private var due: Double { Self.part * intervals }
  /// How much longer rates would make them that do not come late, in seconds.
  var ofRates: Double { line.part * intervals }

  /// By how much the lead falls only where thousandths are over.
  var fall: Double { 1.6 * (meanInterval + 0.5) }

  /// Whether of ten seconds a whole beat is missing, or there is one too many: thousandths make but a part of one.
  var isStep: Bool { abs(ofTime - due / 2) > 1.1 * meanInterval + 0.25 }

  /// Whether these are thousandths.
  var isThousandths: Bool {
    guard abs(ofTime - due) <= 0.15 * due + meanInterval + Self.jitter else { return false }
    let ofRates = ofRates
    let doubt = 2 * line.deviation * intervals + 0.35 * rounding + Self.jitter
    guard ofRates > 0.3 * due, abs(ofRates - due) <= max(0.4 * due, 0.1 * due + doubt) else { return false }
    // The less the rates tell, the more the time has to: so many beats, of which one may be any sensor's at any time.
    let missing: Double = ofRates - doubt <= 0.25 * due ? 6 : doubt < 0.6 * due ? 1 : 3
    return ofTime >= missing * meanInterval * (1 + 0.5 * Double(breaks)) + Self.jitter
  }
}

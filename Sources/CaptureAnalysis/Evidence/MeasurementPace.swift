import CaptureFiles

/// How the values of an attribute follow each other, and how many heart beats their rates make meanwhile, gathered as they
/// come and in constant memory.
///
/// What was held back on the air comes at once behind a silence. So values that come together share the time from the one
/// before them on: as many as were due in it are no faster than others.
struct MeasurementPace {
  /// Intervals between values.
  private(set) var gaps = 0
  /// How many are of values that come together, one for about each second of the time they share.
  private(set) var sharedGaps = 0
  /// How many of the others are about a second.
  private(set) var secondGaps = 0
  /// How many are much shorter than any sensor's, of values that come so fast.
  private(set) var shortGaps = 0
  /// RR-Intervals that were sent, known or cut away, and the heart beats that the rates make in the same time.
  private(set) var intervals = 0
  private(set) var beats = 0.0

  /// In seconds: what comes sooner behind a value comes together with it, and what comes sooner than it is taken, as long as
  /// not all has come that was due in a silence.
  private static let together = 0.3
  private static let catchingUp = 0.7
  /// In seconds: what is longer is a silence.
  private static let leastSilence = 2.0
  /// In seconds: no sensor's values lie so close to each other.
  private static let short = 0.15
  /// In seconds, how far apart values lie of which one comes about every second: one by one, and of those that come
  /// together, on the average. That is told more closely, as vendors' streams also send two a second, or three.
  private static let second = 0.5...1.6
  private static let sharedSecond = 0.7...1.4
  /// In seconds: through a longer silence a sensor need not have measured at all, unless as many values come behind it.
  static let longestSilence = 4.0

  /// Values that come together: most often, one.
  private struct Run {
    /// What lies before the first of them, in seconds; nil where they are the first of all.
    let silence: Double?
    var values = 0
    /// From the value before them to the last of them, in seconds.
    var seconds = 0.0
    var secondGaps = 0
    var shortGaps = 0
    /// How many are not broken.
    var sound = 0
    /// The sum of their rates, and their RR-Intervals.
    var rates = 0
    var intervals = 0

    /// Whether a value belongs to them that comes so long behind them.
    func takes(_ gap: Double) -> Bool {
      let isCatchingUp = silence ?? 0 > MeasurementPace.leastSilence && Double(values) < seconds
      return (0..<(isCatchingUp ? MeasurementPace.catchingUp : MeasurementPace.together)).contains(gap)
    }
  }

  private var run = Run(silence: nil)
  /// What lies between the last sound value and the run, in seconds: beats that a broken one does not tell may come with the
  /// next.
  private var untold = 0.0
  private var lastTime: Timestamp?

  /// The pace so far, with the values that came last.
  var whole: MeasurementPace {
    var pace = self
    pace.endRun()
    return pace
  }

  /// A value came.
  /// - Parameter beats: Its rate, in beats a minute, and how many RR-Intervals were sent with it, or nothing of both; nil if
  ///   it is broken.
  mutating func note(at time: Timestamp, _ beats: (rate: Int, intervals: Int)?) {
    guard time.isTold else { return }
    defer { lastTime = time }
    // The beats of the first lie before it: nobody knows in how much time.
    guard let lastTime else { return }
    let gap = time.seconds(since: lastTime)
    if !run.takes(gap) {
      endRun()
      run = Run(silence: gap)
    }
    run.values &+= 1
    run.seconds += gap
    if Self.second.contains(gap) { run.secondGaps &+= 1 }
    if gap < Self.short { run.shortGaps &+= 1 }
    guard let beats else { return }
    run.sound &+= 1
    run.rates &+= beats.rate
    run.intervals &+= beats.intervals
  }

  private mutating func endRun() {
    guard run.values > 0 else { return }
    let period = run.seconds / Double(run.values)
    gaps &+= run.values
    if run.values > 1, Self.sharedSecond.contains(period) {
      sharedGaps &+= run.values
    } else {
      secondGaps &+= run.secondGaps
      if period < Self.sharedSecond.lowerBound { shortGaps &+= run.shortGaps }
    }
    let time = untold + run.seconds
    untold = run.sound > 0 ? 0 : time
    let longest = max(Self.longestSilence, Double(run.values) * Self.sharedSecond.upperBound)
    guard run.sound > 0, run.silence != nil || period >= Self.short, (0...longest).contains(time) else { return }
    intervals &+= run.intervals
    beats += Double(run.rates) / Double(run.sound) / 60 * time
  }
}

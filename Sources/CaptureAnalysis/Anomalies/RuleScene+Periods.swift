// How far apart a sensor takes its measurements, as far as the series and the link together tell.

extension RuleScene {
  /// Whether measurements are sent twice: those that look so had no reason to wait for each other.
  var areSentTwice: Bool {
    guard series.hasCopies, let period = series.quantile(0.5, without: series.copies) else { return false }
    return parameters.map { $0.wait(usingLatency: true) < 0.5 * period } ?? true
  }

  /// Whether so many come at once with the one before that they seem to wait for connection events.
  var comeTogether: Bool { series.comeTogether && !areSentTwice }

  /// How far apart bundles of measurements are that come in a rhythm, in seconds; nil where they do not. Where the link does
  /// not make them wait so long, the sensor does.
  var rhythm: Double? { comeTogether ? series.periods.rhythm : nil }

  /// Whether it is still to be seen if those that come together do so in a rhythm.
  var mayHaveRhythm: Bool {
    comeTogether && series.periods.apart < PeriodHistogram.fewestBundles
  }

  /// How far apart the sensor takes measurements, in seconds, as far as those up to one of them tell; nil while too few have
  /// come. Of those that are sent twice, each counts once.
  mutating func period(until last: ObservedMeasurement?) -> Double? {
    areSentTwice ? quantile(0.5) : series.period(until: last)
  }

  /// How long a silence behind the first measurements must be to be none of theirs, in seconds, while too few have come to
  /// tell how far apart they usually are.
  var leastSilenceBehindFew: Double {
    let wait = longestWait ?? 0
    guard let longest = series.periods.longest else { return max(Self.leastBehindOne, 5 * wait) }
    return max(Self.leastBehindFew, 5 * (longest + wait))
  }

  /// In seconds: hardly any sensor measures so seldom, and a burst at the beginning is soon over.
  private static let leastBehindOne = 60.0
  private static let leastBehindFew = 20.0

  /// How long so many measurements took, in seconds, if so long went by: a silence among them, or a leap of the clock, is no
  /// time in which they came. Nine in ten come no later than is reckoned for each.
  func covered(_ seconds: Double, by count: Int) -> Double {
    min(seconds, Double(count) * (series.periods.quantile(0.9) ?? .infinity) * 1.25)
  }

  /// The same of a run.
  func covered(by run: MeasurementRun) -> Double { covered(run.seconds, by: run.count) }

  /// How many times between measurements are known. Of those that are sent twice, each counts once.
  var periodCount: Int { series.periods.count - (areSentTwice ? series.copies : 0) }

  /// What a share of them is no longer than, in seconds; nil while too few have come.
  func quantile(_ share: Double) -> Double? { series.quantile(share, without: areSentTwice ? series.copies : 0) }
}

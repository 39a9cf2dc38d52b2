import BluetoothHost

// Of a sensor that sends each measurement twice, or many, half of them come at once: how far apart it takes them is told by
// the others.

extension MeasurementSeries {
  /// Whether measurements seem to be sent twice: so many came early with the octets of the one before, and hardly any early
  /// ones were others. Those that waited for the same connection event may look so, too, where the rate stands still.
  fileprivate var hasCopies: Bool {
    guard copies >= 2, copies &* 8 >= periods.count else { return false }
    return copies * 20 >= 19 * (periods.count - periods.count(above: Self.early))
  }

  /// What a share of the times between measurements is no longer than, in seconds, but for the shortest, which are those
  /// between a measurement and its copy; nil while too few have come.
  fileprivate func quantile(_ share: Double, without copies: Int) -> Double? {
    let (all, shortest) = (Double(periods.count), Double(copies))
    return periods.quantile((shortest + share * (all - shortest)) / max(1, all))
  }
}

extension RuleScene {
  /// Whether measurements are sent twice: those that look so had no reason to wait for each other.
  var areSentTwice: Bool {
    guard series.hasCopies, let period = series.quantile(0.5, without: series.copies) else { return false }
    return parameters.map { $0.wait(usingLatency: true) < 0.5 * period } ?? true
  }

  /// Whether so many come at once with the one before that they seem to wait for connection events.
  var comeTogether: Bool { series.comeTogether && !areSentTwice }

  /// How far apart the sensor takes measurements, in seconds, as far as those up to one of them tell; nil while too few have
  /// come. Of those that are sent twice, each counts once.
  mutating func period(until last: ObservedMeasurement?) -> Double? {
    areSentTwice ? quantile(0.5) : series.period(until: last)
  }

  /// How many times between measurements are known. Of those that are sent twice, each counts once.
  var periodCount: Int { series.periods.count - (areSentTwice ? series.copies : 0) }

  /// What a share of them is no longer than, in seconds; nil while too few have come.
  func quantile(_ share: Double) -> Double? { series.quantile(share, without: areSentTwice ? series.copies : 0) }
}

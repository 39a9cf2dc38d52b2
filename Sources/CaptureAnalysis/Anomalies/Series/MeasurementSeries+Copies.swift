// Of a sensor that sends each measurement twice, or many, half of them come at once: how far apart it takes them is told by
// the others.

extension MeasurementSeries {
  /// Whether measurements seem to be sent twice: so many came early with the octets of the one before, and hardly any early
  /// ones were others. Those that waited for the same connection event may look so, too, where the rate stands still.
  var hasCopies: Bool {
    guard copies >= 2, copies &* 8 >= periods.count else { return false }
    return copies * 20 >= 19 * (periods.count - periods.count(above: Self.early))
  }

  /// What a share of the times between measurements is no longer than, in seconds, but for the shortest, which are those
  /// between a measurement and its copy; nil while too few have come.
  func quantile(_ share: Double, without copies: Int) -> Double? {
    let (all, shortest) = (Double(periods.count), Double(copies))
    return periods.quantile((shortest + share * (all - shortest)) / max(1, all))
  }
}

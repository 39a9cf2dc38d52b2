import CaptureFiles

/// Measurements one after another, and how long they took: time in which none could be seen is none.
struct MeasurementRun {
  /// The first, the last, and how many.
  private(set) var span: RecordSpan
  /// How much had not been observed by the first of them, and by the last, in microseconds.
  private let before: Int64
  private var until: Int64

  /// Begins with the current one of a series.
  init(_ series: borrowing MeasurementSeries) {
    span = RecordSpan(series.last.moment)
    (before, until) = (series.unobserved, series.unobserved)
  }

  var count: Int { span.count }

  /// From the first to the last, in seconds.
  var seconds: Double { seconds(to: span.last, until) }

  /// From the first to the current one of the series, in seconds, of which the last may be another.
  func seconds(in series: borrowing MeasurementSeries) -> Double { seconds(to: series.last.moment, series.unobserved) }

  private func seconds(to last: Moment, _ unobserved: Int64) -> Double {
    let passed = last.time.microseconds &- span.first.time.microseconds
    return max(0, Double(passed &- (unobserved &- before)) / 1_000_000)
  }

  /// Goes on to the current one of the series.
  mutating func extend(in series: borrowing MeasurementSeries) {
    span.extend(to: series.last.moment)
    until = series.unobserved
  }
}

extension MeasurementRun? {
  /// Goes on to the current one of a series, or begins with it.
  mutating func extend(in series: borrowing MeasurementSeries) {
    if self?.extend(in: series) == nil { self = MeasurementRun(series) }
  }

  /// What there was, which is over.
  mutating func end() -> MeasurementRun? {
    defer { self = nil }
    return self
  }
}

import CaptureFiles

/// Measurements one after another of which the same can be said.
struct MeasurementRun {
  /// The first and the last of them.
  let first: Moment
  private(set) var last: Moment
  /// How many.
  private(set) var count = 1

  init(_ moment: Moment) {
    first = moment
    last = moment
  }

  mutating func extend(to moment: Moment) {
    last = moment
    count += 1
  }

  /// Goes on with those of another run, which come behind.
  mutating func extend(by run: MeasurementRun) {
    last = run.last
    count += run.count
  }

  /// From the first to the last, in seconds.
  var seconds: Double { last.time.seconds(since: first.time) }
}

extension MeasurementRun? {
  /// Goes on with a measurement, or begins with it.
  mutating func extend(to moment: Moment) {
    if self?.extend(to: moment) == nil { self = MeasurementRun(moment) }
  }

  /// Goes on with those of another run, or begins with them.
  mutating func extend(by run: MeasurementRun) {
    if self?.extend(by: run) == nil { self = run }
  }

  /// What there was, which is over.
  mutating func end() -> MeasurementRun? {
    defer { self = nil }
    return self
  }
}

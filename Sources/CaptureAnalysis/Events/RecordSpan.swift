import CaptureFiles

/// Records of which the same can be said: where the first and the last of them stand, and how many.
struct RecordSpan {
  /// The first and the last of them.
  private(set) var first: Moment
  private(set) var last: Moment
  /// How many.
  private(set) var count: Int

  init(from first: Moment, to last: Moment, count: Int) {
    (self.first, self.last, self.count) = (first, last, count)
  }

  init(_ moment: Moment, count: Int = 1) { self.init(from: moment, to: moment, count: count) }

  /// Goes on to a record, which comes behind.
  mutating func extend(to moment: Moment, count more: Int = 1) {
    last = moment
    count &+= more
  }

  /// Adds those of another, wherever they stand.
  mutating func extend(by other: RecordSpan) {
    (first, last) = (min(first, other.first), max(last, other.last))
    count &+= other.count
  }

  /// From the first to the last, in seconds.
  var seconds: Double { last.time.seconds(since: first.time) }
}

extension RecordSpan? {
  /// Goes on to a record, or begins with it.
  mutating func extend(to moment: Moment, count: Int = 1) {
    if self?.extend(to: moment, count: count) == nil { self = RecordSpan(moment, count: count) }
  }

  /// Adds those of another, or begins with them.
  mutating func extend(by other: RecordSpan) {
    if self?.extend(by: other) == nil { self = other }
  }

  /// What there was, which is over.
  mutating func end() -> RecordSpan? {
    defer { self = nil }
    return self
  }
}

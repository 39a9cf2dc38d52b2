import CaptureFiles

/// Records of which the same can be said, one after another: where the first and the last of them stand, and how many.
struct RecordSpan {
  /// The first and the last of them.
  let first: Moment
  private(set) var last: Moment
  /// How many.
  private(set) var count: Int

  init(_ moment: Moment, count: Int = 1) {
    first = moment
    last = moment
    self.count = count
  }

  mutating func extend(to moment: Moment, count more: Int = 1) {
    last = moment
    count &+= more
  }

  /// Goes on with those of another, which come behind.
  mutating func extend(by next: RecordSpan) {
    last = next.last
    count &+= next.count
  }

  /// From the first to the last, in seconds.
  var seconds: Double { last.time.seconds(since: first.time) }
}

extension RecordSpan? {
  /// Goes on to a record, or begins with it.
  mutating func extend(to moment: Moment, count: Int = 1) {
    if self?.extend(to: moment, count: count) == nil { self = RecordSpan(moment, count: count) }
  }

  /// Goes on with those of another, or begins with them.
  mutating func extend(by next: RecordSpan) {
    if self?.extend(by: next) == nil { self = next }
  }

  /// What there was, which is over.
  mutating func end() -> RecordSpan? {
    defer { self = nil }
    return self
  }
}

/// The first and the last record of which something can be said, and how often it can.
struct RecordSpan {
  let first: Moment
  private(set) var last: Moment
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
}

extension RecordSpan? {
  /// Goes on to a record, or begins with it.
  mutating func extend(to moment: Moment, count: Int = 1) {
    if self?.extend(to: moment, count: count) == nil { self = RecordSpan(moment, count: count) }
  }
}

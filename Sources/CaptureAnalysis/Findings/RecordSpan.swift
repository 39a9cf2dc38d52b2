/// The first and the last record of which something can be said.
struct RecordSpan {
  let first: Moment
  private(set) var last: Moment

  init(_ moment: Moment) {
    first = moment
    last = moment
  }

  mutating func extend(to moment: Moment) { last = moment }
}

extension RecordSpan? {
  /// Goes on to a record, or begins with it.
  mutating func extend(to moment: Moment) {
    if self?.extend(to: moment) == nil { self = RecordSpan(moment) }
  }
}

/// Packets that the controller counts, and the capture does not hold.
struct UnloggedPackets {
  private(set) var count = 0
  /// The records that tell of them.
  private(set) var span: RecordSpan

  init(_ moment: Moment) { span = RecordSpan(moment) }

  mutating func add(_ more: Int, at moment: Moment) {
    count &+= more
    span.extend(to: moment)
  }
}

/// The same fault again and again: told once, with its first and last record and how often it was there.
struct Recurrences {
  private var faults: [(message: String, span: RecordSpan)] = []

  /// More different ones in one connection are not told apart.
  private static let most = 16

  /// What was noted last to hold on.
  private var lasting: String?

  mutating func note(_ message: String, _ moment: Moment) {
    if let place = faults.firstIndex(where: { $0.message == message }) {
      faults[place].span.extend(to: moment)
    } else if faults.count < Self.most {
      faults.append((message, RecordSpan(moment)))
    }
  }

  /// A fault begins that holds until something else does.
  mutating func note(lasting message: String, _ moment: Moment) {
    note(message, moment)
    lasting = message
  }

  /// What holds has held until now, and what happens up to now may come of it.
  mutating func endLasting(_ moment: Moment) {
    if let place = faults.firstIndex(where: { $0.message == lasting }) {
      faults[place].span.extend(to: moment, count: 0)
    }
    lasting = nil
  }

  func report(_ rule: any AnomalyRule.Type, _ scene: inout RuleScene) {
    for fault in faults { scene.report(rule, fault.message, over: fault.span) }
  }
}

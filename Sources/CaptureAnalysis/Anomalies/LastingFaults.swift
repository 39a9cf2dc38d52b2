/// What was told of a connection while it lasted, so that it is not told twice as grave.
struct LastingFaults {
  private var told: [(rule: any AnomalyRule.Type, start: Moment, severity: Severity)] = []

  /// More are not remembered: what lasted longest ago is most likely over.
  private static let most = 32

  private func place(of rule: any AnomalyRule.Type, since start: Moment) -> Int? {
    told.firstIndex { $0.rule == rule && $0.start == start }
  }

  /// Whether it has not been told, or has become graver.
  func isNew(_ rule: any AnomalyRule.Type, since start: Moment, _ severity: Severity) -> Bool {
    place(of: rule, since: start).map { told[$0].severity < severity } ?? true
  }

  mutating func note(_ rule: any AnomalyRule.Type, since start: Moment, _ severity: Severity) {
    if let place = place(of: rule, since: start) { return told[place].severity = severity }
    if told.count == Self.most { told.removeFirst() }
    told.append((rule, start, severity))
  }

  /// How grave what is said of a fault is: once it has been told, how long it became is no other fault.
  func severity(of rule: any AnomalyRule.Type, since start: Moment, _ severity: Severity) -> Severity {
    told.isEmpty || isNew(rule, since: start, severity) ? severity : .info
  }
}

/// Findings of one rule, all as grave, that are only counted, since enough of them are told one by one.
struct UnlistedFindings {
  private var span: RecordSpan
  let severity: Severity

  init(_ span: RecordSpan, severity: Severity) { (self.span, self.severity) = (span, severity) }

  /// One that was told; it may stand for others already.
  init(_ finding: Finding) {
    self.init(
      RecordSpan(from: finding.beginning, to: finding.ending, count: finding.amount), severity: finding.severity)
  }

  /// How many there are.
  var count: Int { span.count }

  /// Adds others that are as grave. They need not be in order: what takes long is told when it is over.
  mutating func add(_ other: UnlistedFindings) { span.extend(by: other.span) }

  /// The finding that stands for them.
  func finding(of rule: String, connection: Int?, _ message: String) -> Finding {
    let (first, last) = (span.first, span.last)
    let isShown = first.frame >= 0
    return Finding(
      rule: rule, severity: severity, connection: connection, from: isShown ? first : .nowhere(in: first.member),
      to: isShown ? last : .nowhere(in: last.member), count: count, amount: count, message: message)
  }
}

extension [UnlistedFindings] {
  /// Adds others to those that are as grave, or begins with them.
  mutating func add(_ other: UnlistedFindings) {
    if let place = firstIndex(where: { $0.severity == other.severity }) {
      self[place].add(other)
    } else {
      append(other)
    }
  }
}

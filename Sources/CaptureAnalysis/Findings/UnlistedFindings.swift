/// Findings of one rule, all as grave, that are only counted, since enough of them are told one by one.
struct UnlistedFindings {
  private var first: Moment
  private var last: Moment
  private(set) var count: Int
  let severity: Severity

  /// - Parameter count: How many there are.
  init(from first: Moment, to last: Moment, severity: Severity, count: Int = 1) {
    (self.first, self.last) = (first, last)
    (self.severity, self.count) = (severity, count)
  }

  /// One that was told; it may stand for others already.
  init(_ finding: Finding) {
    self.init(from: finding.beginning, to: finding.ending, severity: finding.severity, count: finding.amount)
  }

  /// Adds others that are as grave. They need not be in order: what takes long is told when it is over.
  mutating func add(_ other: UnlistedFindings) {
    first = min(first, other.first)
    last = max(last, other.last)
    count &+= other.count
  }

  /// The finding that stands for them.
  func finding(of rule: String, connection: Int?, _ message: String) -> Finding {
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

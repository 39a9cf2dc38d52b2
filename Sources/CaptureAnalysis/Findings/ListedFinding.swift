/// What a person reads of a finding, or of several of one rule that say the same.
public struct ListedFinding: Sendable {
  /// The words of the first, over the records of all.
  public private(set) var finding: Finding
  /// Those that it stands for, in order.
  public private(set) var all: [Finding]

  init(_ finding: Finding) { (self.finding, all) = (finding, [finding]) }

  /// Whether one says the same; which records it names in its sentence makes no difference.
  func says(_ other: Finding) -> Bool { Self.sentence(of: finding) == Self.sentence(of: other) }

  /// Adds one that says the same.
  mutating func add(_ other: Finding) {
    all.append(other)
    finding = Finding(
      rule: finding.rule, severity: finding.severity, connection: finding.connection, from: finding.beginning,
      to: max(finding.ending, other.ending), count: finding.count + other.count,
      amount: finding.amount + other.amount, message: finding.message, reference: finding.reference)
  }

  /// A finding's sentence with "#" for "#229" and "#2:229".
  private static func sentence(of finding: Finding) -> String {
    let pieces = finding.message.split(separator: "#", omittingEmptySubsequences: false)
    let rest = pieces.dropFirst().map { $0.drop { $0.isNumber || $0 == ":" } }
    return ((pieces.first.map { [$0] } ?? []) + rest).joined(separator: "#")
  }
}

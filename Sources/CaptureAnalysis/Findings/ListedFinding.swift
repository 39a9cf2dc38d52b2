/// What a person reads of a finding, or of several of one rule that say the same.
public struct ListedFinding: Sendable {
  /// The words of the first, over the records of all.
  public private(set) var finding: Finding
  /// Those that it stands for, in order.
  public private(set) var all: [Finding]

  init(_ finding: Finding) { (self.finding, all) = (finding, [finding]) }

  /// Whether one says the same; which records it names in its sentence makes no difference.
  func says(_ other: Finding) -> Bool { Self.isSame(finding.message, as: other.message) }

  /// Adds one that says the same.
  mutating func add(_ other: Finding) {
    all.append(other)
    finding = Finding(
      rule: finding.rule, severity: finding.severity, connection: finding.connection, from: finding.beginning,
      to: max(finding.ending, other.ending), count: finding.count + other.count,
      amount: finding.amount + other.amount, message: finding.message, reference: finding.reference)
  }

  /// Whether sentences are the same but for what follows a "#", as in "#229" and "#2:229".
  private static func isSame(_ sentence: String, as other: String) -> Bool {
    var (sentence, other) = (sentence.utf8[...], other.utf8[...])
    while let octet = sentence.popFirst() {
      guard other.popFirst() == octet else { return false }
      guard octet == UInt8(ascii: "#") else { continue }
      sentence = sentence.drop(while: isOfPlace)
      other = other.drop(while: isOfPlace)
    }
    return other.isEmpty
  }

  private static func isOfPlace(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: ":")).contains(octet) }
}

/// Packets were kept shorter than they were sent.
enum PacketsTruncated: CaptureRule {
  static let name = "packets-truncated"
  static let severity = Severity.info

  static func findings(in facts: CaptureFacts) -> [Finding] {
    guard facts.truncatedRecords > 0 else { return [] }
    var message = "\(facts.truncatedRecords) of \(facts.records) packets were kept shorter than they were sent"
    if facts.truncatedACLPackets > 0 {
      message +=
        "; no more than \(facts.longestTruncatedACL) octets of a longer ACL packet, "
        + "\(mode(facts.longestTruncatedACL)): values and RR-Intervals are cut away"
    }
    return [Finding(rule: name, severity: severity, count: facts.truncatedRecords, message: message)]
  }

  /// The logging mode that such packets look like.
  private static func mode(_ octets: Int) -> String {
    switch octets {
    case 14: "as in Android's default log"
    case 13: "as in Android's filtered log"
    default: "as its snapshot length set"
    }
  }
}

/// The archive that the capture lies in holds something that could not be looked into: more of it may be there.
enum NeighboursUnread: CaptureRule {
  static let about = RuleDescription(
    "neighbours-unread", .warning,
    finds: "The archive that the capture lies in holds something that could not be looked into.",
    matters: "More of the capture may be there: an earlier file of the same log.",
    advice: "Unpack it by other means, and give what was in it.",
    examples: [])

  static func findings(in facts: CaptureFacts) -> [Finding] {
    // What breaks off in the middle of the capture is told as its end.
    facts.unreadNeighbours.filter { neighbour in !facts.members.contains { $0.interruption == neighbour } }
      .map { Finding(rule: name, severity: severity, message: "not everything could be looked into: \($0)") }
  }
}

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
    let unread = facts.unreadNeighbours.filter { neighbour in
      !facts.members.contains { $0.interruption == neighbour }
    }
    let count = unread.count + facts.untoldNeighbours
    guard count > 0 else { return [] }
    var sentences = Array(unread.prefix(mostNamed))
    if count > sentences.count { sentences.append("\(count - sentences.count) more of what lies there") }
    let message = "not everything could be looked into: \(sentences.joined(separator: "; "))"
    return [finding(message, count: count)]
  }

  private static let mostNamed = 3
}

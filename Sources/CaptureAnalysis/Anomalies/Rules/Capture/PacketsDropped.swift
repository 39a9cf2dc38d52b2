import Octets

/// The capture itself says that it lost packets, or the controller speaks of packets that are not in it.
enum PacketsDropped: CaptureRule {
  static let about = RuleDescription(
    "packets-dropped", .warning,
    finds:
      "The capture itself counts packets that it lost while it was taken, or the controller tells of more packets to a "
      + "peer than are in it.",
    matters: "Measurements, and what explains them, may be among those.",
    advice: "Capture to a faster medium, or fewer interfaces at once.",
    belongsInHead: true, examples: [])

  static func findings(in facts: CaptureFacts) -> [Finding] {
    var findings: [Finding] = []
    if facts.droppedRecords > 0 {
      let message =
        "the capture lost \(facts.droppedRecords.words("packet")) while it was taken: measurements may be missing"
      findings.append(finding(message, in: facts.dropped, count: Int(clamping: facts.droppedRecords)))
    }
    if let unlogged = facts.unloggedPackets {
      let message =
        "the controller has sent \(unlogged.count.words("packet")) that the capture does not "
        + "hold: others, with measurements, may be missing, too"
      findings.append(finding(message, in: unlogged, count: unlogged.count))
    }
    return findings
  }
}

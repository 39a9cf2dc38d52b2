/// The capture itself says that it lost packets.
enum PacketsDropped: CaptureRule {
  static let about = RuleDescription(
    "packets-dropped", .warning,
    finds: "The capture itself counts packets that it lost while it was taken.",
    matters: "Measurements, and what explains them, may be among those.",
    advice: "Capture to a faster medium, or fewer interfaces at once.",
    examples: [])

  static func findings(in facts: CaptureFacts) -> [Finding] {
    guard facts.droppedRecords > 0 else { return [] }
    return [
      Finding(
        rule: name, severity: severity, count: Int(clamping: facts.droppedRecords),
        message: "the capture lost \(facts.droppedRecords) packets while it was taken: measurements may be missing")
    ]
  }
}

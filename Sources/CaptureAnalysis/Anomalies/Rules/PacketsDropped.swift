/// The capture itself says that it lost packets.
enum PacketsDropped: CaptureRule {
  static let name = "packets-dropped"
  static let severity = Severity.warning

  static func findings(in facts: CaptureFacts) -> [Finding] {
    guard facts.droppedRecords > 0 else { return [] }
    return [
      Finding(
        rule: name, severity: severity, count: Int(clamping: facts.droppedRecords),
        message: "the capture lost \(facts.droppedRecords) packets while it was taken: measurements may be missing")
    ]
  }
}

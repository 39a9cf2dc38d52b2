/// A rule about the capture itself: one file, one line in `CaptureRules.all`.
protocol CaptureRule: SendableMetatype {
  /// The name in reports.
  static var name: String { get }
  /// How grave it is.
  static var severity: Severity { get }
  /// The findings in a capture.
  static func findings(in facts: CaptureFacts) -> [Finding]
}

/// All rules about captures, in the order of their names.
enum CaptureRules {
  static let all: [any CaptureRule.Type] = [
    CaptureCutOff.self,
    OctetsSkipped.self,
    PacketsDropped.self,
    PacketsTruncated.self,
  ]

  static func findings(in facts: CaptureFacts) -> [Finding] {
    all.flatMap { $0.findings(in: facts) }
  }
}

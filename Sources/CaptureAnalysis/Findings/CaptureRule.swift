/// A rule about the capture itself: one file, one line in `CaptureRules.all`.
protocol CaptureRule: SendableMetatype {
  /// The name in reports.
  static var name: String { get }
  /// How grave it is.
  static var severity: Severity { get }
  /// The findings in a capture.
  static func findings(in facts: CaptureFacts) -> [Finding]
}

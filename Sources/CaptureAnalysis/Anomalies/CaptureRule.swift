/// A rule about the capture itself: one file, one line in `CaptureRules.all`.
protocol CaptureRule: SendableMetatype {
  /// What a person should know of it.
  static var about: RuleDescription { get }
  /// The findings in a capture.
  static func findings(in facts: CaptureFacts) -> [Finding]
}

extension CaptureRule {
  /// The name in reports.
  static var name: String { about.name }
  /// How grave it is.
  static var severity: Severity { about.severity }

  /// A finding in a stretch of the capture.
  /// - Parameter span: Where; nil if that is not known.
  static func finding(_ message: String, in span: RecordSpan?, count: Int = 1) -> Finding {
    Finding(
      rule: name, severity: severity, from: span?.first ?? .nowhere(), to: span?.last, count: count, message: message)
  }
}

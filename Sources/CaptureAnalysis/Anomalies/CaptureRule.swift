/// A rule about the capture itself: one file, one line in `CaptureRules.all`.
protocol CaptureRule: SendableMetatype {
  /// What a person should know of it.
  static var about: RuleDescription { get }
  /// The findings in a capture.
  static func findings(in facts: CaptureFacts) -> [Finding]
}

extension CaptureRule {
  /// A finding of this rule.
  static func finding(_ message: String, from first: Moment = .nowhere(), to last: Moment? = nil, count: Int = 1)
    -> Finding
  {
    Finding(rule: about.name, severity: about.severity, from: first, to: last, count: count, message: message)
  }

  /// A finding in a stretch of the capture.
  /// - Parameter span: Where; nil if that is not known.
  static func finding(_ message: String, in span: RecordSpan?, count: Int = 1) -> Finding {
    finding(message, from: span?.first ?? .nowhere(), to: span?.last, count: count)
  }
}

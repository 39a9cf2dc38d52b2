import CaptureFiles

/// Something that may come again and is told once: where it came first and last, and how often.
struct RuleTally {
  private(set) var first: Moment?
  private(set) var last: Moment?
  private(set) var count = 0
  /// What was seen the first time.
  private(set) var message = ""

  /// It is seen.
  mutating func note(_ moment: Moment, _ message: @autoclosure () -> String) {
    if first == nil {
      first = moment
      self.message = message()
    }
    last = moment
    count &+= 1
  }

  /// Says it, if it was ever seen.
  func report(_ rule: any AnomalyRule.Type, _ scene: inout RuleScene, severity: Severity? = nil) {
    guard let first else { return }
    scene.report(rule, message + inAll(count), severity: severity, from: first, to: last, count: count)
  }
}

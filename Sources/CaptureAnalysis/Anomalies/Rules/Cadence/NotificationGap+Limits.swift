extension NotificationGap {
  /// How long a silence must be.
  struct Limits {
    private let factor: Double
    private let least: Double

    init(_ settings: RuleSettings) {
      factor = settings.value(NotificationGap.factor, of: NotificationGap.self)
      least = settings.value(NotificationGap.least, of: NotificationGap.self)
    }

    /// Whether a silence is a gap where measurements are so far apart, and wait so long for a connection event.
    func isGap(_ length: Double, period: Double, wait: Double) -> Bool {
      // With a long connection interval, they always wait for each other: what was sent at once may be followed by what
      // has to wait.
      length > least && length > factor * period && length > max(1.5 * wait, 1.1 * (period + wait))
    }
  }
}

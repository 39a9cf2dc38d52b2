extension NotificationGap {
  /// How long a silence must be.
  struct Limits {
    private let factor: Double
    private let least: Double

    init(_ settings: RuleSettings) {
      factor = settings.value(NotificationGap.factor, of: NotificationGap.self)
      least = settings.value(NotificationGap.least, of: NotificationGap.self)
    }

    /// In seconds: hardly any heart's rate is the same for longer.
    private static let longestSteady = 60.0

    /// Whether a silence is a gap where measurements are so far apart.
    /// - Parameter period: In seconds; nil where too few have come to tell.
    func isGap(_ length: Double, _ period: Double?, _ scene: RuleScene) -> Bool {
      guard let period else { return length >= max(least, scene.leastSilenceBehindFew) }
      guard isLong(length, period: period, wait: scene.longestWait ?? 0) else { return false }
      // Of a rate that stays, nothing is sent.
      if scene.series.tellsOnlyChanges, length < Self.longestSteady { return false }
      // Where a quarter takes much longer than half of them, such lengths are usual.
      return scene.comeTogether || length > 1.5 * (scene.quantile(0.75) ?? 0)
    }

    /// Whether a silence is long where measurements are so far apart, and wait so long for a connection event.
    func isLong(_ length: Double, period: Double, wait: Double) -> Bool {
      // With a long connection interval, they always wait for each other: what was sent at once may be followed by what
      // has to wait.
      length >= least && length > factor * period && length > max(1.5 * wait, 1.1 * (period + wait))
    }
  }
}

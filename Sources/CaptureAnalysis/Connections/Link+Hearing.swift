import CaptureFiles

// When the ends of a connection were heard.

extension Link {
  /// Whether one of its ends was heard a moment before.
  func isTalking(at time: Timestamp) -> Bool {
    Self.isJust(lastReceived, before: time) || Self.isJust(lastSent, before: time)
  }

  private static func isJust(_ last: Timestamp?, before time: Timestamp) -> Bool {
    last.map { (0...breath).contains(time.seconds(since: $0)) } ?? false
  }

  /// When one of its ends was heard last, or else when it began.
  var heardAt: Timestamp { max(lastReceived ?? startedAt, lastSent ?? startedAt) }

  /// In seconds: who says nothing for longer may have nothing to say.
  private static let breath = 5.0
}

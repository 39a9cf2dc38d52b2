import CaptureFiles

// When the ends of a connection were heard.

extension Link {
  /// Whether one of its ends was heard a moment before.
  func isTalking(at time: Timestamp) -> Bool {
    [lastReceived, lastSent].contains { last in
      last.map { (0...Self.breath).contains(time.seconds(since: $0)) } ?? false
    }
  }

  /// When one of its ends was heard last, or else when it began.
  var heardAt: Timestamp { max(lastReceived ?? startedAt, lastSent ?? startedAt) }

  /// In seconds: who says nothing for longer may have nothing to say.
  private static let breath = 5.0
}

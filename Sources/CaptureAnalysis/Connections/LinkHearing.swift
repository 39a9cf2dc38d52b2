import CaptureFiles

/// When the two ends of a connection were heard: when PDUs of each began.
struct LinkHearing {
  /// Which end was heard last; nil before either was.
  private(set) var lastDirection: Direction?
  private(set) var lastReceived: Timestamp?
  private(set) var firstSent: Timestamp?
  private(set) var lastSent: Timestamp?

  /// In seconds: who says nothing for longer may have nothing to say.
  private static let breath = 5.0

  /// A PDU begins.
  @inline(__always)
  mutating func noteStart(_ direction: Direction, at time: Timestamp) {
    lastDirection = direction
    if direction == .received {
      lastReceived = time
    } else {
      if lastSent == nil { firstSent = time }
      lastSent = time
    }
  }

  /// When the last PDU that went one way began; nil if none did.
  func last(_ direction: Direction) -> Timestamp? { direction == .received ? lastReceived : lastSent }

  /// Whether neither end was heard.
  var isEmpty: Bool { lastDirection == nil }

  /// Whether one of the ends was heard a moment before.
  func isTalking(at time: Timestamp) -> Bool {
    Self.isJust(lastReceived, before: time) || Self.isJust(lastSent, before: time)
  }

  private static func isJust(_ last: Timestamp?, before time: Timestamp) -> Bool {
    last.map { (0...breath).contains(time.seconds(since: $0)) } ?? false
  }
}

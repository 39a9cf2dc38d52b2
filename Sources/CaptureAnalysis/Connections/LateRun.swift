import CaptureFiles

/// The packets that came behind the end of a connection, as far as one came upon the other.
struct LateRun {
  /// The first of them.
  let first: Moment
  private var last: Timestamp
  /// In seconds: for how long nothing had come before.
  private let silence: Double

  /// In seconds: those of one connection come one upon the other.
  static let longestGap = 0.1

  init(_ first: Moment, after time: Timestamp) {
    self.first = first
    last = first.time
    silence = first.time.seconds(since: time)
  }

  /// Goes on with a packet, or begins anew with it.
  mutating func add(_ moment: Moment) {
    if moment.time.seconds(since: last) > Self.longestGap {
      self = LateRun(moment, after: last)
    } else {
      last = moment.time
    }
  }

  /// Whether they are rather of a connection that begins now than of the one that has ended.
  func isNearer(to time: Timestamp) -> Bool {
    silence > Self.longestGap && (0..<silence).contains(time.seconds(since: last))
  }
}

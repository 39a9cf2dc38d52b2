import CaptureFiles

/// That a connection is another one though nothing shows that records are missing: a log that was cut and joined, or that
/// lost a stretch without a word.
///
/// It takes more than behind a hole: two of three things that the same connection hardly ever does by itself, one soon after
/// the other. The ATT_MTU is exchanged again; the server has another table, and has not said so; the peer has another name, or
/// its controller is another.
struct UntoldEnd {
  private let handle: AdapterHandle
  /// Where what a host asks when it has connected was asked again: no sign by itself, since hosts ask twice.
  private var repetition: Moment?
  private var signs: [(sign: Sign, moment: Moment)] = []
  /// When it turned out that the connection is another one: what comes soon after shows that once more.
  private var settledAt: Timestamp?

  enum Sign { case exchange, table, peer }

  /// In seconds: what a host asks when it has connected, it asks within such a time.
  private static let longest = 10.0

  /// - Parameter handle: The connection's.
  init(of handle: AdapterHandle) { self.handle = handle }

  /// What is asked once on each connection is asked again.
  mutating func noteRepetition(at moment: Moment) {
    // Of several questions, the first is where it begins.
    if repetition.map({ !Self.belongs($0.time, to: moment.time) }) ?? true { repetition = moment }
  }

  mutating func note(_ sign: Sign, at moment: Moment) {
    if let settledAt, Self.belongs(settledAt, to: moment.time) { return }
    signs.removeAll { !Self.belongs($0.moment.time, to: moment.time) }
    if !signs.contains(where: { $0.sign == sign }) { signs.append((sign, moment)) }
  }

  /// It has turned out that the connection is another one.
  mutating func settle(at time: Timestamp) {
    self = UntoldEnd(of: handle)
    settledAt = time
  }

  /// The end of the connection before, by the first record that is known to be of the next one; nil where none has shown.
  var end: LostEnd? {
    guard signs.count >= 2, let first = signs.first?.moment else { return nil }
    let beginning = repetition.flatMap { $0 < first && Self.belongs($0.time, to: first.time) ? $0 : nil } ?? first
    return LostEnd(handle: handle, record: beginning.place)
  }

  private static func belongs(_ time: Timestamp, to other: Timestamp) -> Bool {
    abs(time.seconds(since: other)) < longest
  }
}

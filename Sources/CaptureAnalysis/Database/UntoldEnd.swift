import CaptureFiles

/// That a connection is another one though nothing shows that records are missing: a log that was cut and joined, or that
/// lost a stretch without a word.
///
/// It takes more than behind a hole: a host asks once more what it asks when it has connected, and two things show what the
/// same connection hardly ever does by itself. The ATT_MTU is exchanged again; the server has another table, and has not said
/// so; the peer has another name, or its controller is another.
struct UntoldEnd {
  private let handle: AdapterHandle
  /// Where the next connection has begun at the latest: what was asked before is asked again.
  private var repetition: Moment?
  private var exchangedAgain: Timestamp?
  private var otherTable: Timestamp?
  private var otherPeer: Timestamp?

  /// In seconds: what a host asks when it has connected, it asks within such a time.
  private static let longest = 10.0

  /// - Parameter handle: The connection's.
  init(of handle: AdapterHandle) { self.handle = handle }

  /// What is asked once on each connection is asked again.
  mutating func noteRepetition(of question: SaidOnce.Questions, at moment: Moment) {
    if question == .exchange { exchangedAgain = moment.time }
    // Of several questions, the first is where it begins.
    if !belongs(moment.time) { repetition = moment }
  }

  /// The server contradicts what it has told of its table.
  mutating func noteOtherTable(at time: Timestamp) { otherTable = time }

  /// What the peer says of itself is not what it has said.
  mutating func noteOtherPeer(at time: Timestamp) { otherPeer = time }

  /// It is settled.
  mutating func forget() { self = UntoldEnd(of: handle) }

  /// The end of the connection before, by the first record of the next one; nil where that has not shown.
  var end: LostEnd? {
    guard let repetition, [exchangedAgain, otherTable, otherPeer].count(where: belongs) >= 2 else { return nil }
    return LostEnd(handle: handle, record: repetition.place)
  }

  /// Whether something is said of the connection that begins with the repetition.
  private func belongs(_ time: Timestamp?) -> Bool {
    guard let repetition, let time else { return false }
    return abs(time.seconds(since: repetition.time)) < Self.longest
  }
}

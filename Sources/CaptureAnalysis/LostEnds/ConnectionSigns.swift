import BluetoothHost
import CaptureFiles
import GATTKit

/// What shows that a connection is another than the one before on its handle, where neither the end of that nor its own
/// making is in the capture: what is said once on each connection is said again, or the peer says something else of itself.
///
/// Only behind a hole in the capture does each of these show that by itself. Where there is none, some hosts ask twice, and
/// servers change: see `UntoldEnd`.
struct ConnectionSigns {
  /// What it would be to be another one without a hole.
  private var untold: UntoldEnd
  /// The last hole in which the connection may have been replaced.
  private var hole: Hole?
  /// What was said.
  private(set) var said = SaidOnce()
  /// When a server sent a value unasked, for the first time since the hole.
  private var sent = BothServers(Timestamp?.none)
  /// Whether it has ended: what comes late shows no more.
  private var isOver = false
  /// Whether it has, since the peer was found to be connected elsewhere.
  private var isElsewhere = false
  /// Which server is being discovered from its first handle on, since the hole.
  private var discovered: ServerSide?

  /// - Parameter handle: The connection's.
  init(of handle: AdapterHandle) { untold = UntoldEnd(of: handle) }

  /// In seconds: a server that is bonded may send values as soon as it is connected, before it is asked for anything. Where
  /// it has done so for longer, whoever asks what is asked first does so of his own accord.
  private static let longestLead = 3.0

  /// Records are missing, or may be.
  mutating func note(_ next: Hole) {
    let next = hole?.joined(by: next) ?? next
    if let hole, hole.outweighs(next) { return }
    hole = next
    sent = BothServers(nil)
    discovered = nil
  }

  /// The connection was there before the capture, and this was said on it.
  mutating func goOn(with said: SaidOnce) { self.said = said }

  /// A server sends a value unasked: it is noted once behind each hole.
  mutating func noteSent(by server: ServerSide, at time: Timestamp) {
    if sent[server] == nil { sent[server] = time }
  }

  /// Whether a server has gone on sending values behind the hole for longer than one does that is new.
  private func goesOn(_ server: ServerSide, at time: Timestamp) -> Bool {
    sent[server].map { time.seconds(since: $0) > Self.longestLead } ?? false
  }

  /// Something comes on the connection's handle, for the first time since something befell the capture.
  mutating func noteHeard(at time: Timestamp) { hole?.noteHeard(at: time) }

  /// The clock took a step.
  mutating func noteClockStep() {
    hole?.noteClockStep()
    sent = BothServers(nil)
  }

  /// A client asks over the bearer that each connection has from the beginning.
  /// - Parameter isMeasuring: Whether the server that is asked has sent measurements, and not changed its table: what precedes
  ///   them is over.
  mutating func note(
    _ request: ATTRequest, _ direction: Direction, isMeasuring: Bool, at moment: Moment,
    _ conclusions: inout Conclusions
  ) {
    switch request {
    case .exchangeMTU: note(.exchange, by: direction, isOnce: true, at: moment, &conclusions)
    case .readByGroupType(let range, type: .primaryService) where range.start <= 1:
      let server = direction.askedServer
      beginDiscovery(of: server, at: moment.time)
      let isOnce = isMeasuring && !goesOn(server, at: moment.time)
      note(.discovery, by: direction, isOnce: isOnce, at: moment, &conclusions)
    case .readByType(let range, type: .primaryService) where range.start <= 1,
      .findByTypeValue(let range, type: .primaryService, value: _) where range.start <= 1:
      beginDiscovery(of: direction.askedServer, at: moment.time)
    default: break
    }
  }

  /// A client has been answered that must have asked for an ATT_MTU in the hole.
  mutating func noteExchange(by client: Direction, at moment: Moment, _ conclusions: inout Conclusions) {
    note(.exchange, by: client, isOnce: true, at: moment, &conclusions)
  }

  /// What is asked at the beginning of a connection.
  private mutating func note(
    _ question: SaidOnce.Questions, by client: Direction, isOnce: Bool, at moment: Moment,
    _ conclusions: inout Conclusions
  ) {
    if said.asked[client].contains(question) {
      if isOnce { conclude(at: moment.time, &conclusions) }
      untold.noteRepetition(at: moment)
      if question == .exchange { note(untold: .exchange, at: moment, &conclusions) }
    }
    said.asked[client].insert(question)
  }

  /// What is discovered once more after this may contradict it for another reason.
  private mutating func beginDiscovery(of server: ServerSide, at time: Timestamp) {
    guard let hole else { return }
    discovered = discovered == nil && hole.mayHide(at: time) ? server : nil
  }

  /// A server contradicts what it has told before on this connection, and has not said that its table changed.
  /// - Parameter isSure: Whether what was told was not told by half.
  mutating func contradicted(_ server: ServerSide, isSure: Bool, at moment: Moment, _ conclusions: inout Conclusions) {
    if isSure || discovered == server { conclude(at: moment.time, &conclusions) }
    if isSure, server == .peer { note(untold: .table, at: moment, &conclusions) }
  }

  /// A server sends again and again what the one cannot that was there before the hole. Where there is none, it only does
  /// what it does not tell.
  mutating func foundOther(at moment: Moment, _ conclusions: inout Conclusions) {
    conclude(at: moment.time, isProven: true, &conclusions)
  }

  /// The peer says something else of itself than before on this connection: its name, or what its controller is.
  mutating func noteOtherPeer(at moment: Moment, _ conclusions: inout Conclusions) {
    conclude(at: moment.time, &conclusions)
    note(untold: .peer, at: moment, &conclusions)
  }

  /// A server has no primary service from a handle on; or it has said that its table changed, and nobody knows.
  mutating func noteEnd(of server: ServerSide, at handle: UInt16?) {
    said.ends[server] = handle
  }

  /// Whether a handle is behind all services that a server has.
  func isBehindEnd(_ handle: UInt16, of server: ServerSide) -> Bool {
    said.ends[server].map { handle >= $0 } ?? false
  }

  mutating func note(_ next: RemoteVersionInformation, at moment: Moment, _ conclusions: inout Conclusions) {
    let next = SaidOnce.Version(version: next.version, company: next.company)
    if let version = said.version, version != next { noteOtherPeer(at: moment, &conclusions) }
    said.version = next
  }

  /// The peer is connected elsewhere: the connection has ended, if not before in the hole.
  mutating func peerIsElsewhere() { isElsewhere = true }

  /// It has ended.
  mutating func end() { isOver = true }

  /// Something comes of another connection on its handle, whose making must be where its own end is.
  mutating func isFollowed(_ conclusions: inout Conclusions) {
    guard isElsewhere, let hole else { return }
    conclusions.note(hole.end)
    self.hole = nil
  }

  /// Something shows that the connection is another one since the hole, if there is one.
  /// - Parameter isProven: Whether it can be none else, however soon it was made.
  private mutating func conclude(at time: Timestamp, isProven: Bool = false, _ conclusions: inout Conclusions) {
    guard let hole, !isOver, isProven && hole.isWide || hole.mayHide(at: time) else { return }
    conclusions.note(hole.end)
    self.hole = nil
    discovered = nil
    untold.settle(at: time)
  }

  /// Something shows it though nothing tells of a hole.
  private mutating func note(untold sign: UntoldEnd.Sign, at moment: Moment, _ conclusions: inout Conclusions) {
    untold.note(sign, at: moment)
    guard !isOver, let end = untold.end else { return }
    conclusions.note(end)
    untold.settle(at: moment.time)
  }
}

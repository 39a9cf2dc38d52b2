import BluetoothHost
import CaptureFiles

/// Connections to one peer, one soon after another.
struct ReconnectLoop: AnomalyRule {
  static let connections = RuleParameter(
    "connections", 3, in: 2...1000, isWhole: true, "how many connections are a loop")
  static let within = RuleParameter("within", 60, in: 1...3600, "in how many seconds")

  static let about = RuleDescription(
    "reconnect-loop", .warning,
    finds:
      "Three connections to one peer within a minute; worth knowing only where the local host ended each of them, or "
      + "none came about.",
    matters: "Something ends the connection again and again, and the app connects anew instead of telling.",
    advice: "See how the connections ended: the cause of the first is the cause of all.",
    explainedBy: [
      "abnormal-disconnect", "connection-not-established", "controller-failed", "encryption-failed", "pairing-failed",
      "pairing-unfinished",
      "sensor-hung-up", "supervision-timeout",
    ],
    tellsOfSeveral: true,
    parameters: [connections, within],
    examples: [
      .finds(
        "three times in half a minute", after: .connected,
        [
          .wait(5), .disconnect(0x13), .wait(5), .connect, .wait(5), .disconnect(0x13), .wait(5), .connect, .wait(5),
          .disconnect(0x13),
        ]),
      .finds(
        "five times, which is told once", after: .connected,
        [
          .wait(5), .disconnect(0x08), .connect, .wait(5), .disconnect(0x08), .connect, .wait(5), .disconnect(0x08),
          .connect, .wait(5), .disconnect(0x08), .connect, .wait(60),
        ]),
      .quiet(
        "twice", after: .connected, [.wait(5), .disconnect(0x13), .wait(5), .connect, .wait(5), .disconnect(0x13)]),
      .quiet(
        "three times in three minutes", after: .connected,
        [.wait(60), .disconnect(0x13), .connect, .wait(60), .disconnect(0x13), .connect, .wait(60), .disconnect(0x13)]),
      .quiet(
        "three peers", after: .connected,
        [
          .event(0x3E, "01 00 41 00 00 01 02 11 22 33 44 c5 0c 00 00 00 48 00 00"),
          .event(0x3E, "01 00 42 00 00 01 03 11 22 33 44 c5 0c 00 00 00 48 00 00"),
        ]),
      .finds(
        "connections that came to nothing, which have their own rule: worth knowing only", after: .nothing,
        [.connect, .disconnect(0x3E), .connect, .disconnect(0x3E), .connect, .disconnect(0x3E)]),
      .quiet(
        "two that came to nothing, and one that did not", after: .nothing,
        [.connect, .disconnect(0x3E), .connect, .disconnect(0x3E), .connect, .wait(5), .disconnect(0x16)]),
    ])
  static let scope = RuleScope.capture
  static let events = EventSelection([.connected, .disconnected])

  private let connections: Int
  private let within: Double
  private var peers: [Peer] = []

  private static let most = 256

  private struct Peer {
    /// As one adapter reaches it: another one may be another computer's, whose log is in the same capture.
    let server: RemoteServer
    /// The last connections, as many as make a loop.
    var recent: [Attempt] = []
    var loop: Loop?
  }

  private struct Attempt {
    let connection: Int
    let moment: Moment
    var end: DisconnectedEvent?
  }

  private struct Loop {
    let connection: Int
    var span: RecordSpan
    var lastConnection = 0
    /// Why its connections ended.
    private(set) var reasons: [HCIErrorCode: Int] = [:]
    /// Whether the local host wanted all of them to end, or they never were any.
    private(set) var isWanted = true

    mutating func note(_ end: DisconnectedEvent) {
      guard let reason = end.reason else { return }
      reasons[reason, default: 0] += 1
      if !end.isByHost, reason != .connectionFailedToBeEstablished { isWanted = false }
    }
  }

  init(_ settings: RuleSettings) {
    connections = Int(settings.value(Self.connections, of: Self.self))
    within = settings.value(Self.within, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard let connection = event.connection else { return }
    switch event.content {
    case .connected(let connected):
      guard connected.wasSeen, let server = connected.remoteServer else { return }
      begin(Attempt(connection: connection, moment: event.moment), place(of: server, &scene), &scene)
    case .disconnected(let end): if end.reason != nil { self.end(connection, end) }
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    for peer in peers { report(peer, &scene) }
  }

  private mutating func place(of server: RemoteServer, _ scene: inout RuleScene) -> Int {
    if let place = peers.firstIndex(where: { $0.server == server }) { return place }
    if peers.count == Self.most { report(peers.removeFirst(), &scene) }
    peers.append(Peer(server: server))
    return peers.count - 1
  }

  private mutating func begin(_ attempt: Attempt, _ place: Int, _ scene: inout RuleScene) {
    peers[place].recent.append(attempt)
    if peers[place].recent.count > connections { peers[place].recent.removeFirst() }
    let recent = peers[place].recent
    // Where the clock went back, or the capture has no times, nothing tells how soon one came after the other.
    let isInOrder = zip(recent, recent.dropFirst()).allSatisfy { $0.moment.time <= $1.moment.time }
    guard let first = recent.first, recent.count == connections, isInOrder, first.moment.time.isTold,
      attempt.moment.time.seconds(since: first.moment.time) <= within
    else { return }
    var loop = Loop(connection: first.connection, span: RecordSpan(first.moment, count: 0))
    if let known = peers[place].loop {
      if first.connection <= known.lastConnection { loop = known } else { report(peers[place], &scene) }
    }
    let new = recent.filter { $0.connection > loop.lastConnection }
    for end in new.compactMap(\.end) { loop.note(end) }
    loop.span.extend(to: attempt.moment, count: new.count)
    loop.lastConnection = attempt.connection
    peers[place].loop = loop
  }

  private mutating func end(_ connection: Int, _ end: DisconnectedEvent) {
    for place in peers.indices {
      guard let recent = peers[place].recent.firstIndex(where: { $0.connection == connection }) else { continue }
      peers[place].recent[recent].end = end
      if let last = peers[place].loop?.lastConnection, connection <= last { peers[place].loop?.note(end) }
      return
    }
  }

  private func report(_ peer: Peer, _ scene: inout RuleScene) {
    guard let loop = peer.loop else { return }
    let reasons = loop.reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    let ends = reasons.map { "\(times($0.value)) with \(words($0.key))" }.joined(separator: " and ")
    let began = "began within \(seconds(max(0, loop.span.seconds)))"
    let message = "\(loop.span.count) connections to \(words(peer.server.address)) \(began)"
    let failed = loop.reasons[.connectionFailedToBeEstablished] ?? 0
    // Connections that came to nothing are another rule's; so many of them are worth knowing.
    let cameAbout = loop.span.count - failed >= connections
    guard cameAbout || failed >= connections else { return }
    let isWanted = !cameAbout || loop.isWanted
    scene.report(
      Self.self, message + (ends.isEmpty ? "" : "; they ended \(ends)"), severity: isWanted ? .info : nil,
      over: loop.span, connection: loop.connection)
  }
}

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
      + "none came about. Or three and more, however long, that ended in the same way after the same time, give or "
      + "take a tenth or two seconds, each with the next one within a minute; within ten seconds, and to two seconds, "
      + "where the local host ended them.",
    matters: "Something ends the connection again and again, and the app connects anew instead of telling.",
    advice:
      "See how the connections ended: the cause of the first is the cause of all. Where each lasts just as long, a "
      + "timer ends it: of a sensor that waits for what the app does not do, such as pairing, that crashes, or of an "
      + "app that waits for something itself.",
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
        "three times in three minutes, after different times", after: .connected,
        [.wait(60), .disconnect(0x13), .connect, .wait(40), .disconnect(0x13), .connect, .wait(80), .disconnect(0x13)]),
      .finds(
        "four times after five minutes, which is told once", after: .connected,
        again(after: 300, 0x13, pause: 3) + [.wait(302), .disconnect(0x13)]),
      .finds(
        "four times lost after 41 s, with an attempt between that came to nothing", after: .connected,
        again(after: 41, 0x08, pause: 1)
          + [.wait(41), .disconnect(0x08), .connect, .disconnect(0x3E), .connect, .wait(41), .disconnect(0x08)]),
      .finds(
        "the local host ends it after a minute, and is back at once", after: .connected,
        again(after: 60, 0x16, pause: 2) + [.wait(60), .disconnect(0x16)]),
      .quiet(
        "somebody measures a minute, again and again", after: .connected,
        again(after: 60, 0x16, pause: 20) + [.wait(60), .disconnect(0x16)]),
      .quiet(
        "an app measures a minute every quarter of an hour", after: .connected,
        again(after: 60, 0x16, pause: 840) + [.wait(60), .disconnect(0x16)]),
      .quiet(
        "somebody trains for an hour each day", after: .connected,
        again(after: 3600, 0x13, pause: 82_800) + [.wait(3600), .disconnect(0x13)]),
      .quiet(
        "a device that is asked every minute", after: .connected,
        again(after: 5, 0x13, pause: 55) + [.wait(5), .disconnect(0x13)]),
      .quiet(
        "they end in different ways", after: .connected,
        [.wait(60), .disconnect(0x13), .connect, .wait(60), .disconnect(0x08), .connect, .wait(60), .disconnect(0x13)]),
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
  /// Three connections of one length, each with the next one so long behind it.
  private static func again(after length: Double, _ reason: UInt8, pause: Double) -> [ExampleStep] {
    .times(3, [.wait(length), .disconnect(reason), .wait(pause), .connect])
  }

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
    /// The connections of one length that the last one belongs to.
    var row: Row?
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

    /// How many came to nothing, which is another rule's, and how many did not.
    private var failed: Int { reasons[.connectionFailedToBeEstablished] ?? 0 }
    var cameAbout: Int { span.count - failed }

    /// Whether it is told: so many that came to nothing are worth knowing, too.
    func isTold(from connections: Int) -> Bool { max(failed, cameAbout) >= connections }

    /// Nobody knows who wanted an end that nobody saw.
    mutating func note(_ end: DisconnectedEvent) {
      if end.isUnseen { isWanted = false }
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
    case .disconnected(let end): self.end(connection, end, &scene)
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    for peer in peers { reportAll(of: peer, &scene) }
  }

  private mutating func place(of server: RemoteServer, _ scene: inout RuleScene) -> Int {
    if let place = peers.firstIndex(where: { $0.server == server }) { return place }
    if peers.count == Self.most { reportAll(of: peers.removeFirst(), &scene) }
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

  private mutating func end(_ connection: Int, _ end: DisconnectedEvent, _ scene: inout RuleScene) {
    for place in peers.indices {
      guard let recent = peers[place].recent.firstIndex(where: { $0.connection == connection }) else { continue }
      noteRow(peers[place].recent[recent], end, place, &scene)
      peers[place].recent[recent].end = end
      if let last = peers[place].loop?.lastConnection, connection <= last { peers[place].loop?.note(end) }
      return
    }
  }

  /// What came to nothing between two connections is no connection.
  private mutating func noteRow(
    _ attempt: Attempt, _ end: DisconnectedEvent, _ place: Int, _ scene: inout RuleScene
  ) {
    guard end.reason != .connectionFailedToBeEstablished else { return }
    // As the clock has it: where that took a step, nothing tells how long anything was.
    let length = scene.moment.time.seconds(since: attempt.moment.time)
    let visit = Visit(
      connection: attempt.connection, begun: attempt.moment, ended: scene.moment, end: end, length: length)
    let isTimed = end.reason != nil && length > 0 && scene.hasTimes
    if isTimed, let last = peers[place].row?.last {
      let pause = attempt.moment.time.seconds(since: last.ended.time)
      if peers[place].row?.take(visit, after: pause, within: within) == true { return }
    }
    reportRow(of: peers[place], &scene)
    peers[place].row = isTimed ? Row(visit) : nil
  }

  private func reportAll(of peer: Peer, _ scene: inout RuleScene) {
    report(peer, &scene)
    reportRow(of: peer, &scene)
  }

  /// Those that began within a minute are told already.
  private func reportRow(of peer: Peer, _ scene: inout RuleScene) {
    guard let row = peer.row, row.count >= connections else { return }
    if let loop = peer.loop, loop.isTold(from: connections),
      row.connections.overlaps(loop.connection...max(loop.connection, loop.lastConnection))
    {
      return
    }
    scene.report(Self.self, row.words(of: peer.server.address), over: row.span, connection: row.connection)
  }

  private func report(_ peer: Peer, _ scene: inout RuleScene) {
    guard let loop = peer.loop else { return }
    let reasons = loop.reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    let ends = reasons.map { "\(times($0.value)) with \($0.key.words)" }.joined(separator: " and ")
    let began = "began within \(seconds(max(0, loop.span.seconds)))"
    let message = "\(loop.span.count) connections to \(peer.server.address) \(began)"
    guard loop.isTold(from: connections) else { return }
    let isWanted = loop.cameAbout < connections || loop.isWanted
    scene.report(
      Self.self, message + (ends.isEmpty ? "" : "; they ended \(ends)"), severity: isWanted ? .info : nil,
      over: loop.span, connection: loop.connection)
  }
}

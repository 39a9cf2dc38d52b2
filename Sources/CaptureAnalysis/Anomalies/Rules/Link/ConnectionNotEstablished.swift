import BluetoothHost

/// Connections that came to nothing.
struct ConnectionNotEstablished: AnomalyRule {
  static let about = RuleDescription(
    "connection-not-established", .error,
    finds:
      "A connection that was made and on which the peer was never heard (0x3E), or that failed with another status, or "
      + "that the controller refused to attempt; a warning if a later attempt succeeds.",
    matters: "Each attempt takes seconds in which the app waits.",
    advice:
      "A single 0x3E is bad luck: the sensor missed the request. Many of them point to a weak signal, to a sensor "
      + "that is connected to somebody else, or to interference. 0x0C and 0x12 are the host's own fault: the controller "
      + "cannot do what it is asked for, or not while it does something else, such as scanning or advertising.",
    reference: "Core 6.0, Vol 6, Part B, 4.5.2",
    explainedBy: ["controller-failed"],
    tellsEnd: true,
    tellsOfSeveral: true,
    examples: [
      .finds("the sensor is never heard", after: .nothing, [.connect, .wait(0.5), .disconnect(0x3E)]),
      .finds(
        "three attempts, which is told once", after: .nothing,
        [
          .connect, .wait(0.5), .disconnect(0x3E), .connect, .wait(0.5), .disconnect(0x3E), .connect, .wait(0.5),
          .disconnect(0x3E), .connect, .received("02 17 00"), .wait(20),
        ]),
      .finds(
        "the controller reports a failure", after: .nothing,
        .attempt + [.wait(2), .event(0x3E, "01 3e 00 00 00 01 01 11 22 33 44 c5 00 00 00 00 00 00 00")]),
      .finds(
        "to a device that is connected already", after: .nothing,
        .attempt + [.wait(2), .event(0x3E, "01 0b 00 00 00 01 01 11 22 33 44 c5 00 00 00 00 00 00 00")]),
      .finds(
        "the controller gives up", after: .nothing,
        .attempt + [.wait(2), .event(0x3E, "01 3c 00 00 00 01 01 11 22 33 44 c5 00 00 00 00 00 00 00")]),
      .finds(
        "the controller refuses to try", after: .nothing,
        [.event(0x0E, "01 03 0c 00"), .wait(1), .create, .event(0x0F, "0c 01 0d 20"), .wait(5)]),
      .finds(
        "it refuses, and the connection is made later", after: .nothing,
        [.event(0x0E, "01 03 0c 00"), .wait(1), .create, .event(0x0F, "0c 01 0d 20"), .wait(1)] + .attempt
          + [.connect, .received("02 17 00"), .wait(20)]),
      .quiet(
        "it refuses a second attempt beside one that is under way", after: .nothing,
        [.event(0x0E, "01 03 0c 00"), .wait(1)] + .attempt
          + [.wait(1), .create, .event(0x0F, "0c 01 0d 20"), .wait(1), .connect, .received("02 17 00"), .wait(20)]),
      .quiet(
        "the peer is connected already", after: .nothing,
        [.event(0x0E, "01 03 0c 00"), .wait(1)] + .attempt
          + [.connect, .received("02 17 00"), .wait(1), .create, .event(0x0F, "0c 01 0d 20"), .wait(20)]),
      .quiet(
        "one may be under way since before the capture", after: .nothing,
        [.create, .event(0x0F, "0c 01 0d 20"), .wait(5)]),
      .quiet(
        "nobody answers a sensor's own directed advertising", after: .nothing,
        [.wait(2), .event(0x3E, "01 3c 00 00 01 01 01 11 22 33 44 c5 00 00 00 00 00 00 00")]),
      .quiet("the host gives up", after: .nothing, .attemptGivenUp),
      .quiet("the connection ends at once, but by a wish", after: .nothing, [.connect, .disconnect(0x13)]),
      .quiet("a BR/EDR device that is not there", after: .nothing, [.event(0x03, "04 00 00 01 11 22 33 44 00 01 00")]),
    ])
  static let scope = RuleScope.capture
  static let events = EventSelection([.connected, .disconnected, .connectAttempt])

  private var series: [Failures] = []
  /// Whether the local host tries to connect.
  private var isTrying = false
  /// Connections that are open, whose they are, and since when.
  private var open: [Int: (peer: PeerIdentity, since: Moment)] = [:]

  private static let most = 64

  /// Failures of one peer, with no success between them.
  private struct Failures {
    let peer: DeviceAddress?
    let reason: HCIErrorCode
    let connection: Int?
    var span: RecordSpan

    func isOf(_ other: PeerIdentity) -> Bool {
      // What the controller refused because of what it was doing, it does later for anyone.
      guard let peer else { return reason == .commandDisallowed }
      return peer == other.address || peer == other.identity
    }
  }

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .connected(let connected):
      guard let connection = event.connection, connected.peer.address != nil, open.count < Self.most else { return }
      open[connection] = (connected.peer, event.moment)
    case .disconnected(let end):
      guard let connection = event.connection else { return }
      let connected = open.removeValue(forKey: connection)
      if end.reason == .connectionFailedToBeEstablished {
        // A private address may be another one each time.
        let peer = connected?.peer.identity ?? connected?.peer.address
        fail(peer, .connectionFailedToBeEstablished, connection, event.moment, &scene)
      } else if let connected {
        succeed(connected.peer, since: connected.since, &scene)
      }
    case .connectAttempt(let attempt):
      switch attempt.outcome {
      case .begun: isTrying = true
      case .cancelled: isTrying = false
      case .failed(let reason):
        defer { isTrying = isTrying && attempt.isBesideAnother }
        // The host's own directed advertising that nobody answered ends so as well.
        if reason == .advertisingTimeout, !isTrying || attempt.isBesideAnother { return }
        if reason == .commandDisallowed, attempt.isBesideAnother || isOpen(attempt.peer) { return }
        if !Self.others.contains(reason) { fail(attempt.peer, reason, nil, event.moment, &scene) }
      }
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    for connected in open.values { succeed(connected.peer, since: connected.since, &scene) }
    for failures in series { report(failures, isMadeGood: false, &scene) }
  }

  private mutating func fail(
    _ peer: DeviceAddress?, _ reason: HCIErrorCode, _ connection: Int?, _ moment: Moment, _ scene: inout RuleScene
  ) {
    if let place = series.firstIndex(where: { $0.peer == peer && $0.reason == reason }) {
      return series[place].span.extend(to: moment)
    }
    if series.count == Self.most { report(series.removeFirst(), isMadeGood: false, &scene) }
    series.append(Failures(peer: peer, reason: reason, connection: connection, span: RecordSpan(moment)))
  }

  /// Whether a peer is connected: another connection to it is refused.
  private func isOpen(_ peer: DeviceAddress?) -> Bool {
    peer != nil && open.values.contains { peer == $0.peer.address || peer == $0.peer.identity }
  }

  /// A connection with a peer came about.
  private mutating func succeed(_ peer: PeerIdentity, since moment: Moment, _ scene: inout RuleScene) {
    func isMadeGood(_ failures: Failures) -> Bool { failures.isOf(peer) && failures.span.last < moment }
    for failures in series where isMadeGood(failures) { report(failures, isMadeGood: true, &scene) }
    series.removeAll(where: isMadeGood)
  }

  private func report(_ failures: Failures, isMadeGood: Bool, _ scene: inout RuleScene) {
    let often = failures.span.count == 1 ? "" : " \(times(failures.span.count))"
    let meaning = failures.reason == .commandDisallowed ? ": the controller did not even try" : ""
    let later = isMadeGood ? "; a later attempt succeeded" : ""
    scene.report(
      Self.self,
      "the connection to \(failures.peer.words) failed\(often) with \(failures.reason.words)\(meaning)\(later)",
      severity: isMadeGood ? .warning : nil, over: failures.span, connection: failures.connection)
  }

  /// What a host wants, or what is no sensor: attempts that were cancelled, and BR/EDR devices that are not there.
  private static let others: [HCIErrorCode] = [.unknownConnectionIdentifier, .operationCancelledByHost, .pageTimeout]
}

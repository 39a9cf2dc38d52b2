import BluetoothHost
import GATTKit

/// Attempts to connect that the host gave up, one after another.
struct ConnectionGivenUp: AnomalyRule {
  static let least = RuleParameter("least", 15, in: 1...86_400, "how long the host must have tried, in seconds")

  static let about = RuleDescription(
    "connection-given-up", .warning,
    finds:
      "The host tried to connect to a heart rate sensor for fifteen seconds or more in all, gave up each time, and "
      + "was not connected to it any more. Only mentioned where nothing tells whether it is one, where the sensor had "
      + "ended the last connection itself and the host tried once, and where it waited over its accept list for more "
      + "than a minute, as for an app in the background. Of a sensor that was seen and never connected, "
      + "sensor-seen-not-connected tells.",
    matters: "The app waits for a sensor that does not answer, and users see nothing but that it searches.",
    advice: "A sensor answers while it advertises: see whether it is switched on and worn, near enough, and whether "
      + "somebody else holds it, a watch or another app. Phones that wait in the background try without end instead.",
    reference: "Core 6.0, Vol 4, Part E, 7.8.13",
    parameters: [least],
    examples: [
      .finds("a sensor that is gone", [.disconnect(0x08)] + .times(2, .attemptGivenUp)),
      .finds(
        "a sensor that was switched off, which is only mentioned",
        [.disconnect(0x15)] + .attempt + [.wait(10)] + .givenUp("01")),
      .finds(
        "a device of which nothing is known, which is only mentioned", after: .nothing, .times(2, .attemptGivenUp)),
      .finds(
        "a sensor that was connected is asked for with the wrong type of address",
        [.disconnect(0x08)] + .times(2, .publicAttemptGivenUp)),
      .finds(
        "a sensor that is gone, and asked for over the accept list",
        [.disconnect(0x08)] + .times(2, .listedAttemptGivenUp)),
      .quiet(
        "it stays on the accept list while that is changed",
        [.disconnect(0x08)] + .listed + .times(2, .awaited + [.wait(20)] + .awaitedNoLonger) + .awaited + [.wait(5)]),
      .quiet(
        "a device of which nothing is known is still on the accept list", after: .nothing,
        .listed + .awaited + [.wait(20)] + .awaitedNoLonger),
      .quiet("it is connected later", after: .nothing, .times(2, .attemptGivenUp) + [.connect, .wait(20)]),
      .quiet("one attempt, given up after ten seconds", [.disconnect(0x08)] + .attemptGivenUp),
      .quiet(
        "it is no heart rate sensor", after: .connected,
        [
          .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0f 18"), .sent("10 14 00 ff ff 00 28"),
          .received("01 10 14 00 0a"), .disconnect(0x08),
        ] + .times(2, .attemptGivenUp)),
      .quiet("the last attempt is still under way", [.disconnect(0x08)] + .attemptGivenUp + .attempt + [.wait(60)]),
      .quiet(
        "it advertised, and was never connected, which is another finding", after: .nothing,
        [.event(0x3E, "02 01 00 01 01 11 22 33 44 c5 04 03 03 0d 18 c0")] + .times(2, .attemptGivenUp)),
      .quiet(
        "it advertised with the same octets as a public address, which is that finding, too", after: .nothing,
        [.event(0x3E, "02 01 00 00 01 11 22 33 44 c5 04 03 03 0d 18 c0")] + .times(2, .attemptGivenUp)),
    ])
  static let scope = RuleScope.capture
  static let events: EventSelection = [
    .advertised, .controller,
    EventSelection([.connected, .disconnected, .peer, .connectAttempt, .service, .subscribed, .inferred]),
  ]

  private let least: Double
  /// Those that were given up since the device was connected last, and what is under way.
  private var attempts = DeviceAttempts()
  /// Whose connections there were, and which of them are heart rate sensors.
  private var peers: [Int: DeviceAddress] = [:]
  private var connected: [DeviceAddress: Bool] = [:]
  /// Those that ended the last connection themselves.
  private var hungUp: Set<DeviceAddress> = []
  /// When heart rate sensors advertised last.
  private var advertised: [DeviceAddress: Moment] = [:]

  private static let most = 4096

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    attempts.note(event, scene)
    switch event.content {
    case .connected(let connection): connect(connection.peer, event.connection)
    case .peer(let peer): connect(peer, event.connection)
    case .disconnected(let end): if let peer = event.connection.flatMap({ peers[$0] }) { note(end, of: peer) }
    case .service(let service) where service.server == .peer:
      note(event.connection, isSensor: service.uuid == .heartRateService)
    case .subscribed(let subscription) where subscription.server == .peer:
      note(event.connection, isSensor: subscription.uuid == .heartRateMeasurement)
    case .inferred(let inference) where inference.server == .peer && inference.isTaken:
      note(event.connection, isSensor: true)
    case .connectAttempt(let attempt):
      // Of those that fail, another rule tells.
      guard case .failed = attempt.outcome, attempt.accepted == nil || !attempt.isBesideAnother else { return }
      for device in attempt.peer.map({ [$0] }) ?? attempt.accepted ?? [] { attempts.forget(device) }
    case .advertised(let sensor):
      if advertised.count < Self.most || advertised[sensor.address] != nil { advertised[sensor.address] = sensor.last }
    default: break
    }
  }

  private mutating func connect(_ peer: PeerIdentity, _ connection: Int?) {
    for address in [peer.address, peer.identity].compactMap(\.self) {
      attempts.forget(address)
      hungUp.remove(address)
      if connected.count < Self.most, connected[address] == nil { connected[address] = peer.advertisesHeartRate }
    }
    guard let connection, peers.count < Self.most, let address = peer.identity ?? peer.address else { return }
    peers[connection] = address
  }

  private mutating func note(_ end: DisconnectedEvent, of peer: DeviceAddress) {
    let isOff = end.reason == .remoteDeviceTerminatedConnectionDueToPowerOff
    if end.isByPeer || isOff, hungUp.count < Self.most { hungUp.insert(peer) }
  }

  private mutating func note(_ connection: Int?, isSensor: Bool) {
    if isSensor, let peer = connection.flatMap({ peers[$0] }), connected[peer] != nil { connected[peer] = true }
  }

  /// Whether a host that has an accept list waits for a device there as long as it likes, as phones do for whatever they
  /// know.
  private func isInBackground(_ attempts: AttemptsAtDevice) -> Bool {
    attempts.wereListed && attempts.length > Self.longestAttempt * Double(attempts.ended)
  }

  /// In seconds: no host tries so long at once when a user asks for a connection.
  private static let longestAttempt = 60.0

  mutating func finish(_ scene: inout RuleScene) {
    let all = attempts.all.compactMap { peer, attempts in
      attempts.span.map { (peer: peer, attempts: attempts, span: $0) }
    }
    let inOrder = all.sorted { ($0.span.first, $0.peer.number) < ($1.span.first, $1.peer.number) }
    for (peer, attempts, span) in inOrder where !attempts.isUnderWay && attempts.length >= least {
      // The same octets as an address of the other type are a sensor's that is asked for in vain.
      let own = connected[peer] == nil && connected[peer.ofOtherKind] == true ? peer.ofOtherKind : peer
      let wasConnected = connected[own] != nil
      // Those that were connected and are none have nothing to do with heart rates; of those that were never, another rule
      // tells.
      let isUnheard = advertised[peer] == nil && advertised[peer.ofOtherKind] == nil
      guard connected[own] ?? (isUnheard && !attempts.mayGoOn && !isInBackground(attempts)) else { continue }
      let isOne = attempts.ended == 1
      let subject = isOne ? "the attempt" : "\(attempts.ended == 2 ? "both" : "all \(attempts.ended)") attempts"
      let sensor = wasConnected ? "again to the sensor " : "to "
      let type = own == peer ? "" : " as a \(peer.kindWords) address"
      let heard = advertised[own].map { $0 > span.first } ?? false ? ", though it advertised" : ""
      let mistake = own == peer ? "" : ": its own is a \(own.kindWords) one, and nobody answers to the other"
      // A sensor that is switched off says good-bye.
      let isOff = isOne && hungUp.contains(own)
      let farewell = isOff ? "; it had ended the last connection itself" : ""
      scene.report(
        Self.self,
        "\(subject) to connect \(sensor)\(peer)\(type) \(isOne ? "was" : "were") given up after "
          + "\(seconds(attempts.length))\(isOne ? "" : " together")\(heard)\(mistake)\(farewell)",
        severity: wasConnected && !isOff && !isInBackground(attempts) ? nil : .info, over: span)
    }
  }
}

import BluetoothHost

/// A heart rate sensor that was there, and to which nobody was connected.
struct SensorSeenNotConnected: AnomalyRule {
  static let least = RuleParameter("least", 10, in: 0...86_400, "how long it must have advertised, in seconds")

  static let about = RuleDescription(
    "sensor-seen-not-connected", .info,
    finds: "A heart rate sensor that advertised for over ten seconds, and to which the local host was never connected.",
    matters: "Where measurements are missed, the sensor was there, and it was the host that did not connect.",
    advice: "Without an attempt, the app did not choose it: see what it looks for when it scans. With one that failed, "
      + "see why. Where the host was waiting for it, see whether it takes connections: a sensor that is connected to "
      + "somebody else may advertise all the same.",
    explainedBy: ["connection-not-established"],
    parameters: [least],
    examples: [
      .finds("nobody tries to", after: .nothing, advertising + [.wait(20)] + advertising),
      .finds(
        "an attempt is given up", after: .nothing,
        advertising + [.wait(6)] + advertising + .attemptGivenUp + advertising),
      .finds(
        "the host waits for it, and for others", after: .nothing,
        [
          .event(0x0E, "01 03 0c 00"), .command(0x2011, "01 01 11 22 33 44 c5"), .event(0x0E, "01 11 20 00"),
          .command(0x2011, "01 02 11 22 33 44 c5"), .event(0x0E, "01 11 20 00"),
          .command(0x200D, "60 00 30 00 01 00 00 00 00 00 00 00 00 18 00 28 00 00 00 2a 00 00 00 00 00"),
          .event(0x0F, "00 01 0d 20"),
        ] + advertising + [.wait(20)] + advertising),
      .quiet("it is connected", after: .nothing, advertising + [.wait(20)] + advertising + [.connect, .wait(5)]),
      .quiet(
        "it was connected before", after: .connected, [.disconnect(0x16)] + advertising + [.wait(20)] + advertising),
      .quiet("it is seen for a moment", after: .nothing, advertising + [.wait(2)] + advertising + [.wait(60)]),
      .quiet(
        "no heart rate sensor", after: .nothing,
        [
          .event(0x3E, "02 01 00 01 01 11 22 33 44 c5 04 03 03 0f 18 c0"), .wait(20),
          .event(0x3E, "02 01 00 01 01 11 22 33 44 c5 04 03 03 0f 18 c0"),
        ]),
      .quiet(
        "a connection whose beginning is not there may be to it", after: .nothing,
        [.received("1b 10 00 16 48 e8 03")] + advertising + [.wait(20)] + advertising),
    ])
  private static let advertising: [ExampleStep] = [.event(0x3E, "02 01 00 01 01 11 22 33 44 c5 04 03 03 0d 18 c0")]
  static let scope = RuleScope.capture
  static let events: EventSelection = [.advertised, EventSelection([.connected, .connectAttempt])]

  private let least: Double
  private var connected: Set<DeviceAddress> = []
  private var attempts: [DeviceAddress: Attempt] = [:]
  /// Connections of which it is not known whose they are.
  private var unknown: Set<Int> = []

  /// More connections than are kept.
  private var isOverwhelmed = false

  private static let most = 4096

  private struct Attempt {
    let outcome: ConnectAttemptEvent.Outcome
    /// Whether anyone on the accept list would have done.
    let isForAnyone: Bool
  }

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .connected(let connection): note(connection, event.connection)
    case .connectAttempt(let attempt):
      for peer in attempt.accepted ?? attempt.peer.map({ [$0] }) ?? [] where attempts.count < Self.most {
        attempts[peer] = Attempt(outcome: attempt.outcome, isForAnyone: attempt.accepted != nil)
      }
    case .advertised(let sensor): judge(sensor, &scene)
    default: break
    }
  }

  private mutating func note(_ connection: ConnectedEvent, _ number: Int?) {
    if connected.count >= Self.most {
      isOverwhelmed = true
    } else {
      if let address = connection.peer.address { connected.insert(address) }
      if let identity = connection.peer.identity { connected.insert(identity) }
    }
    guard let number else { return }
    // Its making may be reported after its first packets.
    if connection.wasSeen { unknown.remove(number) } else if unknown.count < Self.most { unknown.insert(number) }
  }

  private func judge(_ sensor: AdvertisedEvent, _ scene: inout RuleScene) {
    let lasted = scene.seconds(from: sensor.first, to: sensor.last)
    guard lasted > least, !connected.contains(sensor.address), unknown.isEmpty, !isOverwhelmed else { return }
    // Whoever changes its address may have been connected under another.
    guard connected.isEmpty || !sensor.address.isPrivate else { return }
    let name = sensor.name == nil ? "" : ", which gives a name,"
    scene.report(
      Self.self,
      "the sensor \(words(sensor.address))\(name) advertised the heart rate service for \(seconds(lasted)); "
        + Self.fate(attempts[sensor.address]), from: sensor.first, to: sensor.last, count: sensor.reports)
  }

  private static func fate(_ attempt: Attempt?) -> String {
    switch attempt?.outcome {
    case nil: "no attempt to connect was made to it"
    case .begun where attempt?.isForAnyone == true: "the host was waiting for it, as for all on its accept list"
    case .begun: "the attempt to connect to it has no outcome in the capture"
    case .cancelled: "the attempt to connect to it was given up"
    case .failed(let reason): "the attempt to connect to it failed with \(words(reason))"
    }
  }
}

extension DeviceAddress {
  /// Whether the device changes it from time to time.
  fileprivate var isPrivate: Bool { kind == .random && number >> 46 != 0b11 }
}

import BluetoothHost

/// A heart rate sensor that was there, and to which nobody was connected.
struct SensorSeenNotConnected: AnomalyRule {
  static let least = RuleParameter(
    "least", 10, in: 0...86_400, "how long it must have advertised, or the host have tried to connect, in seconds")

  static let about = RuleDescription(
    "sensor-seen-not-connected", .info,
    finds: "A heart rate sensor that advertised for over ten seconds, or to which the local host tried to connect for "
      + "as long, and to which it was never connected. A warning if the host asked for its address with the wrong "
      + "type: the same octets as a public address and as a random one are two devices.",
    matters: "Where measurements are missed, the sensor was there, and it was the host that did not connect.",
    advice: "Without an attempt, the app did not choose it: see what it looks for when it scans. With one that failed, "
      + "see why. Where the host was waiting for it, see whether it takes connections: a sensor that is connected to "
      + "somebody else may advertise all the same. One whose advertising is not connectable takes none, or none now: "
      + "switch it off and on, and look for who else is connected to it. An address is asked for with the type that "
      + "the sensor advertises: an app that stores the octets alone has to store the type, too, or scan first.",
    explainedBy: ["connection-not-established"],
    parameters: [least],
    examples: [
      .finds("nobody tries to", after: .nothing, advertising + [.wait(20)] + advertising),
      .finds(
        "it takes no connections", after: .nothing,
        .times(2, [.event(0x3E, "02 01 03 01 01 11 22 33 44 c5 04 03 03 0d 18 c0"), .wait(20)])),
      .finds(
        "an attempt is given up", after: .nothing,
        advertising + [.wait(6)] + advertising + .attemptGivenUp + advertising),
      .finds(
        "it is seen for a moment, and each attempt is given up", after: .nothing,
        advertising + .times(3, .attemptGivenUp)),
      .finds(
        "it is seen for a moment, and each attempt over the accept list is given up", after: .nothing,
        advertising + .times(3, .listedAttemptGivenUp)),
      .finds(
        "it is asked for as a public address, and its own is random", after: .nothing,
        advertising + .times(3, .publicAttemptGivenUp) + advertising),
      .quiet(
        "it is seen for a moment, and so is an attempt", after: .nothing,
        advertising + .attempt + [
          .wait(4), .command(0x200E, ""), .event(0x0E, "01 0e 20 00"),
          .event(0x3E, "01 02 00 00 00 01 01 11 22 33 44 c5 00 00 00 00 00 00 00"),
        ]),
      .finds(
        "the host waits for it, and for others", after: .nothing,
        [
          .event(0x0E, "01 03 0c 00"), .command(0x2011, "01 02 11 22 33 44 c5"), .event(0x0E, "01 11 20 00"),
        ] + .listed + .awaited + advertising + [.wait(20)] + advertising),
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
  static let events: EventSelection = [.advertised, .controller, EventSelection([.connected, .connectAttempt])]

  private let least: Double
  private var connected: Set<DeviceAddress> = []
  private var attempts = DeviceAttempts()
  /// Connections of which it is not known whose they are.
  private var unknown: Set<Int> = []

  /// Whether the host waited for whoever was on its accept list, and the capture does not tell who that was.
  private var isListUnknown = false

  /// More connections than are kept.
  private var isOverwhelmed = false

  private static let most = 4096

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    attempts.note(event, scene)
    switch event.content {
    case .connected(let connection): note(connection, event.connection)
    case .connectAttempt(let attempt): if attempt.mayBeForOthers { isListUnknown = true }
    case .advertised(let sensor): judge(sensor, &scene)
    default: break
    }
  }

  private mutating func note(_ connection: ConnectedEvent, _ number: Int?) {
    if connected.count >= Self.most {
      isOverwhelmed = true
    } else {
      let peer = connection.peer
      connected.formUnion([peer.address, peer.identity, peer.privateAddress].compactMap(\.self))
    }
    guard let number else { return }
    // Its making may be reported after its first packets.
    if connection.wasSeen { unknown.remove(number) } else if unknown.count < Self.most { unknown.insert(number) }
  }

  private func judge(_ sensor: AdvertisedEvent, _ scene: inout RuleScene) {
    let lasted = scene.seconds(from: sensor.first, to: sensor.last)
    let attempts = attempts[sensor.address]
    let mistaken = attempts == nil ? self.attempts[sensor.address.ofOtherKind] : nil
    guard max(lasted, (attempts ?? mistaken)?.length ?? 0) > least else { return }
    guard !connected.contains(sensor.address), unknown.isEmpty, !isOverwhelmed else { return }
    // Whoever changes its address may have been connected under another.
    guard connected.isEmpty || !sensor.address.isPrivate else { return }
    if let mistaken, !connected.contains(sensor.address.ofOtherKind) { return report(mistaken, of: sensor, &scene) }
    let name = sensor.name.map { " \(AirText.shown($0))," } ?? ""
    let length = lasted > least ? " for \(seconds(lasted))" : ""
    scene.report(
      Self.self,
      "the sensor\(name) \(sensor.address)\(name.isEmpty ? "" : ",") advertised the heart rate service\(length); "
        + fate(attempts) + Self.refusal(sensor), from: sensor.first,
      to: max(sensor.last, attempts?.span?.last ?? sensor.last),
      count: sensor.reports)
  }

  /// The host asks for somebody else, who has the same octets for an address of the other type: nobody, as it seems.
  private func report(_ attempts: AttemptsAtDevice, of sensor: AdvertisedEvent, _ scene: inout RuleScene) {
    let asked = sensor.address.ofOtherKind
    let often = attempts.count > 1 ? " \(times(attempts.count))" : ""
    let name = sensor.name.map { " \(AirText.shown($0))" } ?? ""
    scene.report(
      Self.self,
      "the host asked\(often) for \(asked) as a \(asked.kindWords) address, and the sensor\(name) advertises it "
        + "as a \(sensor.address.kindWords) one: nobody answers to what was asked for",
      severity: .warning, over: attempts.span ?? RecordSpan(sensor.first, count: sensor.reports))
  }

  /// A sensor that is connected to somebody else often goes on like that.
  private static func refusal(_ sensor: AdvertisedEvent) -> String {
    sensor.takesConnections == false ? "; it takes no connections: its advertising is not connectable" : ""
  }

  private func fate(_ attempts: AttemptsAtDevice?) -> String {
    guard let attempts else {
      return isListUnknown
        ? "whether it was among those on the accept list that the host waited for is not in the capture"
        : "no attempt to connect was made to it"
    }
    let isOne = attempts.count == 1
    let all = attempts.count == 2 ? "both" : "all \(attempts.count)"
    let subject = isOne ? "the attempt" : "\(attempts.areAlike ? all : "the last of \(attempts.count)") attempts"
    switch attempts.outcome {
    case .begun where attempts.isAwaited: return "the host was waiting for it, as for all on its accept list"
    case .begun: return "\(subject) to connect to it has no outcome in the capture"
    case .failed(let reason): return "\(subject) to connect to it failed with \(reason.words)"
    case .cancelled:
      let verb = isOne || !attempts.areAlike ? "was" : "were"
      let isTold = attempts.length > 0 && attempts.areAlike
      let length = isTold ? " after \(seconds(attempts.length))\(isOne ? "" : " together")" : ""
      return "\(subject) to connect to it \(verb) given up\(length)"
    }
  }
}

extension DeviceAddress {
  /// Whether the device changes it from time to time.
  fileprivate var isPrivate: Bool { kind == .random && number >> 46 != 0b11 }
}

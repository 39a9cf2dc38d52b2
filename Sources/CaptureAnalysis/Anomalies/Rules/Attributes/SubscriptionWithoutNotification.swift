import GATTKit

/// Notifications are switched on, and no measurement comes.
struct SubscriptionWithoutNotification: AnomalyRule {
  static let least = RuleParameter("least", 10, in: 1...3600, "how long nothing comes, in seconds")

  static let about = RuleDescription(
    "subscription-without-notification", .warning,
    finds: "The sensor acknowledges that measurements are to be notified, and then sends none for ten seconds or more. "
      + "Where that was written by a command, nobody knows whether it took it. Where it notifies from a handle that "
      + "cannot, or another Heart Rate service was never switched on, that is said.",
    matters: "The app shows no heart rate although everything was done right: the sensor measures nothing, waits for "
      + "skin contact, or for something else that the app does not do. A command may have been thrown away: "
      + "configurations are written by requests.",
    advice: "See whether measurements came later and what preceded them: skin contact, a workout started on the "
      + "device, a setting of its own such as sharing the heart rate.",
    reference: "HRS 1.0, 3.1",
    explainedBy: ["cccd-invalid", "controller-failed", "encryption-failed", "pairing-failed", "pairing-unfinished"],
    parameters: [least],
    examples: [
      .finds("nothing comes at all", [.wait(15), .disconnect(0x13)]),
      .finds("nothing comes until the capture ends", [.wait(15), .event(0x0F, "00 01 00 00")]),
      .finds(
        "it was written by a command, which the sensor may not take", after: .discovered,
        [.sent("52 11 00 01 00"), .wait(15), .disconnect(0x16)]),
      .finds("the first comes late", [.wait(15), .repeated(["00 48"], times: 3)]),
      .finds(
        "nothing after it was switched on again",
        [
          .repeated(["00 48"], times: 3), .sent("12 11 00 00 00"), .received("13"), .sent("12 11 00 01 00"),
          .received("13"), .wait(12), .disconnect(0x16),
        ]),
      .quiet(
        "switched on once more while nothing comes: a gap",
        [
          .repeated(["00 48"], times: 10), .wait(3), .sent("12 11 00 01 00"), .received("13"), .wait(30),
          .repeated(["00 48"], times: 3),
        ]),
      .finds(
        "switched on once more after a single value, and none comes any more",
        [.values(["00 48"]), .wait(3), .sent("12 11 00 01 00"), .received("13"), .wait(30), .disconnect(0x16)]),
      .finds(
        "indications were asked for", after: .discovered,
        [.sent("12 11 00 02 00"), .received("13"), .wait(15), .disconnect(0x13)]),
      .finds(
        "it was switched on in the second of two services", after: .connected,
        twoServices + [.sent("12 17 00 01 00"), .received("13"), .wait(15), .disconnect(0x16)]),
      .quiet("the first comes after four seconds", [.wait(4), .repeated(["00 48"], times: 3)]),
      .quiet(
        "both ends are sensors, of which the first one is done when the other one begins",
        [
          .repeated(["00 48"], times: 3), .sent("12 11 00 00 00"), .received("13"),
        ] + NotificationWithoutSubscription.localSensor + .times(15, [.wait(1), .sent("1b 10 00 00 48")])),
      .finds(
        "switched off and on again, and the first comes late",
        [
          .repeated(["00 48"], times: 5), .sent("12 11 00 00 00"), .received("13"), .wait(20), .sent("12 11 00 01 00"),
          .received("13"), .wait(15), .repeated(["00 48"], times: 5),
        ]),
      .quiet("a sensor that sends every fifteen seconds", [.wait(14), .repeated(["00 48"], times: 8, every: 15)]),
      .quiet("it is over before that", [.wait(6), .disconnect(0x16)]),
      .quiet(
        "the write is refused", after: .discovered,
        [.sent("12 11 00 01 00"), .received("01 12 11 00 05"), .wait(15), .disconnect(0x16)]),
      .quiet(
        "they are switched off at once",
        [.sent("12 11 00 00 00"), .received("13"), .wait(15), .disconnect(0x16)]),
      .quiet(
        "they are switched on twice while values come",
        [
          .repeated(["00 48"], times: 5), .sent("12 11 00 01 00"), .received("13"), .repeated(["00 48"], times: 5),
          .wait(15), .disconnect(0x16),
        ]),
    ])
  /// Two Heart Rate services, of which each has a measurement.
  private static let twoServices: [ExampleStep] = [
    .sent("10 01 00 ff ff 00 28"), .received("11 06 0e 00 13 00 0d 18 14 00 19 00 0d 18"),
    .sent("08 0e 00 19 00 03 28"), .received("09 07 0f 00 10 10 00 37 2a 15 00 10 16 00 37 2a"),
    .sent("04 11 00 11 00"), .received("05 01 11 00 02 29"), .sent("04 17 00 17 00"), .received("05 01 17 00 02 29"),
  ]

  /// The databases are told last: until then nothing came.
  static let events = EventSelection([.subscribed, .unsubscribed, .databases])
  static let dialogue: DialogueTraits = .write
  static let traits: MeasurementTraits = [.first, .late, .behind]

  /// What switched them on.
  private struct Switch {
    let moment: Moment
    let subscription: SubscriptionEvent
    /// Whether they were on before.
    let isRenewal: Bool
  }

  private let least: Double
  /// Where measurements were switched on and none has been seen since.
  private var open: Switch?
  /// The first came late, unless that turns out to be this sensor's way.
  private var late: (start: Switch, end: Moment, seconds: Double)?
  /// The first attribute that notifies and is none that may, in words.
  private var stray: String?
  /// Where measurements are configured in each of the peer's Heart Rate services; nil where that is not known.
  private var configurations: [UInt16?] = []
  /// What was switched on at the peer, through which configurations.
  private var used: Set<UInt16> = []

  /// Where more were, nothing is said of others: whoever writes to all handles shall not take memory for them.
  private static let mostUsed = 64

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    if case .subscribed(let subscription) = event.content { noteUse(of: subscription) }
    switch event.content {
    case .subscribed(let subscription) where scene.switchesOn(subscription) && open == nil:
      guard scene.isSameTable, !scene.mayAnswerAnother else { return }
      open = Switch(
        moment: event.moment, subscription: subscription, isRenewal: scene.switchedOn != event.moment)
    case .unsubscribed(let subscription) where scene.switchesOff(subscription): finish(&scene)
    case .databases(let databases): (stray, configurations) = (Self.stray(databases), Self.configurations(databases))
    default: break
    }
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard let start = open else { return }
    open = nil
    if let previous = scene.series.previous, previous.moment >= start.moment { return }
    let length = scene.seconds(since: start.moment)
    guard length >= least, late == nil else { return }
    late = (start, scene.moment, length)
  }

  mutating func finish(_ scene: inout RuleScene) {
    if let late {
      let period = scene.series.periods.median() ?? scene.series.current?.gap ?? 0
      if late.seconds > 2 * period {
        let which = late.start.isRenewal ? "next" : "first"
        report(late.start, late.end, "the \(which) came after \(seconds(late.seconds))", &scene)
      }
    }
    late = nil
    guard let start = open else { return }
    open = nil
    if let current = scene.series.current, current.moment >= start.moment { return }
    let length = scene.seconds(since: start.moment)
    guard length >= least else { return }
    let others = others(than: start.subscription, scene).map { "; \($0)" } ?? ""
    report(start, scene.moment, "none came within \(seconds(length))\(others)", &scene)
  }

  /// Whether what came last is so long ago that this is told as a gap, if it is one.
  private func isGap(_ scene: inout RuleScene) -> Bool {
    guard let last = scene.series.current else { return false }
    return scene.period(until: last) != nil
      || scene.seconds(since: last.moment) >= scene.leastSilenceBehindFew
  }

  private static func stray(_ databases: ConnectionDatabases) -> String? {
    for handle in databases.notifying.sorted() {
      if handle == 0 { return "0x0000, which is no attribute's handle" }
      if databases.peer.declaration(at: handle) == .characteristic {
        let type = databases.peer.characteristics(declaredIn: handle...handle).first?.uuid
        let name = type.flatMap(AssignedNumbers.characteristicName)
        return "\(handleWords(handle)), which is the declaration of \(name ?? "a characteristic")"
      }
    }
    return nil
  }

  private mutating func noteUse(of subscription: SubscriptionEvent) {
    if subscription.server == .peer, used.count < Self.mostUsed { used.insert(subscription.handle) }
  }

  private static func configurations(_ databases: ConnectionDatabases) -> [UInt16?] {
    databases.peer.services(.heartRateService).map { service in
      let measurement = service.characteristics.first { $0.uuid == .heartRateMeasurement }
      return measurement?.descriptors.first { $0.uuid == .clientCharacteristicConfiguration }?.handle
    }
  }

  /// That the server has other Heart Rate services, that were never switched on: one of them may be the one that sends.
  private func others(than subscription: SubscriptionEvent, _ scene: RuleScene) -> String? {
    guard scene.isWhole, used.count < Self.mostUsed, subscription.server == .peer,
      let own = configurations.firstIndex(of: subscription.handle)
    else { return nil }
    let unused = configurations.compactMap(\.self).filter { !used.contains($0) }
    guard let first = unused.first else { return nil }
    guard configurations.count == 2 else {
      let handles = unused.map(handleWords).joined(separator: ", ")
      return "that is one of \(configurations.count) Heart Rate services; of the others, \(handles) "
        + (unused.count == 1 ? "was never switched on" : "were never switched on")
    }
    let (this, other) = own == 0 ? ("first", "second") : ("second", "first")
    return "that is the \(this) of two Heart Rate services; that of the \(other) (\(handleWords(first))) was never "
      + "switched on"
  }

  private func report(_ start: Switch, _ end: Moment, _ what: String, _ scene: inout RuleScene) {
    guard !scene.hasLost(since: start.moment) else { return }
    // Where they were on before, that is a gap, as soon as it is known when one is due.
    if start.isRenewal, isGap(&scene) { return }
    let isNotified = start.subscription.configuration.contains(.notification)
    let switchedOn =
      (isNotified
        ? "measurements were switched on through their" : "indications of the measurement were asked for through its")
      + " configuration (\(handleWords(start.subscription.handle)))"
    let way = start.subscription.isCommanded ? " by a Write Command, which nobody acknowledges" : ""
    let instead = stray.map { "; notifications came from \($0)" } ?? ""
    scene.report(Self.self, "\(switchedOn)\(way), and \(what)\(instead)", from: start.moment, to: end)
  }
}

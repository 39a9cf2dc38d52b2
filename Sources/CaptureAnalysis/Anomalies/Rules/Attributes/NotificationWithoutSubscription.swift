import BluetoothHost
import GATTKit

/// Measurements that nobody asked for.
struct NotificationWithoutSubscription: AnomalyRule {
  static let grace = RuleParameter(
    "grace", 2, in: 0...60, "how long measurements may still come after they were switched off, in seconds")

  static let about = RuleDescription(
    "notification-without-subscription", .error,
    finds: "Measurements on a connection in which their notifications were never switched on, or after they were "
      + "switched off. Where the link is encrypted a bond may keep them on, and nothing is said of those.",
    matters: "A sensor that ignores its Client Characteristic Configuration spends power on values nobody reads, and "
      + "keeps sending to apps that have stopped listening.",
    advice: "Report it to the sensor's maker: the configuration is each client's own, and 0 for a client that is not "
      + "bonded.",
    reference: "Core 6.0, Vol 3, Part G, 3.3.3.3",
    explainedBy: ["cccd-invalid"],
    parameters: [grace],
    examples: [
      .finds("nobody writes the configuration", after: .discovered, [.repeated(["00 48"], times: 5)]),
      .finds(
        "the configuration is written too late",
        after: .discovered,
        [.repeated(["00 48"], times: 5), .sent("12 11 00 01 00"), .received("13"), .repeated(["00 48"], times: 5)]),
      .finds(
        "they go on after they were switched off",
        [
          .repeated(["00 48"], times: 3), .sent("12 11 00 00 00"), .received("13"),
          .repeated(["00 48"], times: 10),
        ]),
      .finds(
        "although switching them on was refused", after: .discovered,
        [.sent("12 11 00 01 00"), .received("01 12 11 00 03"), .repeated(["00 48"], times: 10)]),
      .quiet(
        "a configuration is where an earlier connection had a service's declaration", after: .nothing,
        [
          .connect, .sent("04 11 00 11 00"), .received("05 01 11 00 00 28"), .disconnect(0x13), .connect,
          .sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 10 10 00 37 2a"), .sent("12 11 00 01 00"),
          .received("13"), .values(["00 48", "00 48", "00 49", "00 48", "00 47", "00 48"]),
        ]),
      .quiet(
        "they are switched on once more, which is refused",
        [.sent("12 11 00 01 00"), .received("01 12 11 00 0e"), .repeated(["00 48"], times: 10)]),
      .finds(
        "only another characteristic's are switched on, whose configuration was not discovered", after: .discovered,
        batteryService + [.sent("12 17 00 01 00"), .received("13"), .repeated(["00 48"], times: 5)]),
      .finds(
        "what is switched on lies in another service", after: .discovered,
        [
          .sent("10 14 00 ff ff 00 28"), .received("11 06 14 00 20 00 0f 18"), .sent("12 18 00 01 00"), .received("13"),
          .repeated(["00 48"], times: 5),
        ]),
      .quiet(
        "what is switched on lies in no service that is known", after: .discovered,
        [.sent("12 20 00 01 00"), .received("13"), .repeated(["00 48"], times: 5)]),
      .finds(
        "only indications were switched on", after: .discovered,
        [.sent("12 11 00 02 00"), .received("13"), .repeated(["00 48"], times: 5)]),
      .finds(
        "notifications go on after indications were chosen",
        [.sent("12 11 00 02 00"), .received("13"), .repeated(["00 48"], times: 8)]),
      .quiet(
        "indications were to be chosen, which was refused",
        [.sent("12 11 00 02 00"), .received("01 12 11 00 03"), .repeated(["00 48"], times: 8)]),
      .quiet(
        "indications were chosen, and come",
        [
          .repeated(["00 48"], times: 3), .sent("12 11 00 02 00"), .received("13"), .wait(3),
          .received("1d 10 00 00 48"), .sent("1e"), .wait(3), .received("1d 10 00 00 49"), .sent("1e"),
        ]),
      .quiet(
        "only indications were switched on, and it is indicated", after: .discovered,
        [
          .sent("12 11 00 02 00"), .received("13"), .received("1d 10 00 00 48"), .sent("1e"),
          .received("1d 10 00 00 49"), .sent("1e"),
        ]),
      .finds(
        "they were switched off before they were ever on, which is told once", after: .discovered,
        [.sent("12 11 00 00 00"), .received("13"), .repeated(["00 48"], times: 10)]),
      .quiet(
        "a bond may keep them on", after: .discovered,
        [.event(0x08, "00 40 00 01"), .repeated(["00 48"], times: 5)]),
      .quiet("notifications are switched on", [.repeated(["00 48"], times: 5)]),
      .quiet(
        "the first value comes before the answer", after: .discovered,
        [.sent("12 11 00 01 00"), .values(["00 48"]), .received("13"), .values(["00 48"])]),
      .quiet(
        "one more value after they were switched off",
        [.values(["00 48"]), .sent("12 11 00 00 00"), .received("13"), .values(["00 48"], every: 0.1)]),
      .quiet(
        "they are switched on with a command", after: .discovered,
        [.sent("52 11 00 01 00"), .values(["00 48", "00 49"])]
      ),
      .quiet(
        "they are switched on with a signed command", after: .discovered,
        [.sent("d2 11 00 01 00 00 00 00 00 11 22 33 44 55 66 77 88"), .values(["00 48", "00 49"])]
      ),
      .quiet(
        "both ends are sensors, and the other one's are switched off",
        localSensor + [
          .repeated(["00 48"], times: 3), .received("12 11 00 00 00"), .sent("13"), .repeated(["00 48"], times: 8),
        ]),
      .quiet(
        "of two services, the other one's are switched off",
        secondService + [
          .sent("12 17 00 01 00"), .received("13"), .repeated(["00 48"], times: 3), .sent("12 17 00 00 00"),
          .received("13"), .repeated(["00 48"], times: 8),
        ]),
      .quiet(
        "of two services, the other one's indications are chosen",
        secondService + [
          .sent("12 17 00 01 00"), .received("13"), .repeated(["00 48"], times: 3), .sent("12 17 00 02 00"),
          .received("13"), .repeated(["00 48"], times: 8),
        ]),
      .quiet(
        "of two services, one is switched off, and the other one's follow",
        secondService + [
          .sent("12 17 00 01 00"), .received("13"), .repeated(["00 48"], times: 3), .sent("12 11 00 00 00"),
          .received("13"), .wait(4),
        ] + .times(8, [.wait(1), .received("1b 16 00 00 48")])),
      .finds(
        "of two services, one goes on after it was switched off, and the other one's follow",
        secondService + [
          .sent("12 17 00 01 00"), .received("13"), .repeated(["00 48"], times: 3), .sent("12 11 00 00 00"),
          .received("13"), .repeated(["00 48"], times: 5), .wait(4),
        ] + .times(8, [.wait(1), .received("1b 16 00 00 48")])),
      .quiet(
        "the beginning is not in the capture", after: .nothing,
        [
          .sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 10 10 00 37 2a"),
          .repeated(["00 48"], times: 5),
        ]),
    ])
  /// The local host has the same service as the peer, and its measurements are switched on as well.
  static let localSensor: [ExampleStep] = [
    .received("10 01 00 ff ff 00 28"), .sent("11 06 0e 00 13 00 0d 18"), .received("08 0e 00 13 00 03 28"),
    .sent("09 07 0f 00 10 10 00 37 2a"), .received("12 11 00 01 00"), .sent("13"),
  ]

  /// The peer has a second measurement, 0x0016, with its configuration, 0x0017.
  static let secondService: [ExampleStep] = [
    .sent("08 14 00 17 00 03 28"), .received("09 07 15 00 10 16 00 37 2a"),
  ]

  /// The peer has a battery service with its level, 0x0016; what lies behind that is not discovered.
  static let batteryService: [ExampleStep] = [
    .sent("10 14 00 ff ff 00 28"), .received("11 06 14 00 17 00 0f 18"),
    .sent("08 14 00 17 00 03 28"), .received("09 07 15 00 12 16 00 19 2a"),
  ]

  static let events = EventSelection([.subscribed, .unsubscribed])
  static let dialogue: DialogueTraits = [.write, .heartRate, .unpaired]
  static let traits: MeasurementTraits = .first

  private let grace: Double
  private var wasAsked = BothServers(false)
  private var hasAskedForIndications = false
  /// Whether any of what was asked may have been granted.
  private var wasGranted = BothServers(false)
  private var unasked: Start?
  private var switchedOff: Start?
  /// What holds on if the last request to switch notifications on is refused, and what is to be told if it is not.
  private var former: (unasked: Start?, switchedOff: Start?, excess: Excess?)?

  /// From where measurements are too many.
  private struct Start {
    let moment: Moment
    /// The ordinal of the first that is too many.
    let ordinal: Int
    /// Where they come from; nil if that does not matter.
    var handle: UInt16?
    /// Whether indications were chosen there instead.
    var isChoice = false
  }

  /// Measurements that are too many.
  private struct Excess {
    let message: String
    let span: RecordSpan
  }

  init(_ settings: RuleSettings) {
    grace = settings.value(Self.grace, of: Self.self)
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.first), scene.isWhole, let server = scene.series.server, !wasAsked[server] else {
      return
    }
    unasked = Start(moment: scene.moment, ordinal: measurement.ordinal)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .dialogue(.pdu(let pdu)) where pdu.opcode == .handleValueIndication:
      // It was asked for, in the way it comes.
      if hasAskedForIndications, pdu.attribute?.uuid == .heartRateMeasurement {
        (unasked, wasAsked[pdu.direction.server], switchedOff) = (nil, true, nil)
      }
    case .dialogue(.pdu(let pdu)) where pdu.maySwitchOnMeasurements && !pdu.maySwitchOnNotifications:
      hasAskedForIndications = true
    case .dialogue(.pdu(let pdu)) where pdu.maySwitchOnNotifications:
      let server = pdu.askedServer
      (wasGranted[server], wasAsked[server]) = (wasGranted[server] || wasAsked[server], true)
      guard scene.series.isOf(server) else { return }
      tellFormer(&scene)
      former = (unasked, switchedOff, excess(scene, asked: scene.moment))
      (unasked, switchedOff) = (nil, nil)
    case .dialogue(.pdu(let pdu)) where pdu.error != nil:
      // A request that was refused has switched nothing on, or off.
      guard case .response(let asked?) = scene.dialogue.step, asked.pdu.maySwitchOnNotifications else { return }
      let server = asked.pdu.askedServer
      if !wasGranted[server] { wasAsked[server] = false }
      guard scene.series.isOf(server), let former else { return }
      (unasked, switchedOff, self.former) = (unasked ?? former.unasked, switchedOff ?? former.switchedOff, nil)
    case .dialogue(.pdu(let pdu)) where pdu.grantsWrite:
      guard case .response(let asked) = scene.dialogue.step else { return }
      if asked?.pdu.maySwitchOnNotifications ?? true, scene.series.isOf(pdu.direction.server) { tellFormer(&scene) }
      // What it answers is not in the capture: that may have been it.
      if asked == nil { (unasked, wasAsked[pdu.direction.server], switchedOff) = (nil, true, nil) }
    case .subscribed(let subscription)
    where wasAsked[subscription.server] && !subscription.configuration.contains(.notification):
      switchOff(subscription, isChoice: true, scene)
    case .unsubscribed(let subscription): switchOff(subscription, isChoice: false, scene)
    default: break
    }
  }

  private mutating func switchOff(_ subscription: SubscriptionEvent, isChoice: Bool, _ scene: RuleScene) {
    guard scene.switchesOff(subscription), scene.isSameTable, !scene.mayAnswerAnother else { return }
    switchedOff = Start(
      moment: scene.moment, ordinal: scene.series.count, handle: subscription.valueHandle, isChoice: isChoice)
  }

  mutating func finish(_ scene: inout RuleScene) {
    tellFormer(&scene)
    if let excess = excess(scene, asked: nil) { tell(excess, &scene) }
  }

  /// What came before the last request was too many, whatever comes of that.
  private mutating func tellFormer(_ scene: inout RuleScene) {
    if let excess = former?.excess { tell(excess, &scene) }
    former = nil
  }

  private func tell(_ excess: Excess, _ scene: inout RuleScene) {
    scene.report(Self.self, excess.message, over: excess.span)
  }

  /// What was too many by now.
  /// - Parameter asked: Where notifications are asked for now; nil where nobody does any more.
  private func excess(_ scene: RuleScene, asked: Moment?) -> Excess? {
    guard let measurement = scene.series.current else { return nil }
    if let unasked {
      // Who never switched them on has switched nothing off.
      guard !scene.encryption.mayBeOn, !scene.hasLost else { return nil }
      return excess(unasked, measurement, scene) {
        let end = asked.map { "before anybody asked for them (\(frameWords($0)))" }
        return "\($0.map { " within \($0)" } ?? ""), \(end ?? "and nobody switched notifications on")"
      }
    }
    // What comes from another handle was not switched off; behind a loss, they may be on again.
    guard let switchedOff, !scene.hasLost(since: switchedOff.moment),
      let stretch = scene.series.stretch(on: switchedOff.handle),
      scene.seconds(from: switchedOff.moment, to: stretch.last.moment) > grace
    else { return nil }
    let what = switchedOff.isChoice ? "indications were chosen instead" : "notifications were switched off"
    return excess(switchedOff, stretch.last, since: stretch.first, scene) {
      "\($0.map { ", the last one \($0)" } ?? "") after \(what)"
    }
  }

  /// - Parameters:
  ///   - last: The last one that is too many.
  ///   - first: The ordinal of the first that may be counted.
  ///   - words: What is said of them, with how long the last one came after the start; nil where that is no time.
  private func excess(
    _ start: Start, _ measurement: ObservedMeasurement, since first: Int = 0, _ scene: RuleScene,
    words: (String?) -> String
  ) -> Excess? {
    let count = measurement.ordinal &- max(start.ordinal, first) &+ 1
    guard count > 0 else { return nil }
    let number = count == 1 ? "one measurement came" : "\(count) measurements came"
    let last = measurement.moment
    // The only one takes no time.
    let hasSpan = scene.hasTimes && start.moment.frame != last.frame
    let words = words(hasSpan ? seconds(scene.seconds(from: start.moment, to: last)) : nil)
    return Excess(message: number + words, span: RecordSpan(from: start.moment, to: last, count: count))
  }
}

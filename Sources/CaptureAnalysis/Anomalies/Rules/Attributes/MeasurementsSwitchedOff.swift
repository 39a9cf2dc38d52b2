/// Measurements came, and somebody switched them off for good.
struct MeasurementsSwitchedOff: AnomalyRule {
  static let least = RuleParameter("least", 10, in: 1...3600, "how long they stay off, in seconds")

  static let about = RuleDescription(
    "measurements-switched-off", .info,
    finds: "The measurement's notifications are switched off, and not on again in the ten seconds or more that the "
      + "connection then lasts.",
    matters: "No heart rate comes any more, though the sensor is still connected. The sensor does as it was told.",
    advice: "See which app did it, and why. A phone has one configuration of the sensor for all its apps: one that has "
      + "done with it may switch off what another still wants.",
    reference: "Core 6.0, Vol 3, Part G, 3.3.3.3",
    belongsInHead: true,
    parameters: [least],
    examples: [
      .finds(
        "long before the connection ends",
        [.repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(30), .disconnect(0x16)]),
      .finds(
        "long before the capture ends",
        [.repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(30), .event(0x0F, "00 01 00 00")]),
      .quiet(
        "they are switched on again",
        [
          .repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(20), .sent("12 11 00 01 00"),
          .received("13"), .wait(1), .repeated(["00 48"], times: 5), .disconnect(0x16),
        ]),
      .quiet(
        "they are to be on again, and the answer is missing",
        [
          .repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(10), .sent("12 11 00 01 00"), .wait(20),
          .disconnect(0x16),
        ]),
      .quiet(
        "the table changes then",
        [.repeated(["00 48"], times: 10), .sent(off), .received("13")] + .tableChanged + [.wait(30), .disconnect(0x16)]),
      .quiet(
        "just before the connection ends",
        [.repeated(["00 48"], times: 10), .sent(off), .received("13"), .wait(2), .disconnect(0x16)]),
      .quiet("none ever came", [.sent(off), .received("13"), .wait(30), .disconnect(0x16)]),
      .quiet(
        "that is refused",
        [
          .repeated(["00 48"], times: 10), .sent(off), .received("01 12 11 00 05"), .repeated(["00 48"], times: 20),
          .disconnect(0x16),
        ]),
    ])
  private static let off = "12 11 00 00 00"
  static let events = EventSelection([.subscribed, .unsubscribed])
  static let dialogue: DialogueTraits = [.write, .tableChange]

  private let least: Double
  private var off: (moment: Moment, server: ServerSide)?

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .unsubscribed(let subscription) where scene.switchesOff(subscription) && scene.series.current != nil:
      off = off ?? (event.moment, subscription.server)
    case .subscribed(let subscription) where scene.switchesOn(subscription): off = nil
    // What is asked for is another matter, and so is what has moved.
    case .dialogue(.pdu(let pdu)) where pdu.maySwitchOnMeasurements || scene.lastTableChange == scene.moment: off = nil
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let (start, server) = off, !scene.hasLost(since: start), let last = scene.series.current else { return }
    // What was on its way may still come.
    guard scene.seconds(from: start, to: last.moment) < NotificationWithoutSubscription.grace.value else { return }
    let length = scene.seconds(since: start)
    guard length >= least else { return }
    scene.report(
      Self.self,
      "\(server == .peer ? "the local host" : "the peer") switched the measurements off, and nobody switched them on again "
        + "in the \(seconds(length)) that follow", from: start, to: scene.moment)
  }
}

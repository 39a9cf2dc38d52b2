import BluetoothHost

/// A request for other connection parameters that was refused.
struct ParameterUpdateRejected: AnomalyRule {
  static let harmless = RuleParameter(
    "harmless", 60, in: 1...86_400,
    "how long the connection must go on after a single refusal for it to be only worth knowing, in seconds")

  static let about = RuleDescription(
    "parameter-update-rejected", .warning,
    finds:
      "A request for other connection parameters that was refused. Info if a later one was accepted, or if the "
      + "connection went on for a minute or more and who had asked neither asked again nor ended it.",
    matters: "The sensor goes on with parameters that cost it power, or hangs up after a while.",
    advice: "See what it asked for, and let the host accept it, or the sensor ask for something else.",
    reference: "Core 6.0, Vol 3, Part A, 4.21",
    explainedBy: ["parameters-illegal"],
    parameters: [harmless],
    examples: [
      .finds("the host refuses", [.parametersAsked, .parametersRefused]),
      .finds(
        "twice, which is told once",
        [
          .parametersAsked, .parametersRefused, .wait(30),
          .signalReceived("12 02 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 02 02 00 01 00"),
        ]),
      .finds(
        "one thing, and then another",
        [
          .signalReceived("12 01 08 00 18 00 28 00 00 00 58 02"), .parametersRefused, .wait(30),
          .signalReceived("12 02 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 02 02 00 01 00"),
        ]),
      .finds("over the link layer", [.event(0x3E, "06 40 00 fa 00 90 01 00 00 58 02"), .command(0x2021, "40 00 3b")]),
      .finds("the host does not know the request", [.parametersAsked, .signalSent("01 01 02 00 00 00")]),
      .finds(
        "the sensor stays, and never asks again, which is only mentioned",
        [.parametersAsked, .parametersRefused, .repeated(["16 48 e8 03"], times: 90), .disconnect(0x16)]),
      .quiet("the host accepts", [.parametersAsked, .parametersGranted]),
      .quiet("nobody answers", [.parametersAsked, .wait(40)]),
    ])
  /// The traffic is told when the connection or the capture ends: what went on has done so until then.
  static let events: EventSelection = [.traffic, EventSelection([.parameterRequest, .disconnected])]

  private let harmless: Double
  /// What the peer had refused, and what the local host had.
  private var peers = Refusals(isFromPeer: true)
  private var hosts = Refusals(isFromPeer: false)

  /// What one end asked for, and the other one refused.
  private struct Refusals {
    let isFromPeer: Bool
    private(set) var span: RecordSpan?
    private(set) var wanted = WantedParameters()
    private(set) var isAcceptedLater = false
    /// Whether who had asked did so again, or ended the connection.
    private(set) var isMissed = false

    mutating func note(_ request: ParameterRequestEvent, _ moment: Moment) {
      guard request.isFromPeer == isFromPeer else { return }
      switch request.step {
      case .asked: if span != nil { isMissed = true }
      case .accepted: isAcceptedLater = true
      case .refused:
        span.extend(to: moment)
        wanted.add(request.request)
        isAcceptedLater = false
      }
    }

    mutating func note(_ end: DisconnectedEvent) {
      if isFromPeer ? end.isByPeer : end.isByHost { isMissed = true }
      if end.reason == .unacceptableConnectionParameters { isMissed = true }
    }

    init(isFromPeer: Bool) { self.isFromPeer = isFromPeer }
  }

  init(_ settings: RuleSettings) {
    harmless = settings.value(Self.harmless, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .parameterRequest(let request) where !request.isStray:
      peers.note(request, event.moment)
      hosts.note(request, event.moment)
    case .disconnected(let end):
      peers.note(end)
      hosts.note(end)
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    report(peers, "the local host", "the peer", &scene)
    report(hosts, "the peer", "the local host", &scene)
  }

  private func report(_ refused: Refusals, _ refuser: String, _ asker: String, _ scene: inout RuleScene) {
    guard let span = refused.span else { return }
    let what = refused.wanted.isEmpty ? ", which the capture does not show" : ": \(refused.wanted.list)"
    let often = span.count > 1 ? " \(times(span.count))" : ""
    let length = scene.seconds(since: span.last)
    let isHarmless = !refused.isMissed && length >= harmless
    let later =
      refused.isAcceptedLater
      ? "; a later request was accepted"
      : isHarmless ? "; the connection went on all the same, for \(seconds(length))" : ""
    scene.report(
      Self.self, "\(refuser) refused\(often) what \(asker) asked for\(what)\(later)",
      severity: refused.isAcceptedLater || isHarmless ? .info : nil, over: span)
  }
}

import BluetoothHost

/// A request for other connection parameters that was refused.
struct ParameterUpdateRejected: AnomalyRule {
  static let about = RuleDescription(
    "parameter-update-rejected", .warning,
    finds:
      "A request for other connection parameters that was refused; worth knowing only if a later one was accepted.",
    matters: "The sensor goes on with parameters that cost it power, or hangs up after a while.",
    advice: "See what it asked for, and let the host accept it, or the sensor ask for something else.",
    reference: "Core 6.0, Vol 3, Part A, 4.21",
    explainedBy: ["parameters-illegal"],
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
      .quiet("the host accepts", [.parametersAsked, .parametersGranted]),
      .quiet("nobody answers", [.parametersAsked, .wait(40)]),
    ])
  static let events = EventSelection([.parameterRequest])

  private var refusals: RecordSpan?
  private var wanted = WantedParameters()
  private var isFromPeer = true
  private var isAcceptedLater = false

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .parameterRequest(let request) = event.content, !request.isStray else { return }
    switch request.step {
    case .asked: break
    case .accepted: if request.isFromPeer == isFromPeer { isAcceptedLater = true }
    case .refused:
      refusals.extend(to: event.moment)
      wanted.add(request.request)
      isFromPeer = request.isFromPeer
      isAcceptedLater = false
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let refusals else { return }
    let ends = isFromPeer ? ("the local host", "the peer") : ("the peer", "the local host")
    let what = wanted.isEmpty ? ", which the capture does not show" : ": \(wanted.list)"
    let often = refusals.count > 1 ? " \(times(refusals.count))" : ""
    let later = isAcceptedLater ? "; a later request was accepted" : ""
    scene.report(
      Self.self, "\(ends.0) refused\(often) what \(ends.1) asked for\(what)\(later)",
      severity: isAcceptedLater ? .info : nil, over: refusals)
  }
}

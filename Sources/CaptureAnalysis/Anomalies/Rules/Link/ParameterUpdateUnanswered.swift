import BluetoothHost

/// A request for other connection parameters that nobody answers.
struct ParameterUpdateUnanswered: AnomalyRule {
  static let patience = RuleParameter("patience", 30, in: 1...3600, "how long the answer may take, in seconds")

  static let about = RuleDescription(
    "parameter-update-unanswered", .warning,
    finds: "A request for other connection parameters that was not answered within 30 s.",
    matters: "The sensor cannot tell whether it was heard; some hang up.",
    advice: "The host has to answer every such request, be it with a refusal.",
    reference: "Core 6.0, Vol 3, Part C, 9.3.9",
    parameters: [patience],
    examples: [
      .finds("nobody answers", [.parametersAsked, .repeated(["16 48 e8 03"], times: 40)]),
      .finds("the answer comes late", [.parametersAsked, .wait(35), .parametersGranted]),
      .finds(
        "the answer has another identifier, and is none",
        [.parametersAsked, .signalSent("13 07 02 00 00 00"), .repeated(["16 48 e8 03"], times: 40)]),
      .quiet("it is refused", [.parametersAsked, .parametersRefused, .wait(40), .values(["16 48"])]),
      .quiet(
        "the parameters change, which is an answer too",
        [.parametersAsked, .wait(1), .event(0x3E, "03 00 40 00 90 01 00 00 58 02"), .wait(40), .values(["16 48"])]),
      .quiet("the capture ends before", [.parametersAsked, .wait(29), .values(["16 48"])]),
      .quiet("the connection ends before", [.parametersAsked, .wait(20), .disconnect(0x13), .wait(60), .connect]),
      .quiet(
        "it is rejected, and the reason is cut",
        [.parametersAsked, .keepingACL(14), .signalSent("01 01 02 00 00 00"), .wait(40), .values(["16 48"])]),
      .quiet(
        "request and answer are cut",
        [.keepingACL(14), .parametersAsked, .parametersGranted, .wait(40), .values(["16 48"])]),
    ])
  /// The traffic is told when the connection or the capture ends: whoever waits then has waited until then.
  static let events: EventSelection = [.traffic, EventSelection([.parameterRequest, .parameters])]

  private let patience: Double
  /// The first one that waits, and how often it was asked since.
  private var pending: (moment: Moment, request: ParameterRequestEvent, count: Int)?
  /// Those that were never answered, and the first of them.
  private var unanswered: RecordSpan?
  private var first: ParameterRequestEvent?
  private var wanted = WantedParameters()
  /// Answers whose identifier is no request's.
  private var strays = 0

  init(_ settings: RuleSettings) {
    patience = settings.value(Self.patience, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    lookBack(scene)
    switch event.content {
    case .parameterRequest(let request) where request.step == .asked:
      if pending == nil {
        pending = (event.moment, request, 1)
      } else if pending?.request.isFromPeer == request.isFromPeer {
        pending?.count += 1
      }
    case .parameterRequest(let answer) where answer.isStray: strays &+= 1
    case .parameterRequest(let answer):
      if answer.isFromPeer == pending?.request.isFromPeer { pending = nil }
    case .parameters: pending = nil
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let unanswered, let first else { return }
    let who = first.isFromPeer ? "the peer asked for" : "the local host asked for"
    let often = unanswered.count > 1 ? " \(times(unanswered.count))" : ""
    let all = wanted.each
    let list = wanted.isEmpty ? "" : " (\(wanted.list))"
    let what = all.count == 1 ? all[0] + often : "other connection parameters" + often + list
    let stray = strays > 0 ? "; an answer came with another identifier" : ""
    scene.report(
      Self.self, "\(who) \(what) and had no answer within \(seconds(patience))\(stray)",
      over: unanswered)
  }

  /// Whether a request has waited too long by now.
  private mutating func lookBack(_ scene: RuleScene) {
    guard let waiting = pending else { return }
    // The answer may be among what was lost.
    if scene.hasLost(since: waiting.moment) { pending = nil }
    guard pending != nil, scene.seconds(since: waiting.moment) >= patience else { return }
    first = first ?? waiting.request
    wanted.add(waiting.request.request)
    unanswered.extend(to: waiting.moment, count: waiting.count)
    pending = nil
  }
}

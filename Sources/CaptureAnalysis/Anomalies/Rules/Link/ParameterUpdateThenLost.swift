import BluetoothHost
import GATTKit

/// A peer that does not get the connection parameters it asked for, and is gone soon after.
struct ParameterUpdateThenLost: AnomalyRule {
  static let within = RuleParameter(
    "within", 60, in: 1...3600, "how soon after the request the end must come, in seconds")
  static let patience = RuleParameter(
    "patience", 5, in: 0...3600, "how long a request must have waited for an answer, in seconds")

  static let about = RuleDescription(
    "parameter-update-then-lost", .error,
    finds:
      "A connection that the peer ends, or that is lost, soon after its request for other connection parameters was "
      + "refused, left without an answer, or granted and not carried out. Only what it asked for carries it out, and the "
      + "nearest that the host can do, unless the reason is 0x3B. Only with that reason it is an error; with another, a "
      + "warning.",
    matters: "Sensors hang up when they do not get what they asked for: a Polar H7 asks for 312.5 ms to 500 ms after "
      + "30 s and is gone soon after a refusal.",
    advice:
      "Let the host accept the request. Only reason 0x3B says for certain that this was the cause; after 0x13 and "
      + "0x08 it is a suspicion, and a warning.",
    reference: "Core 6.0, Vol 3, Part A, 4.21",
    explainedBy: ["parameter-update-failed", "parameter-update-rejected", "parameter-update-unanswered"],
    tellsEnd: true,
    parameters: [within, patience],
    examples: [
      .finds("refused, and ended with 0x3B", [.parametersAsked, .parametersRefused, .wait(20), .disconnect(0x3B)]),
      .finds("unanswered, and the sensor hangs up", [.parametersAsked, .wait(29), .disconnect(0x13)]),
      .finds(
        "granted, and not carried out",
        [
          .parametersAsked, .parametersGranted, .wait(1),
          .event(0x3E, "03 3b 40 00 0c 00 00 00 48 00"), .wait(20), .disconnect(0x13),
        ]),
      .quiet(
        "granted, not carried out at first, and then it is",
        [
          .parametersAsked, .parametersGranted, .wait(1), .event(0x3E, "03 23 40 00 0c 00 00 00 48 00"), .wait(1),
          .event(0x3E, "03 00 40 00 90 01 00 00 58 02"), .wait(20), .disconnect(0x13),
        ]),
      .quiet(
        "the local host wanted others, and did not get them",
        [.event(0x3E, "03 3b 40 00 0c 00 00 00 48 00"), .wait(20), .disconnect(0x13)]),
      .finds(
        "granted, and never heard of again", [.parametersAsked, .parametersGranted, .wait(20), .disconnect(0x13)]),
      .finds(
        "granted, and the controller refuses to change them",
        [
          .parametersAsked, .parametersGranted, .parametersCommanded, .event(0x0F, "0c 01 13 20"), .wait(20),
          .disconnect(0x3B),
        ]),
      .quiet(
        "accepted and carried out, and the sensor hangs up",
        [
          .parametersAsked, .parametersGranted, .wait(1),
          .event(0x3E, "03 00 40 00 90 01 00 00 58 02"), .wait(20), .disconnect(0x13),
        ]),
      .quiet(
        "accepted, and the link is lost before it could be carried out",
        [.parametersAsked, .parametersGranted, .wait(2), .disconnect(0x08)]),
      .quiet(
        "refused at first, accepted then",
        [
          .signalReceived("12 01 08 00 06 00 06 00 00 00 58 02"), .parametersRefused, .wait(5),
          .signalReceived("12 02 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 02 02 00 00 00"), .wait(1),
          .event(0x3E, "03 00 40 00 90 01 00 00 58 02"), .wait(20), .disconnect(0x13),
        ]),
      .finds(
        "granted, and others come",
        [
          .parametersAsked, .parametersGranted, .wait(1), .event(0x3E, "03 00 40 00 06 00 00 00 48 00"), .wait(20),
          .disconnect(0x13),
        ]),
      .finds(
        "granted, others come, and it ends at once with 0x3B",
        [
          .parametersAsked, .parametersGranted, .wait(1), .event(0x3E, "03 00 40 00 f0 00 00 00 58 02"), .wait(1),
          .disconnect(0x3B),
        ]),
      .finds(
        "granted, with another timeout, and ended with 0x3B",
        [
          .parametersAsked, .parametersGranted, .wait(1), .event(0x3E, "03 00 40 00 90 01 00 00 48 00"), .wait(20),
          .disconnect(0x3B),
        ]),
      .finds(
        "refused, others come, and the sensor hangs up",
        [
          .parametersAsked, .parametersRefused, .wait(1), .event(0x3E, "03 00 40 00 06 00 00 00 48 00"), .wait(20),
          .disconnect(0x13),
        ]),
      .quiet(
        "granted, and the nearest to it that the host can do comes",
        [
          .parametersAsked, .parametersGranted, .wait(1), .event(0x3E, "03 00 40 00 f0 00 00 00 58 02"), .wait(20),
          .disconnect(0x13),
        ]),
      .quiet(
        "granted, others come that were on their way, and then it is done",
        [
          .parametersAsked, .parametersGranted, .event(0x3E, "03 00 40 00 06 00 00 00 48 00"), .wait(1),
          .event(0x3E, "03 00 40 00 90 01 00 00 58 02"), .wait(20), .disconnect(0x3B),
        ]),
      .quiet("the local host ends it", [.parametersAsked, .parametersRefused, .wait(20), .disconnect(0x16)]),
      .quiet("a long time after", [.parametersAsked, .parametersRefused, .wait(100), .disconnect(0x13)]),
      .quiet("no time to answer", [.parametersAsked, .wait(0.1), .disconnect(0x13)]),
    ])
  static let events = EventSelection([.command, .parameterRequest, .parameters, .disconnected])

  private let within: Double
  private let patience: Double
  /// From when on `ParameterUpdateUnanswered` tells of a request.
  private let answerPatience: Double
  /// The request that was not met, and what became of it.
  private var unmet: Unmet?
  /// The one that was granted, until it is known what became of it.
  private var granted: AwaitedUpdate?

  private enum Fate { case unanswered, refused, failed, undone }

  private struct Unmet {
    let moment: Moment
    /// When it was asked for last.
    var last: Moment
    let request: ConnectionParameterRequest?
    let fate: Fate
    /// What held then.
    let held: ConnectionParameters?

    /// Whether other parameters are what it asks for after all, or the nearest to it.
    func isMet(by parameters: ConnectionParameters) -> Bool {
      guard let request, let held else { return true }
      return request.isNearly(parameters, from: held)
    }
  }

  init(_ settings: RuleSettings) {
    within = settings.value(Self.within, of: Self.self)
    patience = settings.value(Self.patience, of: Self.self)
    answerPatience = settings.value(ParameterUpdateUnanswered.patience, of: ParameterUpdateUnanswered.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .parameterRequest(let request) where request.isFromPeer && !request.isStray:
      switch request.step {
      case .asked:
        let first = unmet?.fate == .unanswered ? unmet?.moment : nil
        miss(request.request, .unanswered, since: first, scene)
      case .accepted: (unmet, granted) = (nil, AwaitedUpdate(request, scene))
      case .refused: miss(request.request ?? unmet?.request, .refused, scene)
      }
    case .parameters(let change) where change.status == .success:
      if unmet?.isMet(by: change.parameters) == true { unmet = nil }
      if granted?.take(change.parameters) == true { granted = nil }
    case .parameters(let change): if !change.status.isOfConnectionsEnd { failGranted(scene) }
    case .command(let command):
      guard case .parameters(let request) = command.wish, granted?.isServed(by: request) != false else { return }
      granted?.go(to: command.step)
      if case .refused(let reason) = command.step, reason != .unknownConnectionIdentifier { failGranted(scene) }
    case .disconnected(let end): if !end.isByHost, let reason = end.reason { judge(reason, &scene) }
    default: break
    }
  }

  private mutating func miss(
    _ request: ConnectionParameterRequest?, _ fate: Fate, since first: Moment? = nil, _ scene: RuleScene
  ) {
    unmet = Unmet(
      moment: first ?? scene.moment, last: scene.moment, request: request, fate: fate, held: scene.parameters)
  }

  private mutating func failGranted(_ scene: RuleScene) {
    guard let granted else { return }
    miss(granted.request, .failed, scene)
    self.granted = nil
  }

  private mutating func judge(_ reason: HCIErrorCode, _ scene: inout RuleScene) {
    if let granted, granted.undone(patience: patience, until: reason, scene) != nil {
      unmet = Unmet(
        moment: granted.since, last: granted.since, request: granted.request, fate: .undone, held: scene.parameters)
    }
    guard let unmet, Self.ends.contains(reason) else { return }
    let passed = scene.seconds(since: unmet.last)
    let isKnown =
      unmet.fate != .unanswered || scene.seconds(since: unmet.moment) >= patience && !scene.hasLost(since: unmet.moment)
    guard passed <= within, isKnown else { return }
    let (code, later) = ("0x" + reason.rawValue.hexadecimal, seconds(max(0, passed)))
    // What says so itself is a consequence. Of what does not, that one came before the other is all that is certain.
    let isSaid = reason == .unacceptableConnectionParameters
    let event = words(unmet, until: reason, scene)
    scene.report(
      Self.self,
      reason == .remoteUserTerminatedConnection
        ? "the peer ended the connection (\(code)) \(later) after it \(event): it may have left for that"
        : "the connection ended (\(code)) \(later) after the peer \(event)"
          + (isSaid ? "" : ": it may have left for that"),
      severity: isSaid ? nil : .warning, from: unmet.moment, to: scene.moment)
  }

  /// What became of its request. Which parameters it wanted is said here only where no other rule tells of that.
  private func words(_ unmet: Unmet, until reason: HCIErrorCode, _ scene: RuleScene) -> String {
    let isTold =
      switch unmet.fate {
      case .refused, .failed: true
      case .undone: granted?.undone(patience: ParameterUpdateFailed.patienceBeforeEnd, until: reason, scene) != nil
      case .unanswered: scene.seconds(since: unmet.moment) >= answerPatience
      }
    let wanted = isTold ? nil : unmet.request.map { " (\($0.phrase))" }
    let parameters = "other parameters\(wanted ?? "")"
    return switch unmet.fate {
    case .refused: "was refused \(parameters)"
    case .failed: "was granted \(parameters), and the change failed"
    case .undone: "was granted \(parameters), and \(granted?.others == nil ? "they never came" : "others came")"
    case .unanswered: "asked for \(parameters) in vain"
    }
  }

  private static let ends: [HCIErrorCode] = [
    .connectionTimeout, .remoteUserTerminatedConnection, .unacceptableConnectionParameters,
  ]
}

import BluetoothHost
import CaptureFiles
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
      + "refused or left without an answer.",
    matters: "Sensors hang up when they do not get what they asked for: a Polar H7 asks for 312.5 ms to 500 ms after "
      + "30 s and is gone soon after a refusal.",
    advice:
      "Let the host accept the request. Only reason 0x3B says for certain that this was the cause; after 0x13 and "
      + "0x08 it is a suspicion, and a warning.",
    reference: "Core 6.0, Vol 3, Part A, 4.21",
    explainedBy: ["parameter-update-rejected", "parameter-update-unanswered"], tellsEnd: true,
    parameters: [within, patience],
    examples: [
      .finds(
        "refused, and ended with 0x3B",
        [
          .signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 01 02 00 01 00"), .wait(20),
          .disconnect(0x3B),
        ]),
      .finds(
        "unanswered, and the sensor hangs up",
        [.signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .wait(29), .disconnect(0x13)]),
      .quiet(
        "accepted, and the sensor hangs up",
        [
          .signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 01 02 00 00 00"), .wait(20),
          .disconnect(0x13),
        ]),
      .quiet(
        "refused at first, accepted then",
        [
          .signalReceived("12 01 08 00 06 00 06 00 00 00 58 02"), .signalSent("13 01 02 00 01 00"), .wait(5),
          .signalReceived("12 02 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 02 02 00 00 00"), .wait(20),
          .disconnect(0x13),
        ]),
      .quiet(
        "the local host ends it",
        [
          .signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 01 02 00 01 00"), .wait(20),
          .disconnect(0x16),
        ]),
      .quiet(
        "a long time after",
        [
          .signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 01 02 00 01 00"), .wait(100),
          .disconnect(0x13),
        ]),
      .quiet(
        "no time to answer",
        [.signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .wait(0.1), .disconnect(0x13)]),
    ])
  static let events: EventSelection = [.traffic, EventSelection([.parameterRequest, .parameters, .disconnected])]

  private let within: Double
  private let patience: Double
  /// The request that was not met, and whether it was refused.
  private var unmet: (moment: Moment, request: ConnectionParameterRequest?, isRefused: Bool)?

  init(_ settings: RuleSettings) {
    within = settings.value(Self.within, of: Self.self)
    patience = settings.value(Self.patience, of: Self.self)
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .parameterRequest(let request) where request.isFromPeer && !request.isStray:
      switch request.step {
      case .asked: if unmet?.isRefused != false { unmet = (event.moment, request.request, false) }
      case .accepted: unmet = nil
      case .refused: unmet = (event.moment, request.request ?? unmet?.request, true)
      }
    case .parameters(let change): if change.status == .success { unmet = nil }
    case .disconnected(let end): if let reason = end.reason { judge(reason, &scene) }
    default: break
    }
  }

  private func judge(_ reason: HCIErrorCode, _ scene: inout RuleScene) {
    guard let unmet, Self.ends.contains(reason) else { return }
    let passed = scene.seconds(since: unmet.moment)
    guard passed <= within, unmet.isRefused || passed >= patience && scene.traffic?.hasLosses != true else { return }
    let what = unmet.isRefused ? "the peer was refused" : "the peer asked for"
    let wanted = unmet.request.map { "the parameters that it wanted (\(words($0)))" } ?? "other parameters"
    let answer = unmet.isRefused ? "" : " and had no answer"
    let code = "0x" + reason.rawValue.hexadecimal
    scene.report(
      Self.self, "the connection ended (\(code)) \(seconds(max(0, passed))) after \(what) \(wanted)\(answer)",
      severity: reason == .unacceptableConnectionParameters ? nil : .warning, from: unmet.moment, to: scene.moment)
  }

  private static let ends: [HCIErrorCode] = [
    .connectionTimeout, .remoteUserTerminatedConnection, .unacceptableConnectionParameters,
  ]
}

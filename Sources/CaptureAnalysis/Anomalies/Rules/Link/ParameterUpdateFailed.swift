import BluetoothHost
import CaptureFiles
import GATTKit

/// Other connection parameters that the two controllers did not agree upon.
struct ParameterUpdateFailed: AnomalyRule {
  static let about = RuleDescription(
    "parameter-update-failed", .warning,
    finds: "The controller tells that a change of the connection parameters, which the local host asked for itself or "
      + "granted the peer, came to nothing; info if a later one succeeds.",
    matters: "Everything stays as it was, although one end, or both, count on the new parameters: a sensor that was "
      + "told yes goes on with an interval that costs it power, or hangs up.",
    advice:
      "0x3B and 0x20: the other controller does not take these values; ask for others, such as those that it prefers. "
      + "0x1A: it cannot be asked this way; let the peripheral ask over L2CAP. 0x0C, 0x23, 0x2A and 0x3A: something else "
      + "was under way; ask once more.",
    reference: "Core 6.0, Vol 4, Part E, 7.7.65.3",
    examples: [
      .finds(
        "what the sensor was granted is not done",
        [
          .signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 01 02 00 00 00"), .wait(1),
          .event(0x3E, "03 3b 40 00 0c 00 00 00 48 00"),
        ]),
      .finds("what the local host wants is not done", [.event(0x3E, "03 1a 40 00 0c 00 00 00 48 00")]),
      .finds(
        "again and again, which is told once",
        [
          .event(0x3E, "03 3b 40 00 0c 00 00 00 48 00"), .wait(5), .event(0x3E, "03 3b 40 00 0c 00 00 00 48 00"),
          .wait(5), .event(0x3E, "03 3b 40 00 0c 00 00 00 48 00"),
        ]),
      .finds(
        "a later change succeeds, and the first is only mentioned",
        [
          .event(0x3E, "03 2a 40 00 0c 00 00 00 48 00"), .wait(5), .event(0x3E, "03 00 40 00 18 00 00 00 58 02"),
        ]),
      .quiet("it is done", [.event(0x3E, "03 00 40 00 18 00 00 00 58 02")]),
      .quiet(
        "the connection ends before it is done",
        [.event(0x3E, "03 08 40 00 18 00 00 00 58 02"), .disconnect(0x08)]),
      .quiet(
        "the sensor is refused, which is another fault",
        [.signalReceived("12 01 08 00 fa 00 90 01 00 00 58 02"), .signalSent("13 01 02 00 01 00")]),
    ])
  static let events = EventSelection([.parameterRequest, .parameters])

  private var failures = RuleTallies<Failure>()
  /// What the peer was granted last, until it is known what became of it.
  private var granted: (moment: Moment, request: ConnectionParameterRequest?)?
  private var lastChange: Moment?

  /// In seconds: what is granted is done by then, however long the interval is.
  private static let patience = 30.0

  private struct Failure: Hashable {
    let status: HCIErrorCode
    let isGranted: Bool
  }

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .parameterRequest(let request) where request.isFromPeer && !request.isStray:
      granted = request.step == .accepted ? (event.moment, request.request) : nil
    case .parameters(let change) where change.status == .success:
      lastChange = event.moment
      granted = nil
    case .parameters(let change) where !change.isCutOff:
      if let since = granted?.moment, scene.seconds(since: since) > Self.patience { granted = nil }
      let message = words(change.status, scene)
      failures.note(Failure(status: change.status, isGranted: granted != nil), event.moment, message)
      granted = nil
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    failures.report(Self.self, &scene, madeGood: lastChange)
  }

  private func words(_ status: HCIErrorCode, _ scene: RuleScene) -> String {
    let wanted = granted?.request.map { " (\(CaptureAnalysis.words($0)))" } ?? ""
    let what =
      granted == nil
      ? "a change of the connection parameters failed"
      : "the local host granted the peer other parameters\(wanted), and the change failed"
    let meaning = AbnormalDisconnect.meanings[status.rawValue].map { ": \($0)" } ?? ""
    let kept = scene.parameters.map { ": \(CaptureAnalysis.words($0))" } ?? ""
    return "\(what) (\(CaptureAnalysis.words(status)))\(meaning); they stayed as they were\(kept)"
  }
}

extension ParametersEvent {
  /// Whether the change was cut off by the end of the connection, which is no fault of its own.
  var isCutOff: Bool { EncryptionFailed.ends.contains(status.rawValue) || status == .unknownConnectionIdentifier }
}

import BluetoothHost

/// Other connection parameters that the two controllers did not agree upon.
struct ParameterUpdateFailed: AnomalyRule {
  static let about = RuleDescription(
    "parameter-update-failed", .warning,
    finds: "A change of the connection parameters, which the local host asked for itself or one end granted the other, "
      + "came to nothing: the controller tells so, or refuses to try, or nothing is heard of it any more in ten seconds "
      + "to the end of the connection, or in thirty, or what comes is something else. Info if a later one succeeds.",
    matters: "Everything stays as it was, although one end, or both, count on the new parameters: a sensor that was "
      + "told yes goes on with an interval that costs it power, or hangs up.",
    advice:
      "0x3B and 0x20: the other controller does not take these values; ask for others, such as those that it prefers. "
      + "0x1A: it cannot be asked this way; let the peripheral ask over L2CAP. 0x0C, 0x23, 0x2A and 0x3A: something else "
      + "was under way; ask once more. A refusal to try, such as 0x12, is the host's fault: it asked for what is not "
      + "allowed. So it is where it grants the peer something, and then does not ask its controller for it.",
    reference: "Core 6.0, Vol 4, Part E, 7.7.65.3",
    examples: [
      .finds(
        "what the sensor was granted is not done",
        [.parametersAsked, .parametersGranted, .wait(1), .event(0x3E, "03 3b 40 00 0c 00 00 00 48 00")]),
      .finds("what the local host wants is not done", [.event(0x3E, "03 1a 40 00 0c 00 00 00 48 00")]),
      .finds(
        "again and again, which is told once",
        [
          .event(0x3E, "03 3b 40 00 0c 00 00 00 48 00"), .wait(5), .event(0x3E, "03 3b 40 00 0c 00 00 00 48 00"),
          .wait(5), .event(0x3E, "03 3b 40 00 0c 00 00 00 48 00"),
        ]),
      .finds(
        "a later change succeeds, and the first is only mentioned",
        [.event(0x3E, "03 2a 40 00 0c 00 00 00 48 00"), .wait(5), .event(0x3E, "03 00 40 00 18 00 00 00 58 02")]),
      .finds(
        "the controller refuses what the sensor was granted",
        [
          .parametersAsked, .parametersGranted, .parametersCommanded, .event(0x0F, "12 01 13 20"), .wait(5),
          .disconnect(0x16),
        ]),
      .finds("the controller refuses what the local host wants", [.parametersCommanded, .event(0x0F, "12 01 13 20")]),
      .finds(
        "what the sensor was granted is never asked of the controller",
        [.parametersAsked, .parametersGranted, .wait(20), .disconnect(0x13)]),
      .finds(
        "it is asked of the controller, which is never done",
        [
          .parametersAsked, .parametersGranted, .parametersCommanded, .event(0x0F, "00 01 13 20"), .wait(20),
          .disconnect(0x16),
        ]),
      .finds(
        "what the local host wants is never done, until the capture ends",
        [.parametersCommanded, .event(0x0F, "00 01 13 20"), .wait(40), .event(0x0E, "01 14 0c 00")]),
      .finds(
        "others come than the sensor was granted",
        [
          .parametersAsked, .parametersGranted, .wait(1), .event(0x3E, "03 00 40 00 06 00 00 00 48 00"), .wait(20),
          .disconnect(0x16),
        ]),
      .quiet(
        "others come that were on their way, and then what the sensor was granted",
        [
          .parametersAsked, .parametersGranted, .event(0x3E, "03 00 40 00 06 00 00 00 48 00"), .wait(1),
          .event(0x3E, "03 00 40 00 90 01 00 00 58 02"), .wait(20), .disconnect(0x16),
        ]),
      .quiet(
        "the nearest comes that the host can do",
        [
          .parametersAsked, .parametersGranted, .wait(1), .event(0x3E, "03 00 40 00 f0 00 00 00 58 02"), .wait(20),
          .disconnect(0x16),
        ]),
      .quiet(
        "the capture ends soon after what was granted",
        [.parametersAsked, .parametersGranted, .wait(20), .event(0x0E, "01 14 0c 00")]),
      .quiet(
        "the connection ends soon after what was granted",
        [.parametersAsked, .parametersGranted, .wait(5), .disconnect(0x13)]),
      .quiet(
        "what was granted holds already",
        [.signalReceived("12 01 08 00 06 00 18 00 00 00 58 02"), .parametersGranted, .wait(40), .disconnect(0x13)]),
      .quiet(
        "what is refused holds already",
        [
          .parametersCommanded, .event(0x0F, "00 01 13 20"), .event(0x3E, "03 00 40 00 90 01 00 00 58 02"),
          .parametersCommanded, .event(0x0F, "3a 01 13 20"), .wait(20), .disconnect(0x16),
        ]),
      .quiet(
        "the host does not want to know of changes",
        [
          .command(0x2001, "1b 00 00 00 00 00 00 00"), .parametersAsked,
          .parametersGranted, .wait(40), .disconnect(0x13),
        ]),
      .quiet("it is done", [.event(0x3E, "03 00 40 00 18 00 00 00 58 02")]),
      .quiet(
        "the connection ends before it is done", [.event(0x3E, "03 08 40 00 18 00 00 00 58 02"), .disconnect(0x08)]),
      .quiet("the sensor is refused, which is another fault", [.parametersAsked, .parametersRefused]),
    ])
  static let events = EventSelection([.command, .parameterRequest, .parameters, .disconnected])

  private var failures = RuleTallies<Failure>()
  /// What nothing was heard of any more, by whose wish it was.
  private var undone = RuleTallies<AwaitedUpdate.Origin>()
  /// What is to come, until it is known what became of it.
  private var awaited: AwaitedUpdate?
  private var lastChange: Moment?
  private var isOver = false

  /// In seconds: what is asked for is done by then, however long the interval is, or never will be.
  private static let patience = 30.0
  /// In seconds: a host that has other things to do first, such as a discovery, may be about to do it when the connection
  /// ends.
  static let patienceBeforeEnd = 10.0

  private struct Failure: Hashable {
    let status: HCIErrorCode
    /// Whether the controller did not even begin.
    let isRefusal: Bool
    let origin: AwaitedUpdate.Origin
  }

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .parameterRequest(let request) where !request.isStray:
      giveUp(after: Self.patience, scene)
      if awaited?.take(request) == true { return }
      awaited = AwaitedUpdate(request, scene)
    case .command(let command): note(command, scene)
    case .parameters(let change) where change.status == .success:
      lastChange = event.moment
      if awaited?.take(change.parameters) == true { awaited = nil }
    case .parameters(let change) where !change.status.isOfConnectionsEnd:
      if let since = awaited?.since, scene.seconds(since: since) > Self.patience { awaited = nil }
      fail(change.status, isRefusal: false, scene)
    case .disconnected(let end):
      isOver = true
      if !end.isUnseen { giveUp(after: Self.patienceBeforeEnd, until: end.reason, scene) }
    default: break
    }
  }

  private mutating func note(_ command: CommandEvent, _ scene: RuleScene) {
    guard case .parameters(let request) = command.wish else { return }
    // Once others have come than were granted, this may be for something else.
    if command.step == .asked, awaited?.others != nil { giveUp(after: Self.patience, scene) }
    if command.step == .asked, awaited == nil { awaited = AwaitedUpdate(own: request, scene) }
    // Something else that the host wants leaves what is to come as it was.
    let other = awaited.flatMap { $0.isServed(by: request) ? nil : $0 }
    if other != nil { awaited = AwaitedUpdate(own: request, scene) }
    defer { awaited = other ?? awaited }
    awaited?.go(to: command.step)
    // What holds already is refused without harm.
    let holds = scene.parameters.map(request.isMet) ?? false
    if case .refused(let reason) = command.step, reason != .unknownConnectionIdentifier, !holds {
      fail(reason, isRefusal: true, scene)
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    if !isOver { giveUp(after: Self.patience, scene) }
    failures.report(Self.self, &scene, madeGood: lastChange)
    // A host that does not want to know of changes is not told that one was made.
    if scene.traffic?.tellsUpdates != false { undone.report(Self.self, &scene, madeGood: lastChange) }
  }

  private mutating func fail(_ status: HCIErrorCode, isRefusal: Bool, _ scene: RuleScene) {
    let failure = Failure(status: status, isRefusal: isRefusal, origin: awaited?.origin ?? .own)
    let message = words(failure, scene)
    failures.note(failure, scene.moment, message)
    awaited = nil
  }

  /// Nothing becomes any more of what was to come.
  private mutating func giveUp(after patience: Double, until reason: HCIErrorCode? = nil, _ scene: RuleScene) {
    guard let awaited, let length = awaited.undone(patience: patience, until: reason, scene) else { return }
    let message = words(awaited, length, scene)
    undone.note(awaited.origin, awaited.since, to: scene.moment, count: awaited.times, message)
    self.awaited = nil
  }
}

// MARK: - In words

extension ParameterUpdateFailed {
  private func words(_ failure: Failure, _ scene: RuleScene) -> String {
    let refusal = "and its controller refused to change them"
    let what =
      switch (failure.origin, failure.isRefusal) {
      case (.own, false): "a change of the connection parameters failed"
      case (.own, true): "the local host wanted other parameters\(awaited?.words ?? ""), \(refusal)"
      case (_, false): "\(grant), and the change failed"
      case (_, true): "\(grant), \(refusal)"
      }
    return "\(what) with \(failure.status.words)\(failure.status.explanation)\(Self.kept(scene))"
  }

  private func words(_ awaited: AwaitedUpdate, _ length: Double, _ scene: RuleScene) -> String {
    if let others = awaited.others {
      return "\(grant), and in the \(seconds(length)) that follow others came: \(others.phrase)"
    }
    let time = "in the \(seconds(length)) that follow"
    let what =
      switch (awaited.origin, awaited.command) {
      case (.own, _):
        "the controller began to change the connection parameters\(awaited.words), and was not done \(time)"
      case (.peer, nil): "\(grant), and did not ask its controller for them \(time)"
      case (_, nil): "\(grant), and they did not come \(time)"
      case (_, _?): "\(grant), and its controller, which began to change them, was not done \(time)"
      }
    return what + Self.kept(scene)
  }

  private var grant: String {
    let ends = awaited?.origin == .host ? ("peer", "local host") : ("local host", "peer")
    return "the \(ends.0) granted the \(ends.1) other parameters\(awaited?.words ?? "")"
  }

  private static func kept(_ scene: RuleScene) -> String {
    "; they stayed as they were" + (scene.parameters.map { ": \($0.phrase)" } ?? "")
  }
}

extension AwaitedUpdate {
  /// " (interval 312.5–500 ms, latency 0, timeout 6 s)".
  fileprivate var words: String { request.map { " (\($0.phrase))" } ?? "" }
}

import BluetoothHost
import GATTKit

/// The measurement is found, and nobody asks for it, or nobody is granted it.
struct NeverSubscribed: AnomalyRule {
  static let least = RuleParameter("least", 10, in: 1...3600, "how long nobody asks, in seconds")

  static let about = RuleDescription(
    "never-subscribed", .warning,
    finds: "The heart rate measurement is discovered, and its notifications are not switched on in the ten seconds or "
      + "more that the connection then lasts; so, too, where it is known from another connection, the link is not "
      + "encrypted and no measurement comes: in a sensor's own log, if the peer had them on when an earlier one ended. "
      + "Where a bond may keep them on, that is only mentioned, unless they were on when an earlier connection ended. Or, "
      + "wherever it is known from, switching them on is refused, or not answered, or prepared and not executed, and is "
      + "not granted later. What is refused for want of security is told by access-refused, as long as the link is not "
      + "encrypted. Where the measurement is read instead, which it cannot be, that is said. Where the "
      + "client has others of the sensor notified, and uses nothing of the heart rate service, it is only mentioned. An "
      + "error where the measurement has no configuration: then nobody can switch it on.",
    matters: "A sensor whose configuration nobody writes sends nothing: then the fault is the app's, not the sensor's; "
      + "where it has none, it is the sensor's.",
    advice: "Let the app write 0x0001 to the configuration of the measurement as soon as it has found it. Another "
      + "app may not want heart rates at all. If the write was refused, the error tells why: 0x03, that something else is "
      + "there now, and the table is to be discovered anew. What came before the link was encrypted is to be repeated. A "
      + "bonded sensor that has forgotten what was written is at fault itself: an app that writes it on every connection "
      + "gets its heart rates all the same.",
    reference: "Core 6.0, Vol 3, Part G, 3.3.3.3",
    explainedBy: [
      "access-refused", "att-timeout", "cccd-invalid", "encryption-failed", "pairing-failed", "pairing-unfinished",
      "silent-connection", "stale-handles",
    ],
    belongsInHead: true,
    parameters: [least],
    examples: examples)
  /// The databases are told last: until then nobody has asked.
  static let events: EventSelection = EventSelection([
    .characteristic, .subscribed, .databases, .encryption, .disconnected,
  ])
  static let dialogue: DialogueTraits = [.write, .heartRate, .unpaired]
  static let traits: MeasurementTraits = .first

  private let least: Double
  private var servers = BothServers(Server())
  private var others = OtherInterest()
  /// When the link was encrypted last.
  private var encrypted: Moment?
  private var isOver = false

  init(_ settings: RuleSettings) {
    least = settings.value(Self.least, of: Self.self)
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    for server in ServerSide.allCases { servers[server].isSettled = true }
  }

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .dialogue(.pdu(let pdu)):
      others.note(pdu)
      switch scene.dialogue.step {
      case .response(let asked?): servers[asked.pdu.askedServer].note(pdu, to: asked.pdu, scene.moment)
      // What it answers is not in the capture: that may have been it.
      case .response(nil): if pdu.grantsWrite { servers[pdu.direction.server].isSettled = true }
      default: servers[pdu.askedServer].note(pdu, scene.moment)
      }
    case .subscribed(let subscription): others.note(subscription)
    case .characteristic(let event) where event.characteristic.uuid == .heartRateMeasurement:
      if servers[event.server].found == nil {
        servers[event.server].found = (scene.moment, event.characteristic.valueHandle)
      }
    case .disconnected: isOver = true
    case .encryption(let change) where change.status == .success && change.isEncrypted:
      encrypted = event.moment
    case .databases(let databases):
      servers.peer.note(databases.peer)
      servers.local.note(databases.local)
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard scene.isWhole else { return }
    let tried = ServerSide.allCases.filter { servers[$0].attempt != nil }
    for server in tried { reportAttempt(server, &scene) }
    // A phone may have a heart rate service as well, which no sensor has to want.
    guard let found = ServerSide.allCases.first(where: { servers[$0].found != nil }) else {
      if tried.isEmpty { reportForgetting(&scene) }
      return
    }
    if servers[found].attempt == nil, found == .peer || tried.isEmpty { reportSilence(found, &scene) }
  }

  private func reportAttempt(_ server: ServerSide, _ scene: inout RuleScene) {
    let side = servers[server]
    // What another connection told of, and is there no more, cannot be switched on.
    guard !side.isSettled, let attempt = side.attempt, let handle = side.found?.handle ?? side.known else { return }
    let (length, since) = (scene.seconds(since: attempt.since), attempt.since)
    switch attempt.outcome {
    case .refused(let refusal):
      let later = refusal.error?.wantsSecurity == true ? encrypted.flatMap { $0 > since ? $0 : nil } : nil
      guard later != nil || !refusal.isToldOtherwise, !mayBeWrittenAgain(refusal, scene) else { return }
      let error = refusal.error.map { " with \($0.words)\(inAll(refusal.count))" } ?? inAll(refusal.count)
      let again = later.map { "; the link was encrypted then (\(frameWords($0))), and nobody wrote it again" } ?? ""
      report(handle, server, "\(attempt.words) was refused\(error)\(again)", since: refusal.first, &scene)
    case .prepared where length >= least:
      report(
        handle, server, "\(attempt.words) was not executed in the \(seconds(length)) that follow", since: since, &scene)
    // An answer may be among what the dialogue could not follow; and none for longer is what `AttTimeout` tells.
    case .awaited where length >= least && length < ATTDialogue.timeout && !scene.dialogue.hasForgotten:
      report(
        handle, server, "\(attempt.words) has no answer in the \(seconds(length)) that follow", since: since, &scene)
    default: break
    }
  }

  private func report(
    _ handle: UInt16, _ server: ServerSide, _ what: String, since start: Moment, _ scene: inout RuleScene
  ) {
    scene.report(
      Self.self,
      "the notifications of the measurement \(handleWords(handle))\(server.ofWhom) were never switched on: the \(what)",
      from: start, to: scene.moment)
  }

  /// Whether what was refused for want of security may still be written again, as the link has just become safe where the
  /// capture ends.
  private func mayBeWrittenAgain(_ refusal: Refusal, _ scene: RuleScene) -> Bool {
    guard !isOver, refusal.error?.wantsSecurity == true, let encrypted else { return false }
    return scene.seconds(since: encrypted) < least
  }

  /// A sensor that is not bonded forgets at the end of a connection what was written into its configuration; of a bonded
  /// client it keeps it. Core 6.0, Vol 3, Part G, 3.3.3.3.
  private func reportForgetting(_ scene: inout RuleScene) {
    guard !servers[servers.peer.known == nil ? .local : .peer].isSettled else { return }
    let length = scene.seconds(since: scene.first)
    guard length >= least else { return }
    let left = scene.left.flatMap { $0.subscription.valueHandle == servers[$0.subscription.server].known ? $0 : nil }
    let message: String
    var severity: Severity?
    if scene.encryption.mayBeOn {
      guard let left, left.isEncrypted, let handle = left.subscription.valueHandle else { return }
      message =
        "the notifications of the measurement \(handleWords(handle)) were on when an earlier connection ended, which a "
        + "bond keeps, and in the \(seconds(length)) of this one none came, and nobody switched them on again"
    } else if let handle = servers.peer.known {
      message =
        "the measurement \(handleWords(handle)) is known from another connection, and in the \(seconds(length)) of this "
        + "one nobody switched its notifications on: a sensor that is not bonded does not keep them\(servers.peer.reads.words)"
        + others.words
      severity = others.severity
    } else if let handle = left?.subscription.valueHandle {
      message =
        "the peer had the notifications of the measurement \(handleWords(handle)) on when an earlier connection ended, "
        + "and did not switch them on in the \(seconds(length)) of this one: a sensor that is not bonded does not keep them"
    } else {
      return
    }
    scene.report(Self.self, message, severity: severity, from: scene.first, to: scene.moment)
  }

  private func reportSilence(_ server: ServerSide, _ scene: inout RuleScene) {
    let side = servers[server]
    guard !side.isSettled, let (start, handle) = side.found else { return }
    let measurement = "the measurement \(handleWords(handle))\(server.ofWhom)"
    if side.isWithoutConfiguration {
      let message =
        "\(measurement) has no Client Characteristic Configuration (0x2902): nobody can switch its notifications on"
      return scene.report(Self.self, message, severity: .error, from: start, to: scene.moment)
    }
    let length = scene.seconds(since: start)
    guard length >= least else { return }
    let isOfPeer = server == .peer
    let bond = scene.encryption.mayBeOn ? "; a bond may have kept them on" : ""
    let message =
      "\(measurement) was discovered, and in the \(seconds(length)) since then nobody switched its notifications on"
      + "\(side.reads.words)\(isOfPeer ? others.words : "")\(bond)"
    let severity = scene.encryption.mayBeOn ? .info : isOfPeer ? others.severity : nil
    scene.report(Self.self, message, severity: severity, from: start, to: scene.moment)
  }
}

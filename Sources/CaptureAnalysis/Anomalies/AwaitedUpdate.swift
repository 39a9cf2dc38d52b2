import BluetoothHost

/// A change of the connection parameters that is to come, since one end has granted it, or the local host has asked its
/// controller for it.
struct AwaitedUpdate {
  /// Since when.
  let since: Moment
  /// What is to come; nil if the capture cut it away.
  let request: ConnectionParameterRequest?
  /// Whose wish it is.
  let origin: Origin
  /// How far the local host's own command for it has come.
  private(set) var command: CommandEvent.Step?

  enum Origin {
    /// The local host's own.
    case own
    /// The peer has asked for it over L2CAP, and the local host has granted it: it is to ask its controller for it then.
    case peer
    /// The same over the link layer, where the controllers do it by themselves.
    case peerOverLinkLayer
    /// The local host has asked the peer for it, which has granted it.
    case host

    fileprivate init(_ request: ParameterRequestEvent) {
      self = !request.isFromPeer ? .host : request.isOverLinkLayer ? .peerOverLinkLayer : .peer
    }
  }

  /// One that was granted; nil if that is not what is told.
  init?(_ answer: ParameterRequestEvent, _ moment: Moment) {
    guard answer.step == .accepted, !answer.isStray else { return nil }
    since = moment
    request = answer.request
    origin = Origin(answer)
  }

  /// One that the local host asks for.
  init(own request: ConnectionParameterRequest, _ moment: Moment) {
    (since, self.request, origin, command) = (moment, request, .own, .asked)
  }

  /// Whether one end asks for it again, or is granted it again: it is still the same that is to come.
  func isMeant(by again: ParameterRequestEvent) -> Bool {
    request != nil && again.request == request && again.step != .refused && origin == Origin(again)
  }

  /// Its command goes on.
  mutating func go(to step: CommandEvent.Step) { command = step }

  /// How long it had time to come about, in seconds, and did not; nil where that is not known: where what holds was what
  /// it wanted, or where the capture would not tell of it.
  /// - Parameters:
  ///   - patience: Within so many seconds it may still have come.
  ///   - reason: Why the connection has ended; nil if it has not.
  func undone(patience: Double, until reason: HCIErrorCode?, _ scene: RuleScene) -> Double? {
    guard scene.isWhole, !scene.hasClockStep, scene.traffic?.tellsUpdates != false,
      command != .asked, let request, let parameters = scene.parameters, !request.isMet(by: parameters)
    else { return nil }
    var passed = scene.seconds(since: since)
    // Whoever is not heard cannot follow.
    if reason == .connectionTimeout { passed -= Double(parameters.supervisionTimeoutMilliseconds) / 1000 }
    let isInTime = passed < patience + Self.events * parameters.wait(usingLatency: true)
    return isInTime ? nil : scene.seconds(since: since)
  }

  /// A change is announced for a connection event that lies a few events ahead, and that the peer must have heard of.
  private static let events = 10.0
}

extension ConnectionParameterRequest {
  /// Whether parameters are as it wants them, but for the timeout.
  func isMet(by parameters: ConnectionParameters) -> Bool {
    intervalMinimum <= parameters.interval && parameters.interval <= intervalMaximum && latency == parameters.latency
  }
}

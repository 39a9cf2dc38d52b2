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
  /// How often it was granted, or asked of the controller.
  private(set) var times = 1
  /// What held then; nil if that is not known.
  private let held: ConnectionParameters?
  /// What came since then, and is not what was granted; nil if nothing did.
  private(set) var others: ConnectionParameters?
  /// Whether they are the nearest that the other end could do, as it seems.
  private var isNearly = false

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

    /// Whether one end has said yes to what the other one asks for, which nothing else carries out then. Over the link
    /// layer it answers with numbers of its own, and the controllers agree. Core 6.0, Vol 3, Part A, 4.20.
    fileprivate var isPromise: Bool { self == .peer || self == .host }
  }

  /// One that was granted; nil if that is not what is told.
  init?(_ answer: ParameterRequestEvent, _ scene: RuleScene) {
    guard answer.step == .accepted, !answer.isStray else { return nil }
    (since, held) = (scene.moment, scene.parameters)
    request = answer.request
    origin = Origin(answer)
  }

  /// One that the local host asks for.
  init(own request: ConnectionParameterRequest, _ scene: RuleScene) {
    (since, held) = (scene.moment, scene.parameters)
    (self.request, origin, command) = (request, .own, .asked)
  }

  /// Whether one end asks for it again, or is granted it again: it is still the same that is to come.
  private func isMeant(by again: ParameterRequestEvent) -> Bool {
    request != nil && again.request == request && again.step != .refused && origin == Origin(again)
  }

  /// Where it is meant by what one end says, which may be that it is granted once more.
  mutating func take(_ again: ParameterRequestEvent) -> Bool {
    guard isMeant(by: again) else { return false }
    if again.step == .accepted { times += 1 }
    return true
  }

  /// Whether the local host may ask its controller for something on its behalf: where no interval would do for both, that
  /// is for something else.
  func isServed(by command: ConnectionParameterRequest) -> Bool {
    guard let request else { return true }
    return command.intervalMinimum <= request.intervalMaximum && request.intervalMinimum <= command.intervalMaximum
  }

  /// Its command goes on.
  mutating func go(to step: CommandEvent.Step) { command = step }

  /// Takes up that other parameters hold now. What else comes than was granted may have been on its way before: then it
  /// is still to come.
  /// - Returns: Whether nothing more is to come.
  mutating func take(_ parameters: ConnectionParameters) -> Bool {
    guard origin.isPromise, let request, let held, !request.allows(parameters) else { return true }
    others = parameters
    if request.isNearly(parameters, from: held) { isNearly = true }
    return false
  }

  /// How long it had time to come about, in seconds, and did not; nil where that is not known: where what holds was what
  /// it wanted, or the nearest to it, or where the capture would not tell of it. A peer that ends the connection since its
  /// parameters will not do has not got what it wanted.
  /// - Parameters:
  ///   - patience: Within so many seconds it may still have come.
  ///   - reason: Why the connection has ended; nil if it has not.
  func undone(patience: Double, until reason: HCIErrorCode?, _ scene: RuleScene) -> Double? {
    let isDenied = others != nil && reason == .unacceptableConnectionParameters
    guard scene.isWhole, !scene.hasClockStep, scene.traffic?.tellsUpdates != false,
      command != .asked, let request, let parameters = scene.parameters,
      isDenied || !isNearly && !request.isMet(by: parameters)
    else { return nil }
    var passed = scene.seconds(since: since)
    // Whoever is not heard cannot follow.
    if reason == .connectionTimeout { passed -= Double(parameters.supervisionTimeoutMilliseconds) / 1000 }
    let isInTime = passed < patience + Self.events * parameters.wait(usingLatency: true)
    return isInTime && !isDenied ? nil : scene.seconds(since: since)
  }

  /// A change is announced for a connection event that lies a few events ahead, and that the peer must have heard of.
  private static let events = 10.0
}

extension ConnectionParameterRequest {
  /// Whether parameters are as it wants them, but for the timeout.
  func isMet(by parameters: ConnectionParameters) -> Bool {
    intervalMinimum <= parameters.interval && parameters.interval <= intervalMaximum && latency == parameters.latency
  }

  /// Whether parameters are among those that it asks for.
  func allows(_ parameters: ConnectionParameters) -> Bool {
    isMet(by: parameters) && supervisionTimeout == parameters.supervisionTimeout
  }

  /// Whether parameters are the nearest to what it asks for that an end can do, as it seems: an interval or a latency went
  /// at least half of the way, and neither went away from it.
  func isNearly(_ parameters: ConnectionParameters, from former: ConnectionParameters) -> Bool {
    if isMet(by: parameters) { return true }
    let ways = [
      (before: distance(ofInterval: former.interval), after: distance(ofInterval: parameters.interval)),
      (before: distance(ofLatency: former.latency), after: distance(ofLatency: parameters.latency)),
    ]
    return ways.allSatisfy { $0.after <= $0.before } && ways.contains { $0.before > 0 && $0.after * 2 <= $0.before }
  }

  private func distance(ofInterval interval: UInt16) -> Int {
    max(0, Int(intervalMinimum) - Int(interval), Int(interval) - Int(intervalMaximum))
  }

  private func distance(ofLatency latency: UInt16) -> Int { abs(Int(self.latency) - Int(latency)) }
}

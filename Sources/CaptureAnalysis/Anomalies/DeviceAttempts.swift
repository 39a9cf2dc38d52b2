import BluetoothHost

/// The attempts to connect to each device: those that name it, and those over the accept list, for as long as it is on that.
struct DeviceAttempts {
  private var attempts: [DeviceAddress: AttemptsAtDevice] = [:]
  /// Those on the accept list for which the host began to wait last.
  private var awaited: [DeviceAddress] = []

  /// More are not told apart.
  private static let most = 4096

  /// Those at a device; nil if there were none.
  subscript(_ device: DeviceAddress) -> AttemptsAtDevice? { attempts[device] }

  /// Those at each device.
  var all: [DeviceAddress: AttemptsAtDevice] { attempts }

  /// What there was is over: the device is connected, or another rule tells of it.
  mutating func forget(_ device: DeviceAddress) { attempts[device] = nil }

  mutating func note(_ event: Event, _ scene: RuleScene) {
    switch event.content {
    case .connectAttempt(let attempt):
      if let accepted = attempt.accepted {
        note(attempt, accepted, scene)
      } else if let peer = attempt.peer, has(roomFor: peer) {
        attempts[peer, default: AttemptsAtDevice()].note(attempt.outcome, scene)
      }
    // One of them has come: for the others, the host has to ask once more.
    case .connected(let made) where made.isLowEnergy != false && made.role != .peripheral:
      for device in awaited { attempts[device]?.interrupt(nil, scene) }
      awaited = []
    case .controller(let controller):
      switch controller.step {
      case .awaitsNoLonger(let device): attempts[device]?.leaveList(scene)
      case .ended:
        for device in awaited { attempts[device]?.forgetList() }
        awaited = []
      default: break
      }
    default: break
    }
  }

  /// The host begins to wait for all on the accept list, or does no longer.
  private mutating func note(_ attempt: ConnectAttemptEvent, _ accepted: [DeviceAddress], _ scene: RuleScene) {
    if attempt.outcome == .begun {
      awaited = accepted
      for device in accepted where has(roomFor: device) { attempts[device, default: AttemptsAtDevice()].await(scene) }
    } else if !attempt.isBesideAnother {
      awaited = []
      for device in accepted {
        let isMeant = attempt.outcome == .cancelled || attempt.peer == nil || attempt.peer == device
        attempts[device]?.interrupt(isMeant ? attempt.outcome : nil, scene)
      }
    }
  }

  private func has(roomFor device: DeviceAddress) -> Bool {
    attempts.count < Self.most || attempts[device] != nil
  }
}

/// The attempts to connect to one device, one after another.
struct AttemptsAtDevice {
  /// What became of the last one.
  private(set) var outcome = ConnectAttemptEvent.Outcome.begun
  /// How many there were.
  private(set) var count = 0
  /// How many of them came to an end.
  private(set) var ended = 0
  /// How long they took in all, in seconds: of one without an end, nobody knows how long it lasted.
  private(set) var length = 0.0
  /// From where the first of them began to where one began or ended last.
  private(set) var span: RecordSpan?
  /// How those of them ended that did.
  private var ends: Set<ConnectAttemptEvent.Outcome> = []
  /// When those began that are under way: no host has more.
  private var open: [Moment] = []
  private static let mostOpen = 2
  private var list = Listing.absent
  /// Whether any was one over the accept list.
  private(set) var wereListed = false

  /// What the accept list has to do with it.
  private enum Listing {
    /// The device is not on it, or nobody was asked for by it.
    case absent
    /// The host waits for whoever is on it.
    case awaited
    /// It does not at the moment, as it has to for changing the list.
    case interrupted
  }

  /// Whether the last one is under way, as far as the capture tells.
  var isUnderWay: Bool { outcome == .begun }
  /// Whether that is one over the accept list.
  var isAwaited: Bool { isUnderWay && list != .absent }
  /// Whether the host may wait for it again, having left it on its accept list.
  var mayGoOn: Bool { list == .interrupted }
  /// Whether all of them came to the same end.
  var areAlike: Bool { open.isEmpty && ends.count == 1 }

  /// One that names the device began, or came to an end.
  fileprivate mutating func note(_ outcome: ConnectAttemptEvent.Outcome, _ scene: RuleScene) {
    if outcome == .begun { begin(scene) } else { end(outcome, scene) }
  }

  /// The host waits for it, as for all on its accept list.
  fileprivate mutating func await(_ scene: RuleScene) {
    switch list {
    case .absent: begin(scene)
    case .interrupted:
      if !isUnderWay { ended -= 1 }
      goOn(scene)
    case .awaited: break
    }
    list = .awaited
    wereListed = true
  }

  /// The host does not wait for anyone on its accept list any more, and may do so again.
  /// - Parameter outcome: What became of its waiting; nil if another device came.
  fileprivate mutating func interrupt(_ outcome: ConnectAttemptEvent.Outcome?, _ scene: RuleScene) {
    guard list == .awaited else { return }
    list = .interrupted
    if let outcome { end(outcome, scene) } else { stop(scene) }
  }

  /// The host has taken it from its accept list.
  fileprivate mutating func leaveList(_ scene: RuleScene) {
    if isAwaited { end(.cancelled, scene) }
    list = .absent
  }

  /// The accept list is another controller's, or empty: nobody has given anything up.
  fileprivate mutating func forgetList() { (open, list) = ([], .absent) }

  private mutating func begin(_ scene: RuleScene) {
    count += 1
    span.extend(to: scene.moment)
    if open.count == Self.mostOpen { open.removeFirst() }
    goOn(scene)
  }

  private mutating func goOn(_ scene: RuleScene) {
    outcome = .begun
    open.append(scene.moment)
  }

  private mutating func end(_ outcome: ConnectAttemptEvent.Outcome, _ scene: RuleScene) {
    self.outcome = outcome
    ended += 1
    ends.insert(outcome)
    span.extend(to: scene.moment, count: 0)
    // It may have begun before the capture.
    if open.isEmpty, list == .absent { count += 1 }
    stop(scene)
  }

  private mutating func stop(_ scene: RuleScene) {
    if let begun = open.popLast() { length += scene.seconds(since: begun) }
  }
}

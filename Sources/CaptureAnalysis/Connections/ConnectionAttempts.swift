import BluetoothHost
import CaptureFiles

/// The attempts to connect that have not come to an end: on each adapter one at a time over Low Energy, and one over
/// BR/EDR beside it. A second one of a kind is kept beside the first until the controller has refused one of them.
struct ConnectionAttempts {
  /// Those of each adapter, the last one last.
  private var attempts: [UInt16: [Attempt]] = [:]
  /// The adapters of which the end of a Low Energy attempt, or a reset, was seen: what they try is known since.
  private var known: Set<UInt16> = []
  /// Whether there were any, as far as the capture tells.
  private(set) var wereMade = false
  /// The adapters that advertise, or may: others can ask their hosts for connections.
  private var advertising: Set<UInt16> = []
  /// Whether those that began or ended it last had advertised before.
  private var hadAdvertised: [UInt16: Bool] = [:]

  /// What a host has asked for.
  struct Attempt {
    fileprivate let opcode: HCIOpcode
    /// Whom it is for; nil for anyone on the accept list, or one of several.
    let peer: DeviceAddress?
    /// Who is known to be on the accept list, if it is for anyone on that.
    let accepted: [DeviceAddress]?
    /// When it began.
    let time: Timestamp
    /// Whether the host has given it up.
    fileprivate(set) var isCancelled = false
    /// Whether the controller does so: asked once more meanwhile, it refuses.
    fileprivate var isEnding = false

    var isLowEnergy: Bool { opcode != .createConnection }

    /// An attempt to reach a device, or, where none is named, whoever is on the accept list.
    init(
      _ opcode: HCIOpcode, _ peer: DeviceAddress?, _ lists: FilterAcceptLists, _ adapter: UInt16, at time: Timestamp
    ) {
      self.opcode = opcode
      self.time = time
      self.peer = peer ?? lists.only(adapter)
      accepted = peer == nil ? lists.devices(adapter) : nil
    }

    /// Whether this is what came to an end. Over BR/EDR the peer tells it from one that the peer has made.
    fileprivate func ends(with made: ConnectionComplete) -> Bool {
      isLowEnergy == made.isLowEnergy && (isLowEnergy || made.peer == nil || made.peer == peer)
    }
  }

  /// Another attempt begins. Where the controller refuses it, since one is under way already, that one goes on.
  mutating func begin(_ attempt: Attempt, _ adapter: UInt16) {
    wereMade = true
    var pending = attempts[adapter, default: []]
    let places = pending.indices.filter { pending[$0].isLowEnergy == attempt.isLowEnergy }
    if places.count > 1 { pending.remove(at: places[0]) }
    attempts[adapter] = pending + [attempt]
  }

  /// The host advertises, or not any more.
  mutating func noteAdvertising(_ isOn: Bool, _ adapter: UInt16) {
    hadAdvertised[adapter] = advertising.contains(adapter)
    if isOn { advertising.insert(adapter) } else { advertising.remove(adapter) }
  }

  /// The controller does not do that.
  mutating func refuseAdvertising(_ adapter: UInt16) {
    guard let before = hadAdvertised.removeValue(forKey: adapter) else { return }
    if before { advertising.insert(adapter) } else { advertising.remove(adapter) }
  }

  /// Whether a connection may be of the peer's making, as far as the capture tells.
  func mayComeFromPeer(_ adapter: UInt16) -> Bool { advertising.contains(adapter) }

  /// When the last of the attempts under way began; nil if there is none.
  func begun(_ adapter: UInt16) -> Timestamp? { attempts[adapter]?.last?.time }

  /// A connection that the host has asked for is there, and its making is not in the capture: the attempt under way, if
  /// it was not given up, has come to its end with it.
  /// - Parameter isLowEnergy: Of which kind the connection is; nil if that is not known.
  /// - Returns: The attempt, if there is one.
  mutating func finish(unseen isLowEnergy: Bool?, _ adapter: UInt16) -> Attempt? {
    let place = attempts[adapter]?.lastIndex { ($0.isLowEnergy == isLowEnergy ?? $0.isLowEnergy) && !$0.isCancelled }
    return place.flatMap { attempts[adapter]?.remove(at: $0) }
  }

  mutating func cancel(isLowEnergy: Bool, _ adapter: UInt16) {
    change(isLowEnergy, adapter) { $0.isCancelled = true }
  }

  /// The controller has begun to give it up, or there is nothing that it could, or no longer.
  mutating func noteCancel(isTaken: Bool, isLowEnergy: Bool, _ adapter: UInt16) {
    change(isLowEnergy, adapter) { attempt in
      attempt.isEnding = attempt.isEnding || isTaken
      attempt.isCancelled = attempt.isEnding
    }
  }

  private mutating func change(_ isLowEnergy: Bool, _ adapter: UInt16, _ change: (inout Attempt) -> Void) {
    guard let place = attempts[adapter]?.lastIndex(where: { $0.isLowEnergy == isLowEnergy }) else { return }
    change(&attempts[adapter, default: []][place])
  }

  /// A connection was made, or not: the attempt, if any, has come to an end. One that the peer has made leaves what the
  /// host attempts as it is.
  /// - Returns: The attempt, if there is one.
  mutating func finish(with made: ConnectionComplete, _ adapter: UInt16) -> Attempt? {
    if made.isLowEnergy, !made.isFromPeer { known.insert(adapter) }
    guard !made.isFromPeer, let attempt = attempts[adapter]?.last(where: { $0.ends(with: made) }) else { return nil }
    attempts[adapter]?.removeAll { $0.ends(with: made) }
    return attempt
  }

  /// All attempts of an adapter have come to an end.
  mutating func finish(all adapter: UInt16) {
    attempts[adapter] = nil
    advertising.remove(adapter)
    known.insert(adapter)
  }

  /// What comes may be of another host: nobody knows what that attempts.
  mutating func forgetAll() {
    let wereMade = wereMade
    self = ConnectionAttempts()
    self.wereMade = wereMade
  }

  /// A command was refused.
  /// - Returns: The attempt, and whether another one is under way beside it, or may be: since before the capture, and always
  ///   over BR/EDR; nil where it was no attempt.
  mutating func refused(_ opcode: HCIOpcode, _ adapter: UInt16) -> (attempt: Attempt, isBesideAnother: Bool)? {
    guard let place = attempts[adapter]?.lastIndex(where: { $0.opcode == opcode }),
      let attempt = attempts[adapter]?.remove(at: place)
    else { return nil }
    let isAlone = known.contains(adapter) && attempts[adapter]?.contains { $0.isLowEnergy } == false
    return (attempt, !attempt.isLowEnergy || !isAlone)
  }
}

extension ConnectionComplete {
  /// Whether the host was asked for the connection, having advertised. Where there is none, its role need not mean
  /// anything, unless the controller tells that nobody has answered the advertising.
  fileprivate var isFromPeer: Bool {
    role == .peripheral && (status == .success || status == .advertisingTimeout)
  }
}

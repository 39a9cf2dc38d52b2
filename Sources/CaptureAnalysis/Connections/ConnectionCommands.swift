import BluetoothHost
import CaptureFiles

/// The commands about connections to which the controller has not said anything yet: its Command Status names a command,
/// and not the connection. And what the host wants to be told of them.
struct ConnectionCommands {
  private var waiting: [Waiting] = []
  /// The adapters whose hosts do not want to know of changed parameters.
  private var withoutUpdates: Set<UInt16> = []
  /// Whether those that have told last what they want to know of had wanted to know of these before.
  private var hadUpdates: [UInt16: Bool] = [:]
  /// The adapters that were asked to begin anew, and have not answered.
  private var resets: Set<UInt16> = []
  /// The last command of all, while it has no answer: some hosts give one a second, and of several adapters it is hardly
  /// ever asked which of them has not answered.
  private var last: (adapter: UInt16, opcode: HCIOpcode, moment: Moment)?
  /// A host asks for little before it has an answer: what waits longer has lost its own.
  private static let most = 32

  private struct Waiting {
    let adapter: UInt16
    let opcode: HCIOpcode
    /// nil if it is over, or none: the answer is no other's all the same.
    var connection: Int?
    let wish: CommandEvent.Wish
  }

  /// The host asks for something.
  mutating func ask(_ wish: CommandEvent.Wish, _ opcode: HCIOpcode, _ adapter: UInt16, connection: Int?) {
    if waiting.count == Self.most { waiting.removeFirst() }
    waiting.append(Waiting(adapter: adapter, opcode: opcode, connection: connection, wish: wish))
  }

  /// The controller has begun with a command, or refused it: it answers those of a kind in their order. Of what is no
  /// connection it says just that; if it says anything else, that answer is missing.
  mutating func answer(
    _ opcode: HCIOpcode, _ adapter: UInt16, _ status: HCIErrorCode
  ) -> (wish: CommandEvent.Wish, connection: Int?)? {
    func isOfKind(_ command: Waiting) -> Bool { command.opcode == opcode && command.adapter == adapter }
    if status != .unknownConnectionIdentifier { waiting.removeAll { isOfKind($0) && $0.connection == nil } }
    guard let place = waiting.firstIndex(where: isOfKind) else { return nil }
    let command = waiting.remove(at: place)
    return (command.wish, command.connection)
  }

  /// What a command was about has come about: what waits for its beginning has lost that.
  mutating func forget(_ opcode: HCIOpcode, connection: Int) {
    waiting.removeAll { $0.connection == connection && $0.opcode == opcode }
  }

  /// The host gives a command, of whatever kind. A controller that answers a later one is alive.
  mutating func note(_ opcode: HCIOpcode, _ adapter: UInt16, _ moment: Moment) {
    // Nobody answers that one. Core 6.0, Vol 4, Part E, 7.3.40.
    if opcode != .hostNumberOfCompletedPackets { last = (adapter, opcode, moment) }
  }

  /// The controller answers a command.
  mutating func noteAnswer(to opcode: HCIOpcode, _ adapter: UInt16) {
    if last?.adapter == adapter, last?.opcode == opcode { last = nil }
  }

  /// Since when the last command waits for an adapter's answer; nil if it does not.
  func unanswered(by adapter: UInt16) -> Moment? { last?.adapter == adapter ? last?.moment : nil }

  /// The host asks a controller to begin anew.
  mutating func askForReset(of adapter: UInt16) { resets.insert(adapter) }

  /// What a controller was asked for before has been answered, as it is now asked for something else, or tells.
  /// - Returns: Whether that was to begin anew: until it has, a host sends no other command. Core 6.0, Vol 4, Part E, 7.3.2.
  mutating func settleReset(of adapter: UInt16) -> Bool { resets.remove(adapter) != nil }

  /// A connection has ended. What its host has asked for just before is still answered.
  mutating func end(_ connection: Int) {
    for place in waiting.indices where waiting[place].connection == connection { waiting[place].connection = nil }
  }

  /// Records are missing: what the controller has said may be among them.
  /// - Parameter adapter: The adapter whose they are; nil if they may be any one's.
  mutating func noteLoss(on adapter: UInt16? = nil) {
    waiting.removeAll { adapter ?? $0.adapter == $0.adapter }
    if let adapter { resets.remove(adapter) } else { resets = [] }
    if adapter == nil || last?.adapter == adapter { last = nil }
  }

  /// The host tells which Low Energy events it wants. Core 6.0, Vol 4, Part E, 7.8.1.
  mutating func note(eventMask octets: Span<UInt8>, _ adapter: UInt16) {
    guard !octets.isEmpty else { return }
    hadUpdates[adapter] = wantsUpdates(adapter)
    note(wantsUpdates: octets[0] & 0b100 != 0, adapter)
  }

  /// The controller does not take what the host wants: all stays as it was.
  mutating func refuseEventMask(_ adapter: UInt16) {
    if let before = hadUpdates.removeValue(forKey: adapter) { note(wantsUpdates: before, adapter) }
  }

  private mutating func note(wantsUpdates: Bool, _ adapter: UInt16) {
    if wantsUpdates { withoutUpdates.remove(adapter) } else { withoutUpdates.insert(adapter) }
  }

  /// Whether the host wants to know of changed parameters: by default it does.
  func wantsUpdates(_ adapter: UInt16) -> Bool { !withoutUpdates.contains(adapter) }

  /// The controller has begun anew.
  mutating func forget(_ adapter: UInt16) {
    waiting.removeAll { $0.adapter == adapter }
    withoutUpdates.remove(adapter)
    if last?.adapter == adapter { last = nil }
  }
}

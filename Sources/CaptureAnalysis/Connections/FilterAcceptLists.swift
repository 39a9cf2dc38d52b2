import BluetoothHost

/// The devices that hosts want to be connected with whenever these are there, by adapter: phones ask for almost all their
/// connections so.
///
/// Core 6.0, Vol 4, Part E, 7.8.15 to 7.8.17.
struct FilterAcceptLists {
  private var lists: [UInt16: List] = [:]

  private struct List {
    var devices: [DeviceAddress] = []
    /// Whether there are no others on it: not before the capture shows it empty.
    var isWhole = false
    /// What the host has asked the controller for, the oldest first.
    var asked: [(opcode: HCIOpcode, change: FilterAcceptListChange)] = []

    /// - Returns: The device that was on it, if one was removed.
    mutating func make(_ change: FilterAcceptListChange) -> DeviceAddress? {
      switch change {
      case .clear: (devices, isWhole) = ([], true)
      case .remove(let device): return devices.firstIndex(of: device).map { devices.remove(at: $0) }
      case .add(let device) where devices.count < FilterAcceptLists.most:
        if !devices.contains(device) { devices.append(device) }
      case .add: isWhole = false
      }
      return nil
    }
  }

  /// Hosts have few adapters: the lists of more are not known.
  private static let mostAdapters = 64
  /// As many as the controller can tell of in the size of its list.
  private static let most = 255
  /// A host asks for little before it has an answer.
  private static let mostAsked = 32

  /// The devices that are known to be on an adapter's list.
  func devices(_ adapter: UInt16) -> [DeviceAddress] { lists[adapter]?.devices ?? [] }

  /// Whether others may be on an adapter's list that the capture does not show.
  func mayHoldOthers(_ adapter: UInt16) -> Bool { lists[adapter]?.isWhole != true }

  /// The only device on an adapter's list; nil if there are others, or may be: what has not been answered may have been
  /// done, and of two of a kind it is not sure which has been.
  func only(_ adapter: UInt16) -> DeviceAddress? {
    guard let list = lists[adapter], list.isWhole, list.asked.isEmpty, list.devices.count == 1 else { return nil }
    return list.devices[0]
  }

  /// The host asks for a change.
  mutating func ask(for change: FilterAcceptListChange, _ opcode: HCIOpcode, _ adapter: UInt16) {
    guard has(roomFor: adapter) else { return }
    var list = lists[adapter, default: List()]
    // What waits so long has lost its answer, and may have been done.
    if list.asked.count == Self.mostAsked {
      list.asked.removeFirst()
      list.isWhole = false
    }
    list.asked.append((opcode, change))
    lists[adapter] = list
  }

  /// The controller has made a change that the host asked for, or not: it answers those of a kind in their order.
  /// - Returns: The device that was on the list, if one was removed.
  mutating func answer(_ opcode: HCIOpcode, isDone: Bool, _ adapter: UInt16) -> DeviceAddress? {
    guard var list = lists[adapter], let place = list.asked.firstIndex(where: { $0.opcode == opcode }) else {
      return nil
    }
    let change = list.asked.remove(at: place).change
    defer { lists[adapter] = list }
    return isDone ? list.make(change) : nil
  }

  /// A controller begins anew.
  mutating func reset(_ adapter: UInt16) {
    if has(roomFor: adapter) { lists[adapter] = List(isWhole: true) }
  }

  private func has(roomFor adapter: UInt16) -> Bool { lists.count < Self.mostAdapters || lists[adapter] != nil }

  /// Records are missing: nobody knows what was changed in them.
  /// - Parameter adapter: The adapter whose they are; nil if they may be any one's.
  mutating func noteLoss(on adapter: UInt16? = nil) {
    if let adapter { lists[adapter] = nil } else { lists = [:] }
  }
}

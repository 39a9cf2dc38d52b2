import BluetoothHost
import CaptureFiles

/// The attempts to connect that have not come to an end: one at a time on each adapter.
struct ConnectionAttempts {
  private var attempts: [UInt16: Attempt] = [:]

  private struct Attempt {
    let opcode: HCIOpcode
    let peer: DeviceAddress?
    let time: Timestamp
    var isCancelled = false
  }

  mutating func begin(_ opcode: HCIOpcode, _ peer: DeviceAddress?, _ adapter: UInt16, at time: Timestamp) {
    attempts[adapter] = Attempt(opcode: opcode, peer: peer, time: time)
  }

  /// When the attempt under way began; nil if there is none.
  func begun(_ adapter: UInt16) -> Timestamp? { attempts[adapter]?.time }

  /// Whom the attempt under way is for; nil if there is none, or it is for anyone.
  func wanted(_ adapter: UInt16) -> DeviceAddress? { attempts[adapter]?.peer }

  mutating func cancel(_ adapter: UInt16) {
    attempts[adapter]?.isCancelled = true
  }

  /// The attempt, if any, has come to an end.
  /// - Returns: Whom it was for, when it began, and whether the host had given it up.
  mutating func finish(_ adapter: UInt16) -> (peer: DeviceAddress?, begun: Timestamp?, isCancelled: Bool) {
    let attempt = attempts.removeValue(forKey: adapter)
    return (attempt?.peer, attempt?.time, attempt?.isCancelled ?? false)
  }

  /// A command was refused.
  /// - Returns: Whom it wanted, if it was the attempt under way; nil within means anyone.
  mutating func refused(_ opcode: HCIOpcode, _ adapter: UInt16) -> DeviceAddress?? {
    guard let attempt = attempts[adapter], attempt.opcode == opcode else { return nil }
    attempts[adapter] = nil
    return .some(attempt.peer)
  }
}

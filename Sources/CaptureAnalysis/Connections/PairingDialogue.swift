import BluetoothHost
import CaptureFiles

/// What the two ends of a connection say to each other when they pair. Core 6.0, Vol 3, Part H, 3.
struct PairingDialogue {
  /// The key that the peer has told, until it tells whose it is.
  private var peerKey: IdentityResolvingKey?
  /// Whether a pairing has failed, and no other was begun since.
  private var hasFailed = false

  /// What is worth telling of it.
  enum News {
    /// Nil if the capture cut the reason away.
    case failed(PairingFailedReason?)
    /// The peer's lasting address, and the key that resolves its private ones.
    case identity(DeviceAddress, IdentityResolvingKey)
  }

  /// Takes a command.
  /// - Returns: What is new in it; nil if nothing is.
  mutating func take(_ command: SecurityManagerCommand, _ direction: Direction) -> News? {
    switch command {
    case .pairingFailed(let reason):
      // Some answer it with another one.
      guard !hasFailed else { return nil }
      hasFailed = true
      return .failed(reason)
    case .identityInformation(let key) where direction == .received: peerKey = key
    case .identityAddressInformation(let address?) where direction == .received:
      // Zeros stand for no lasting address: they would make one device of all that send them.
      guard let key = peerKey, address.isOfADevice else { return nil }
      peerKey = nil
      return .identity(address, key)
    default: hasFailed = false
    }
    return nil
  }

  /// Records were lost: another pairing may have begun.
  mutating func noteLoss() { hasFailed = false }
}

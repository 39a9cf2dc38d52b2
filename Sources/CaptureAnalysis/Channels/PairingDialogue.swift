import BluetoothHost
import CaptureFiles

/// What the two ends of a connection say to each other when they pair. Core 6.0, Vol 3, Part H, 3.
struct PairingDialogue {
  /// The key that the peer has told, until it tells whose it is.
  private var peerKey: IdentityResolvingKey?
  /// Whether a pairing has failed, and no other was begun since.
  private var hasFailed = false

  /// The step of a pairing that a command is; nil if it says again that it has failed: some answer that with another one.
  mutating func step(_ command: SecurityManagerCommand) -> PairingStep? {
    if case .pairingFailed(let reason) = command {
      defer { hasFailed = true }
      return hasFailed ? nil : .failed(reason)
    }
    hasFailed = false
    return switch command {
    case .securityRequest: .securityRequest
    case .pairingRequest: .request
    default: command.distributesKeys ? .key : .other
    }
  }

  /// Takes what the peer tells of itself.
  /// - Returns: Its lasting address, and the key that resolves its private ones, once both are known.
  mutating func identity(_ command: SecurityManagerCommand) -> (address: DeviceAddress, key: IdentityResolvingKey)? {
    switch command {
    case .identityInformation(let key): peerKey = key
    case .identityAddressInformation(let address?):
      // Zeros stand for no lasting address: they would make one device of all that send them.
      guard let key = peerKey, address.isOfADevice else { return nil }
      peerKey = nil
      return (address, key)
    default: break
    }
    return nil
  }

  /// Records were lost: another pairing may have begun.
  mutating func noteLoss() { hasFailed = false }
}

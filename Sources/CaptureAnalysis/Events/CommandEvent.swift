public import BluetoothHost

/// What the host tells its controller to do with a connection, or the controller's first word on it.
public struct CommandEvent: Hashable, Sendable {
  /// What is asked for.
  public enum Wish: Hashable, Sendable {
    /// Other connection parameters.
    case parameters(ConnectionParameterRequest)
    /// That it ends.
    case end
    /// That the link is encrypted.
    case encryption
    /// That it is not, as the peer wants it to be, since the host does not have the key.
    case noEncryption
  }

  /// How far it has come.
  public enum Step: Hashable, Sendable {
    /// The host asks.
    case asked
    /// The controller begins with it: whether it succeeds is told later.
    case begun
    /// The controller does not even begin.
    case refused(HCIErrorCode)
  }

  /// What is asked for.
  public let wish: Wish
  /// How far it has come.
  public let step: Step
}

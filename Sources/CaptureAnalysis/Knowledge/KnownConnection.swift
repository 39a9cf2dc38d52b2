public import BluetoothHost

/// A connection that was there before a capture began.
public struct KnownConnection: Hashable, Sendable {
  /// The adapter.
  public let adapter: UInt16
  /// The connection handle.
  public let handle: UInt16
  /// The peer.
  public let peer: DeviceAddress
  /// Whether it is a Low Energy connection.
  public let isLowEnergy: Bool
  /// The local host's role.
  public let role: ConnectionRole

  /// A connection from its parts.
  public init(adapter: UInt16, handle: UInt16, peer: DeviceAddress, isLowEnergy: Bool, role: ConnectionRole) {
    self.adapter = adapter
    self.handle = handle
    self.peer = peer
    self.isLowEnergy = isLowEnergy
    self.role = role
  }
}

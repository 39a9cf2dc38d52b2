public import BluetoothHost

/// A connection that a filter left out, as it could be asked for.
public struct HiddenConnection: Sendable {
  /// Its number.
  public let id: Int
  /// The peer's name; nil if it is not known.
  public let name: String?
  /// The peer's address, the lasting one where that is known; nil if none is.
  public let address: DeviceAddress?
  /// The address that it used on this connection; nil if it is not known.
  let usedAddress: DeviceAddress?
  /// The private address that its controller resolved; nil if it did not.
  let privateAddress: DeviceAddress?

  init(_ connection: ConnectionSummary) {
    (id, name, address) = (connection.id, connection.peer.name, connection.lastingAddress)
    (usedAddress, privateAddress) = (connection.address, connection.privateAddress)
  }
}

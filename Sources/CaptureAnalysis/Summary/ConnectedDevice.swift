import BluetoothHost

/// The device at an end of a connection, as it is known again on others: the peer, as one adapter reaches it, or the
/// adapter itself.
package struct ConnectedDevice: Hashable {
  private let adapter: UInt16
  /// Nil for the adapter itself.
  private let address: DeviceAddress?

  /// Nil of a peer that is not known: its connections stand alone.
  package init?(_ side: ServerSide, of connection: ConnectionSummary) {
    self.init(side, connection.adapter, peer: connection.lastingAddress)
  }

  /// The same where a connection begins.
  init?(_ side: ServerSide, of event: ConnectedEvent) {
    self.init(side, event.adapter, peer: event.peer.lastingAddress)
  }

  private init?(_ side: ServerSide, _ adapter: UInt16, peer: DeviceAddress?) {
    guard side == .local || peer != nil else { return nil }
    self.adapter = adapter
    address = side == .peer ? peer : nil
  }
}

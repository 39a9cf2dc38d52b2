import BluetoothHost
import CaptureAnalysis

/// Who is at the other end of a connection: what all connections of one adapter to one device have in common.
struct RemoteDevice: Hashable {
  private let adapter: UInt16
  private let address: DeviceAddress

  /// The peer of a connection; nil if it is not known.
  init?(_ connection: ConnectionSummary) {
    guard let address = connection.lastingAddress else { return nil }
    (adapter, self.address) = (connection.adapter, address)
  }
}

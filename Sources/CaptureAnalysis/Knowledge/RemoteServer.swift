import BluetoothHost

/// A peer's server, as an adapter reaches it. A device shows services over Low Energy that it does not show over BR/EDR,
/// and the other way round, so that what is discovered over one of them does not say what there is over the other.
struct RemoteServer: Hashable {
  let adapter: UInt16
  /// The peer's lasting address.
  var address: DeviceAddress
  /// Whether it is reached over Low Energy. Where nothing tells, it is: heart rate sensors are.
  let isLowEnergy: Bool

  /// The same device's server over the other of the two.
  var otherTransport: RemoteServer { RemoteServer(adapter: adapter, address: address, isLowEnergy: !isLowEnergy) }
}

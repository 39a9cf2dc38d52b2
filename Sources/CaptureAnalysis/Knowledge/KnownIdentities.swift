import BluetoothHost

/// The devices whose private addresses can be resolved, because the capture holds their keys: from pairing, or as the
/// host hands them to its controller.
struct KnownIdentities {
  private var devices: [(key: IdentityResolvingKey, address: DeviceAddress)] = []

  /// No host knows as many; each costs a decryption for every connection.
  private static let most = 64

  /// A device's key becomes known.
  mutating func learn(_ key: IdentityResolvingKey, of address: DeviceAddress) {
    devices.removeAll { $0.address == address }
    if devices.count < Self.most { devices.append((key, address)) }
  }

  /// Who uses a private address, if that is known.
  func identity(of address: DeviceAddress) -> DeviceAddress? {
    address.isResolvable ? devices.first { $0.key.resolves(address) }?.address : nil
  }
}

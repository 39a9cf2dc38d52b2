import BluetoothHost

/// The devices whose private addresses are known to be theirs, because the capture holds their keys, from pairing or as the
/// host hands them to its controller; or because a controller says so.
struct KnownIdentities: Sendable {
  private var devices: [Device] = []
  /// How many of them, the first ones, are known from elsewhere: they make room for others.
  private var foreign = 0
  /// How many keys were learned.
  private var news = 0
  /// The private addresses that a controller has resolved.
  private var resolved: [DeviceAddress: DeviceAddress] = [:]
  /// Private addresses that no key resolved when connections began.
  private var unresolved: Set<DeviceAddress> = []

  /// No host knows as many; each costs a decryption for every connection.
  private static let most = 64
  /// No capture has as many; each costs a decryption for every private address that had a connection.
  private static let mostNews = 256
  private static let mostUnresolved = 1024
  private static let mostResolved = 1024

  private struct Device {
    let key: IdentityResolvingKey
    let address: DeviceAddress
    /// The adapters that know it.
    var adapters: Set<UInt16>
  }

  /// Those that are known beforehand.
  init(_ known: KnownIdentities? = nil) {
    devices = known?.devices ?? []
    foreign = devices.count
    resolved = known?.resolved ?? [:]
  }

  /// A controller says whose a private address is.
  /// - Returns: Whether that is news.
  mutating func learn(_ address: DeviceAddress, asOf identity: DeviceAddress) -> Bool {
    guard address.isResolvable, resolved.count < Self.mostResolved, self.identity(of: address) != identity else {
      return false
    }
    resolved[address] = identity
    return true
  }

  /// A device's key becomes known.
  /// - Returns: Whether that is news. A host hands the same keys to its controller again and again.
  mutating func learn(_ key: IdentityResolvingKey, of address: DeviceAddress, adapter: UInt16) -> Bool {
    let place = devices.firstIndex { $0.address == address }
    let isSame = place.map { devices[$0].key == key } ?? false
    if let place, isSame, devices[place].adapters.contains(adapter) { return false }
    guard news < Self.mostNews else { return false }
    news += 1
    if let place, isSame {
      devices[place].adapters.insert(adapter)
      return true
    }
    if let place { remove(at: place) }
    if devices.count >= Self.most, foreign > 0 { remove(at: 0) }
    if devices.count < Self.most { devices.append(Device(key: key, address: address, adapters: [adapter])) }
    return true
  }

  private mutating func remove(at place: Int) {
    devices.remove(at: place)
    if place < foreign { foreign -= 1 }
  }

  /// How many are known, and how many private addresses beside their keys.
  var count: Int { devices.count + resolved.count }

  /// Takes over what is known from elsewhere of devices that are not known yet.
  mutating func add(_ other: KnownIdentities) {
    for device in other.devices where devices.count < Self.most {
      if !devices.contains(where: { $0.address == device.address }) { devices.append(device) }
    }
    for (address, identity) in other.resolved where resolved.count < Self.mostResolved && resolved[address] == nil {
      resolved[address] = identity
    }
  }

  /// Who uses a private address, if that is known.
  func identity(of address: DeviceAddress) -> DeviceAddress? {
    guard address.isResolvable else { return nil }
    return resolved[address] ?? devices.first { $0.key.resolves(address) }?.address
  }

  /// Who begins a connection under a private address, if that is known.
  mutating func identity(ofPeer address: DeviceAddress) -> DeviceAddress? {
    guard address.isResolvable else { return nil }
    if let identity = identity(of: address) { return identity }
    if unresolved.count < Self.mostUnresolved { unresolved.insert(address) }
    return nil
  }

  /// Whether it came to light of connections only after they had begun whose they are.
  var areLate: Bool { unresolved.contains { identity(of: $0) != nil } }
}

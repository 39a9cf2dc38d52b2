import BluetoothHost
import GATTKit

// Databases that were written down without the device they are of.

extension CaptureKnowledge {
  /// One that such a database may be of.
  enum UntoldPeer: Hashable {
    case device(DeviceAddress)
    /// Who has no address in the capture, by the connection's number.
    case connection(Int)

    init(_ peer: RemoteServer?, connection: Int) {
      self = peer.map { .device($0.address) } ?? .connection(connection)
    }
  }

  /// Whether there is any database that does not name its device.
  public var hasUnnamedDatabases: Bool { databases.contains { $0.address == nil } }

  /// For whom such databases are taken, once the capture has been read.
  public var unnamedDatabasePeers: [String] { unnamed.keys.map(\.description).sorted() }

  /// For whom none is taken, though nothing else tells what they have sent or were asked for.
  public func peersWithoutUnnamedDatabase(_ conclusions: Conclusions) -> [String] {
    let peers = hasUnnamedDatabases ? untoldPeers(of: conclusions) : []
    return Set(peers.map(\.untoldPeer)).filter { unnamed[$0] == nil }.map(\.description).sorted()
  }

  /// The database that is taken for the peer of a connection of which nothing else tells. Where the capture cannot be read
  /// again, nobody knows yet what the peer's values will be.
  /// - Parameters:
  ///   - addresses: The peer's, of which the lasting one comes first.
  ///   - name: What it is called.
  func unnamedDatabase(for connection: Int, with addresses: [DeviceAddress?], called name: String?) -> PeerDatabase? {
    if concludesAtOnce { return databases.first { $0.address == nil && $0.isCalled(name) != false } }
    guard !unnamed.isEmpty else { return nil }
    let devices = addresses.compactMap(\.self).map(UntoldPeer.device)
    return (devices + [.connection(connection)]).lazy.compactMap { unnamed[$0] }.first
  }

  /// What a capture that has been read makes of databases that name no device: for whom each is taken.
  func unnamedDatabases(_ conclusions: Conclusions) -> [UntoldPeer: PeerDatabase] {
    guard hasUnnamedDatabases, !concludesAtOnce else { return [:] }
    let peers = untoldPeers(of: conclusions)
    var taken: [UntoldPeer: PeerDatabase] = [:]
    for known in databases where known.address == nil {
      let strangers = Set(peers.filter { contradicts($0, known, conclusions) }.map(\.untoldPeer))
      let users = peers.filter { $0.used(known.database) }.map(\.untoldPeer)
      let namesakes = conclusions.names.filter { address, name in
        known.isCalled(name) == true && !isTold(address, conclusions)
      }
      for peer in users + namesakes.keys.map(UntoldPeer.device) where taken[peer] == nil && !strangers.contains(peer) {
        taken[peer] = known
      }
    }
    return taken
  }

  /// Peers that have notified values, or were asked for some, of which nothing tells what they are.
  private func untoldPeers(of conclusions: Conclusions) -> [UnknownNotifications] {
    conclusions.unknown.filter { $0.server == .peer && !isTold($0.peer?.address, conclusions) }
  }

  /// Whether a device's services are known from elsewhere.
  private func isTold(_ address: DeviceAddress?, _ conclusions: Conclusions) -> Bool {
    database(of: address, under: address) != nil
      || address.flatMap { conclusions.peers[$0] }?.hasServices ?? false
  }

  /// Whether a database is not of a connection's peer: that has another name; or heart rates come from elsewhere, or none
  /// from where the measurement is. Of a device with that name, they may be damaged.
  private func contradicts(
    _ peer: UnknownNotifications, _ known: PeerDatabase, _ conclusions: Conclusions
  ) -> Bool {
    let database = known.database
    let address = peer.peer?.address
    let name = address.flatMap { conclusions.names[$0] } ?? self.name(of: address)
    let isNamesake = known.isCalled(name)
    if isNamesake == false || peer.handles.contains(where: database.cannotNotify) { return true }
    let measurements = peer.handles.filter { database.type(of: $0) == .heartRateMeasurement }
    if isNamesake == nil, measurements.contains(where: peer.unlikely.contains) { return true }
    return conclusions.inferences.contains { found in
      found.connection == peer.connection && found.inference.server == .peer
        && found.inference.confidence >= minConfidence
        && database.type(of: found.inference.handle) != .heartRateMeasurement
    }
  }
}

extension CaptureKnowledge.UntoldPeer: CustomStringConvertible {
  var description: String {
    switch self {
    case .device(let address): "\(address)"
    case .connection(let number): "connection \(number)"
    }
  }
}

extension CaptureKnowledge.PeerDatabase {
  /// Whether a device's name is that of the one that it is of: nil where one of them is not known. Of a name, some tell
  /// only the beginning.
  fileprivate func isCalled(_ other: String?) -> Bool? {
    guard let name, let other else { return nil }
    return name.hasPrefix(other) || other.hasPrefix(name)
  }
}

extension UnknownNotifications {
  fileprivate var untoldPeer: CaptureKnowledge.UntoldPeer { .init(peer, connection: connection) }

  /// Whether anything that notified, or was read or written, is of the heart rate service of a database.
  fileprivate func used(_ database: GATTDatabase) -> Bool {
    handles.contains { database.type(of: $0) == .heartRateMeasurement }
      || asked.contains { database.type(of: $0) != nil && database.serviceType(at: $0) == .heartRateService }
  }
}

import BluetoothHost
import GATTKit

/// What captures have told of peers, for looking up what it says of one.
public struct PeerTables: Sendable {
  fileprivate let databases: [DeviceAddress: GATTDatabase]
  fileprivate let identities: KnownIdentities
  fileprivate let spans: CaptureSpans
  fileprivate let inferred: KnownInferences

  /// What was told.
  public init(of conclusions: Conclusions) {
    databases = conclusions.peers
    identities = conclusions.identities
    spans = conclusions.allSpans
    inferred = conclusions.allInferred
  }

  /// What was told of a peer, and under which address: its lasting one, or the one that it uses.
  fileprivate func database(of address: DeviceAddress) -> (address: DeviceAddress, database: GATTDatabase)? {
    for case let address? in [identities.identity(of: address), address] {
      if let database = databases[address] { return (address, database) }
    }
    return nil
  }

  /// Whether other captures' values are sure to be heart rates where this one's are not.
  fileprivate func tellMore(of found: ConnectionInference) -> Bool {
    let sure = CaptureKnowledge.usualMinConfidence
    guard found.inference.confidence < sure, let address = found.peer?.address else { return false }
    return [identities.identity(of: address), address].contains {
      inferred.confidence(of: found, under: $0) ?? 0 >= sure
    }
  }
}

extension Conclusions {
  /// What other captures tell of peers of which something notified here, or was read or written, that nothing here names;
  /// nil if they name nothing of it.
  ///
  /// Where a heart rate measurement was discovered here, the tables of this capture hold. Where its values speak for one
  /// that another capture's table denies, that table is of another time.
  public func help(from others: PeerTables) -> Conclusions? {
    func told(_ address: DeviceAddress) -> (address: DeviceAddress, database: GATTDatabase)? {
      guard let peer = others.database(of: address),
        peers[peer.address]?.holdsCharacteristic(.heartRateMeasurement) != true
      else { return nil }
      return peer
    }
    func told(_ peer: RemoteServer?, _ server: ServerSide) -> (address: DeviceAddress, database: GATTDatabase)? {
      server == .peer ? (peer?.address).flatMap(told) : nil
    }
    var helping: [DeviceAddress: GATTDatabase] = [:]
    for unknown in unknown {
      guard let peer = told(unknown.peer, unknown.server) else { continue }
      let handles = unknown.handles + unknown.asked
      if handles.contains(where: { peer.database.type(of: $0) != nil }) { helping[peer.address] = peer.database }
    }
    for found in inferences {
      guard let peer = told(found.peer, found.inference.server) else { continue }
      if peer.database.type(of: found.inference.handle) == .heartRateMeasurement {
        helping[peer.address] = peer.database
      } else if found.inference.confidence >= CaptureKnowledge.usualMinConfidence, peer.database.denies(found.inference)
      {
        helping[peer.address] = nil
      }
    }
    let continued = span.map { span in
      span.strangers.compactMap { others.spans.connection(on: $0, of: span.controller(of: $0.adapter), at: span.begin) }
    }
    let shared = span.map(others.spans.connections(sharedWith:)) ?? []
    for known in (continued ?? []) + shared {
      if let peer = told(known.peer) { helping[peer.address] = peer.database }
    }
    let mayKnowOwn = lacksOwnTable && span.map { others.spans.hasEnd(at: $0.begin) } ?? false
    guard
      !helping.isEmpty || continued?.isEmpty == false || !shared.isEmpty || mayKnowOwn
        || inferences.contains(where: others.tellMore)
    else { return nil }
    return Conclusions(peers: helping, others.identities, others.spans, others.inferred)
  }
}

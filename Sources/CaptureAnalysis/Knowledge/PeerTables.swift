import BluetoothHost
import GATTKit

/// What captures have told of peers, for looking up what it says of one.
public struct PeerTables: Sendable {
  fileprivate let databases: [DeviceAddress?: CaptureKnowledge.PeerDatabase]
  fileprivate let identities: KnownIdentities
  fileprivate let spans: CaptureSpans
  fileprivate let inferred: KnownInferences

  /// What was told.
  public init(of conclusions: Conclusions) {
    databases = Dictionary(conclusions.peers.map { ($0.address, $0) }) { first, _ in first }
    identities = conclusions.identities
    spans = conclusions.allSpans
    inferred = conclusions.allInferred
  }

  /// What was told of a peer, under its lasting address or under the one that it uses.
  fileprivate func database(of address: DeviceAddress) -> CaptureKnowledge.PeerDatabase? {
    identities.identity(of: address).flatMap { databases[$0] } ?? databases[address]
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
    let own = Set(peers.filter { $0.database.holdsCharacteristic(.heartRateMeasurement) }.map(\.address))
    func told(_ peer: RemoteServer?, _ server: ServerSide) -> CaptureKnowledge.PeerDatabase? {
      guard server == .peer, let address = peer?.address else { return nil }
      return others.database(of: address).flatMap { own.contains($0.address) ? nil : $0 }
    }
    var helping: [DeviceAddress?: CaptureKnowledge.PeerDatabase] = [:]
    for unknown in unknown {
      guard let peer = told(unknown.peer, unknown.server) else { continue }
      let handles = unknown.handles + unknown.asked
      if handles.contains(where: { peer.database.type(of: $0) != nil }) { helping[peer.address] = peer }
    }
    for found in inferences {
      guard let peer = told(found.peer, found.inference.server) else { continue }
      if peer.database.type(of: found.inference.handle) == .heartRateMeasurement {
        helping[peer.address] = peer
      } else if found.inference.confidence >= CaptureKnowledge.usualMinConfidence, peer.database.denies(found.inference)
      {
        helping[peer.address] = nil
      }
    }
    let continued = span.map { span in
      span.strangers.compactMap { others.spans.connection(on: $0, at: span.begin) }
    }
    for known in continued ?? [] {
      guard let peer = others.database(of: known.peer), !own.contains(peer.address) else { continue }
      helping[peer.address] = peer
    }
    let mayKnowOwn = lacksOwnTable && span.map { others.spans.hasEnd(at: $0.begin) } ?? false
    guard !helping.isEmpty || continued?.isEmpty == false || mayKnowOwn || inferences.contains(where: others.tellMore)
    else { return nil }
    return Conclusions(peers: Array(helping.values), others.identities, others.spans, others.inferred)
  }
}

public import BluetoothHost
public import GATTKit

/// What is known of a capture before it is read: from other captures, from files that were imported, or because it was
/// read before.
public struct CaptureKnowledge: Sendable {
  /// How sure an inference must be to count.
  public var minConfidence: Double
  /// Whether attributes are taken for heart rates as soon as that is sure enough, because the capture cannot be read
  /// again when all is known.
  public var concludesAtOnce = false
  /// The databases of peers.
  public var databases: [PeerDatabase]
  /// What was inferred of a connection's attributes, by the connection's number.
  public var inferences: [Int: [Inference]]

  /// Below this, an inference is only a candidate.
  public static let usualMinConfidence = 0.9

  /// Knowledge of nothing.
  public init(minConfidence: Double = usualMinConfidence, databases: [PeerDatabase] = []) {
    self.minConfidence = minConfidence
    self.databases = databases
    inferences = [:]
  }

  /// Where a database comes from.
  public enum Origin: String, Hashable, Sendable {
    /// From another connection with the same peer.
    case otherConnection = "earlier-connection"
    /// From a file.
    case imported
  }

  /// A peer's database.
  public struct PeerDatabase: Sendable {
    /// Whose it is; nil if it is to hold for every peer whose own is not known.
    public let address: DeviceAddress?
    /// What is in it.
    public let database: GATTDatabase
    /// Where it comes from.
    public let origin: Origin

    /// A database from its parts.
    public init(address: DeviceAddress?, database: GATTDatabase, origin: Origin) {
      self.address = address
      self.database = database
      self.origin = origin
    }
  }

  /// The database for a peer, if there is one: its own before one that is for every peer.
  func database(of address: DeviceAddress?) -> PeerDatabase? {
    // Who writes a database down may not know which kind of address it is.
    if let address, let own = databases.first(where: { $0.address?.number == address.number }) { return own }
    return databases.first { $0.address == nil }
  }

  /// Takes what one capture has told of devices, for others that are read after it.
  public mutating func remember(_ conclusions: Conclusions) {
    // What was seen counts more than what was imported.
    databases.insert(contentsOf: conclusions.peers, at: 0)
    databases.removeLast(max(0, databases.count - Self.mostDatabases))
  }

  private static let mostDatabases = 1000

  /// Takes what reading the capture once has told, for reading it again.
  /// - Returns: Whether reading it again would tell more.
  public mutating func learn(_ conclusions: Conclusions) -> Bool {
    for database in conclusions.databases where !databases.contains(where: { $0.address == database.address }) {
      databases.append(database)
    }
    for found in conclusions.inferences {
      guard let best = conclusions.best(like: found), best.inference.confidence >= minConfidence,
        !conclusions.hasRival(of: found, besides: best)
      else { continue }
      var inference = found.inference
      if best.connection != found.connection {
        inference.confidence = best.inference.confidence
        inference.evidence.append("on connection \(best.connection) the same device's values tell more")
      }
      inferences[found.connection, default: []].append(inference)
    }
    return !inferences.isEmpty || !conclusions.databases.isEmpty
  }
}

/// What is known of attributes without discovery when a capture has been read.
public struct Conclusions: Sendable {
  /// What was inferred, for each connection.
  var inferences: [ConnectionInference] = []
  /// The databases of all peers whose addresses are known.
  var peers: [CaptureKnowledge.PeerDatabase] = []
  /// The databases of peers that were discovered only after their values had come.
  var databases: [CaptureKnowledge.PeerDatabase] = []

  /// As many as are kept.
  private static let most = 10_000

  /// Nothing yet.
  public init() {}

  /// Adds what another capture has told of devices.
  public mutating func add(_ other: Conclusions) {
    peers = other.peers + peers.filter { peer in !other.peers.contains { $0.address == peer.address } }
  }

  mutating func add(_ inference: ConnectionInference) {
    if inferences.count < Self.most { inferences.append(inference) }
  }

  /// The surest inference about the same attribute of the same device.
  func best(like inference: ConnectionInference) -> ConnectionInference? {
    guard inference.peer != nil else { return inference }
    return inferences.filter { $0.isAboutSameAttribute(as: inference) }
      .max { $0.inference.confidence < $1.inference.confidence }
  }
}

extension Conclusions {
  /// Whether another attribute of the same server on the same connection is the surer one.
  func hasRival(of inference: ConnectionInference, besides best: ConnectionInference) -> Bool {
    inferences.contains { other in
      other.connection == inference.connection && other.inference.server == inference.inference.server
        && other.inference.handle != inference.inference.handle
        && (self.best(like: other)?.inference.confidence ?? 0) > best.inference.confidence
    }
  }
}

/// An inference, and the connection on which it rests.
struct ConnectionInference: Sendable {
  /// The connection's number, in order of appearance.
  let connection: Int
  let adapter: UInt16
  /// The peer; nil if it is not known.
  let peer: DeviceAddress?
  /// What was inferred.
  let inference: Inference

  func isAboutSameAttribute(as other: ConnectionInference) -> Bool {
    adapter == other.adapter && peer == other.peer && inference.server == other.inference.server
      && inference.handle == other.inference.handle
  }
}

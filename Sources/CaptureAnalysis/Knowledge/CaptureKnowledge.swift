public import BluetoothHost
import CaptureFiles
public import GATTKit

/// What is known of a capture before it is read: from other captures, from files that were imported, or because it was
/// read before.
public struct CaptureKnowledge: Sendable {
  /// How sure an inference must be to count.
  public var minConfidence: Double
  /// Whether attributes are taken for heart rates as soon as that is sure enough, because the capture cannot be read
  /// again when all is known.
  public var concludesAtOnce = false
  /// The zone of a capture's times, where they are not UTC; nil if none was given.
  public var zone: TimeZoneRule?
  /// The databases of peers that are known from elsewhere than other captures.
  public var databases: [PeerDatabase]
  /// Those that other captures tell.
  private var peers: [DeviceAddress: GATTDatabase] = [:]
  /// What was inferred of a connection's attributes, by the connection's number.
  public var inferences: [Int: [Inference]] = [:]
  /// What was as sure, but denied by what was discovered, in the same way.
  private(set) var denied: [Int: [Inference]] = [:]
  /// Whether the writer has left the direction of all packets at what it was.
  var directionsAreFalse = false
  /// Which adapters go on with one that was heard before.
  var continuedAdapters = ContinuedAdapters()
  /// Databases that name no device, by whom they are taken for.
  var unnamed: [UntoldPeer: PeerDatabase] = [:]
  /// Of several databases of one device, which it is, where it is not the first.
  var rivals: [DeviceAddress: PeerDatabase] = [:]
  /// What was discovered of a connection's servers only after values had come, by the connection's number.
  var discovered: [Int: ServerDatabases] = [:]
  /// What attributes turned out to be after values had come that were told by an earlier table.
  var revisions: [TablePeriod: [UInt16: RevisedType]] = [:]
  /// The periods of a server's table that begin where it said so, though nothing had told by then that it did.
  var changes: Set<TablePeriod> = []
  /// Where what comes behind the end of a connection is the next one's with its handle.
  var lateEnds: Set<RecordPlace> = []
  /// Connections that ended where records are missing, by the first record behind them.
  var lostEnds: [RecordPlace: [LostEnd]] = [:] {
    didSet { handlesOfLostEnds = Set(lostEnds.values.joined().map(\.handle)) }
  }
  private var handlesOfLostEnds: Set<AdapterHandle> = []
  /// The channels of ATT that were opened before the capture, by the connection's number.
  var channels: [Int: [KnownChannel]] = [:]
  /// The devices whose private addresses can be resolved.
  var identities = KnownIdentities()
  /// What devices are called, as other captures tell.
  private var names: [DeviceAddress: String] = [:]
  /// Connections that are there when the capture begins.
  public var connections: [KnownConnection] = []
  /// Those that another capture of the same host tells of, which holds the same records.
  private var shared: [KnownConnection] = []
  /// When other captures began and ended, and which connections were there in the end.
  private var spans = CaptureSpans()
  /// What other captures inferred.
  private var inferred = KnownInferences()

  /// Below this, an inference is only a candidate.
  public static let usualMinConfidence = 0.9

  /// Knowledge of nothing.
  public init(
    minConfidence: Double = usualMinConfidence, databases: [PeerDatabase] = [], zone: TimeZoneRule? = nil
  ) {
    self.minConfidence = minConfidence
    self.databases = databases
    self.zone = zone
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
    /// Whose it is; nil if that is not known: then it is taken for those of which nothing contradicts that.
    public let address: DeviceAddress?
    /// What that is called; nil if it is not known.
    public let name: String?
    /// What is in it.
    public let database: GATTDatabase
    /// Where it comes from.
    public let origin: Origin

    /// A database from its parts.
    public init(address: DeviceAddress?, name: String? = nil, database: GATTDatabase, origin: Origin) {
      self.address = address
      self.name = name?.unlessBlank
      self.database = database
      self.origin = origin
    }
  }

  /// The database for a peer, if there is one.
  /// - Parameter used: The address that it uses: where another capture does not tell whose that is, the database is there.
  func database(of address: DeviceAddress?, under used: DeviceAddress?) -> PeerDatabase? {
    for case let address? in [address, used] {
      // What was seen counts more than what was imported.
      if let told = peers[address] {
        return PeerDatabase(address: address, database: told, origin: .otherConnection)
      }
      if let own = rivals[address] ?? databases.first(where: { $0.address == address }) { return own }
    }
    // Who writes a database down may not know which kind of address it is; a capture tells.
    if let address, let own = databases.first(where: { $0.origin == .imported && $0.address?.number == address.number })
    {
      return own.address.flatMap { rivals[$0] } ?? own
    }
    return nil
  }

  /// Takes what the captures have told of devices that were read before. There may be thousands, and this is done for each:
  /// it copies nothing, as long as whoever asks adds to it only once this knowledge is gone.
  public mutating func remember(_ conclusions: Conclusions) {
    peers = conclusions.peers
    databases.removeLast(max(0, databases.count - Self.mostDatabases))
    identities.add(conclusions.identities)
    names = conclusions.names
    spans = conclusions.allSpans
    inferred = conclusions.allInferred
  }

  /// What a device is called that has not told it in this capture so far.
  func name(of address: DeviceAddress?) -> String? { address.flatMap { names[$0] } }

  /// The connection that has a handle when the capture begins: one that is known to be there, or was where another ended.
  /// - Parameter controller: What is known of the adapter's controller.
  func connection(
    on handle: AdapterHandle, of controller: ControllerIdentity, at begin: Timestamp
  ) -> KnownConnection? {
    (connections + shared).first { $0.adapterHandle == handle }
      ?? spans.connection(on: handle, of: controller, at: begin)
  }

  private static let mostDatabases = 1000

  /// Takes what has to be known before anything is made of a connection. Of this, one comes to light only in a reading that
  /// knows the one before: for each that is told, the capture is read again.
  /// - Parameters:
  ///   - first: The first reading of it.
  ///   - conclusions: What a reading has told.
  ///   - readAgain: Reads it with what is known.
  /// - Returns: The last reading.
  public mutating func learnGrounds<Reading, Failure: Error>(
    from first: Reading, _ conclusions: (Reading) -> Conclusions,
    readAgain: (CaptureKnowledge) throws(Failure) -> Reading
  ) throws(Failure) -> Reading {
    var reading = first
    if learnDirections(conclusions(reading)) { reading = try readAgain(self) }
    if learnAdapters(conclusions(reading)) { reading = try readAgain(self) }
    if learnStrangers(conclusions(reading)) { reading = try readAgain(self) }
    if learnBeginnings(conclusions(reading)) { reading = try readAgain(self) }
    if learnChannels(conclusions(reading)) { reading = try readAgain(self) }
    if learnChanges(conclusions(reading)) { reading = try readAgain(self) }
    return reading
  }

  /// Whether a capture that was read with what is known, and told this, would tell more if it were read again.
  public func wouldLearn(from conclusions: Conclusions) -> Bool {
    var later = self
    return later.learnDirections(conclusions) || later.learnAdapters(conclusions) || later.learnBeginnings(conclusions)
      || later.learnChannels(conclusions) || later.learnChanges(conclusions)
      || !later.unnamedDatabases(conclusions).isEmpty
      || !later.rivalDatabases(conclusions).isEmpty || later.learn(conclusions)
  }

  /// Takes whether the capture tells which way its packets went.
  /// - Returns: Whether reading it again tells which way those went that came before that was found out.
  private mutating func learnDirections(_ conclusions: Conclusions) -> Bool {
    directionsAreFalse = conclusions.directionsAreFalse
    return directionsAreFalse
  }

  /// Takes which adapters go on with one that was heard before.
  /// - Returns: Whether reading it again tells which connections do.
  private mutating func learnAdapters(_ conclusions: Conclusions) -> Bool {
    continuedAdapters = conclusions.continuedAdapters
    return !continuedAdapters.isEmpty
  }

  /// Takes which records the capture holds: others may hold the same, and know whose they are.
  /// - Returns: Whether reading it again tells with whom connections are that were there before it.
  private mutating func learnStrangers(_ conclusions: Conclusions) -> Bool {
    shared = conclusions.span.map(spans.connections(sharedWith:)) ?? []
    return !shared.isEmpty
  }

  /// Takes where connections have begun before it was reported, and where unseen: what is made of one goes by its number,
  /// and they are numbered as they begin.
  /// - Returns: Whether reading it again tells which data are whose.
  private mutating func learnBeginnings(_ conclusions: Conclusions) -> Bool {
    lateEnds = conclusions.lateEnds
    lostEnds = Dictionary(grouping: conclusions.lostEnds, by: \.record)
    return !lateEnds.isEmpty || !lostEnds.isEmpty
  }

  /// Whether a connection with a handle ends where records are missing.
  @inline(__always)
  func endsUnseen(_ handle: AdapterHandle) -> Bool { !handlesOfLostEnds.isEmpty && handlesOfLostEnds.contains(handle) }

  /// Whether one does before a record.
  func endsUnseen(_ handle: AdapterHandle, at record: RecordPlace) -> Bool {
    lostEnds[record]?.contains { $0.handle == handle } ?? false
  }

  /// Takes which channels were open before the capture.
  /// - Returns: Whether reading it again tells what went over them before they gave themselves away.
  private mutating func learnChannels(_ conclusions: Conclusions) -> Bool {
    channels = conclusions.channels
    return !channels.isEmpty
  }

  /// Takes where servers have said that their tables had changed.
  /// - Returns: Whether reading it again tells what came before, and what behind that.
  private mutating func learnChanges(_ conclusions: Conclusions) -> Bool {
    changes = conclusions.changes
    return !changes.isEmpty
  }

  /// Takes what a reading of the capture has told, for reading it again. What a database that names no device says of those
  /// for whom it is taken comes to light in a reading that knows it, as what one says that does name its device.
  /// - Parameters:
  ///   - reading: What it has told.
  ///   - readAgain: Reads it with what is known.
  /// - Returns: Whether reading it again would tell more.
  public mutating func learn<Failure: Error>(
    from reading: Conclusions, readAgain: (CaptureKnowledge) throws(Failure) -> Conclusions
  ) throws(Failure) -> Bool {
    unnamed = unnamedDatabases(reading)
    rivals = rivalDatabases(reading)
    return learn(unnamed.isEmpty && rivals.isEmpty ? reading : try readAgain(self))
  }

  private mutating func learn(_ conclusions: Conclusions) -> Bool {
    discovered = conclusions.discovered
    revisions = conclusions.revisions
    identities = conclusions.identities
    for found in conclusions.inferences {
      if let inference = inference(found, conclusions) { inferences[found.connection, default: []].append(inference) }
    }
    let denied = conclusions.denied.filter { $0.inference.outweighsTable(minConfidence) }
    self.denied = Dictionary(grouping: denied, by: \.connection).mapValues { $0.map(\.inference) }
    return !inferences.isEmpty || !discovered.isEmpty || !revisions.isEmpty || identities.areLate || !unnamed.isEmpty
      || !rivals.isEmpty
  }

  /// What an attribute is, its own values tell, rivals weighed; or those on another connection, where none is surer; or those
  /// in another capture, where its own may be heart rates at all: its server's table may have changed since.
  /// - Returns: nil if it is not sure enough.
  private func inference(_ found: ConnectionInference, _ conclusions: Conclusions) -> Inference? {
    guard let best = conclusions.best(like: found) else { return nil }
    let elsewhere = inferred.confidence(of: found, under: found.peer?.address) ?? 0
    // The table that is known is not doubted for a value or two.
    if found.inference.deniesTable, elsewhere < minConfidence, !conclusions.outweighsTable(found, minConfidence) {
      return nil
    }
    var inference = found.inference
    if best.inference.confidence >= minConfidence {
      inference.confidence = best.inference.confidence
      if best.connection != found.connection {
        inference.evidence.append("on connection \(best.connection) the same device's values tell more")
      }
    } else if elsewhere >= minConfidence, !conclusions.isUnlikely(found) {
      inference.confidence = elsewhere
      inference.evidence.append("in another capture the same device's values tell more")
    } else {
      return nil
    }
    let isSureItself = found.inference.confidence >= minConfidence
    return isSureItself || !conclusions.hasRival(of: found, atMost: inference.confidence) ? inference : nil
  }
}

import BluetoothHost
public import CaptureFiles
import GATTKit

/// What is known of attributes without discovery when a capture has been read.
public struct Conclusions: Sendable {
  /// What was inferred, for each connection.
  var inferences: [ConnectionInference] = []
  /// What was inferred and then denied by what was discovered, for each connection.
  private(set) var denied: [ConnectionInference] = []
  /// Whether it came to light behind data that the writer has left the direction of all packets at what it was.
  var directionsAreFalse = false
  /// Which adapters go on with one that was heard before.
  var continuedAdapters = ContinuedAdapters()
  /// The databases of all peers whose addresses are known.
  var peers: [DeviceAddress: GATTDatabase] = [:]
  /// What was discovered of each connection's servers only after values had come, by the connection's number.
  private(set) var discovered: [Int: ServerDatabases] = [:]
  /// How many attributes those know, each as often as it was learned.
  private var discoveredCount = 0
  /// What attributes turned out to be after values had come that were told by an earlier table.
  private(set) var revisions: [TablePeriod: [UInt16: RevisedType]] = [:]
  /// How many attributes these are.
  private var revisedCount = 0
  /// The periods of a server's table that begin where it said so, as came to light only behind that.
  private(set) var changes: Set<TablePeriod> = []
  /// Where what comes behind the end of a connection is the next one's with its handle.
  private(set) var lateEnds: Set<RecordPlace> = []
  /// Connections that ended where records are missing, and on whose handles others began there.
  private(set) var lostEnds: Set<LostEnd> = []
  /// The channels of ATT that were opened before the capture, by the connection's number, in the order they were found: of
  /// two with the same number the later one holds.
  private(set) var channels: [Int: [KnownChannel]] = [:]
  private var channelCount = 0
  /// The devices whose private addresses can be resolved.
  private(set) var identities = KnownIdentities()
  /// What devices are called that were connected to, or that are heart rate sensors.
  private(set) var names: [DeviceAddress: String] = [:]
  /// What else notified values, or was read or written, without its type's being known.
  private(set) var unknown: [UnknownNotifications] = []
  /// How many attributes these are.
  private var unknownCount = 0
  /// What notified on connections with devices of which several databases are known.
  private(set) var rivalled: [UnknownNotifications] = []
  /// When the capture began and ended, and which connections were there in the end.
  private(set) var span: CaptureSpan?
  /// The same of others.
  private var spans = CaptureSpans()
  /// Its own among them.
  var allSpans: CaptureSpans {
    var all = spans
    if let span { all.insert(span) }
    return all
  }

  /// What others inferred.
  private var inferred = KnownInferences()
  /// Its own among it.
  var allInferred: KnownInferences {
    var all = inferred
    all.add(KnownInferences(inferences))
    return all
  }

  /// How many inferences may still be looked at for what has measured: tables that contradict each other for ever are made
  /// to take time.
  private var looks = 1 << 22

  /// As many as are kept.
  private static let most = 10_000
  /// More than any capture tells of.
  private static let mostDiscovered = 500_000
  /// Of one capture: all captures that are given together may be kept.
  private static let mostNames = 256
  /// Each is looked up whenever a connection with its server ends.
  private static let mostUnknown = 1 << 14
  /// Each costs a decryption for every key.
  private static let mostUnresolved = 1024

  /// Nothing yet.
  public init() {}

  /// What is told of devices, which may help other captures.
  public var ofDevices: Conclusions {
    var conclusions = Conclusions(peers: peers, identities, spans, allInferred)
    conclusions.span = span
    conclusions.names = names
    return conclusions
  }

  /// What is told of some devices.
  init(
    peers: [DeviceAddress: GATTDatabase], _ identities: KnownIdentities, _ spans: CaptureSpans,
    _ inferred: KnownInferences
  ) {
    self.peers = peers
    self.identities = identities
    self.spans = spans
    self.inferred = inferred
  }

  /// Adds what another capture has told of devices.
  public mutating func add(_ other: Conclusions) {
    let knew = identities.count
    var identities = other.identities
    identities.add(self.identities)
    self.identities = identities
    addWhatAgrees(other)
    if names.count < Self.most { names.merge(other.names) { _, last in last } }
    peers.merge(other.peers) { _, last in last }
    identifyPeers(among: identities.count == knew ? other.peers.keys : peers.keys)
  }

  /// Adds what another capture has told of devices, as far as it does not contradict what is known.
  public mutating func fillIn(from other: Conclusions) {
    let knew = identities.count
    identities.add(other.identities)
    addWhatAgrees(other)
    if names.count < Self.most { names.merge(other.names) { own, _ in own } }
    for (address, database) in other.peers {
      guard let own = peers[address] else {
        peers[address] = database
        continue
      }
      // Two tables of one device, of different times, make none together.
      if own.agrees(with: database) { peers[address]?.fillIn(from: database) }
    }
    identifyPeers(among: identities.count == knew ? other.peers.keys : peers.keys)
  }

  /// What one capture tells under a private address is the table of whose key another capture holds.
  private mutating func identifyPeers(among addresses: Dictionary<DeviceAddress, GATTDatabase>.Keys) {
    let unresolved = addresses.filter(\.isResolvable)
    guard identities.count > 0, unresolved.count <= Self.mostUnresolved else { return }
    for address in unresolved.sorted(by: { $0.number < $1.number }) {
      guard let identity = identities.identity(of: address), let database = peers.removeValue(forKey: address) else {
        continue
      }
      if let own = peers[identity], !own.agrees(with: database) { continue }
      if peers[identity]?.fillIn(from: database) == nil { peers[identity] = database }
    }
  }

  /// The capture has come to its end.
  mutating func end(_ span: CaptureSpan) { self.span = span }

  /// Adds what makes no difference who tells it first.
  private mutating func addWhatAgrees(_ other: Conclusions) {
    spans.insert(other.allSpans)
    inferred.add(other.allInferred)
  }

  /// Whether nothing notified, or was read or written, whose type is not known, and no connection that was there before
  /// the capture is a stranger's.
  public var nameAll: Bool { unknown.isEmpty && inferences.isEmpty && span?.strangers.isEmpty ?? true }

  /// When the capture began that has told this; before all others, if it has told nothing.
  public var begin: Timestamp { span?.begin ?? .unknown }

  /// When it ended.
  public var end: Timestamp { span?.end ?? .unknown }

  /// Whether it ended before another one began. One that is shorter than two may overlap does not do so before itself.
  public func isPast(before other: Conclusions) -> Bool {
    end == .unknown || begin < other.begin && other.begin.seconds(since: end) >= -CaptureSpan.longestOverlap
  }

  /// Whether another capture goes on where one of those that have told this ended, with somebody it does not know, or with
  /// what it does not know of its own device.
  public func mayTellPeers(of other: Conclusions) -> Bool {
    other.span.map { (!$0.strangers.isEmpty || other.lacksOwnTable) && spans.hasEnd(at: $0.begin) } ?? false
  }

  /// Whether something of this device's own server is not named.
  var lacksOwnTable: Bool {
    unknown.contains { $0.server == .local } || inferences.contains { $0.inference.server == .local }
  }

  /// A device was called so, or says so itself.
  mutating func note(_ name: String, of address: DeviceAddress) {
    if names[address] != nil || names.count < Self.mostNames { names[address] = name }
  }

  mutating func add(_ inference: ConnectionInference) {
    if inferences.count < Self.most { inferences.append(inference) }
  }

  mutating func add(_ unknown: UnknownNotifications) {
    guard unknownCount + unknown.count <= Self.mostUnknown else { return }
    unknownCount += unknown.count
    self.unknown.append(unknown)
  }

  mutating func noteRivalled(_ sender: UnknownNotifications) {
    if rivalled.count < Self.most { rivalled.append(sender) }
  }

  /// It has come to light whose private addresses are whose.
  mutating func identify(_ identities: KnownIdentities) {
    self.identities = identities
    func identify(_ peer: inout RemoteServer?) {
      if let identity = (peer?.address).flatMap(identities.identity) { peer?.address = identity }
    }
    for place in unknown.indices { identify(&unknown[place].peer) }
    for place in inferences.indices { identify(&inferences[place].peer) }
  }

  /// Takes those of which something has come to light.
  mutating func takeUnknown(where isKnown: (UnknownNotifications) -> Bool) -> [UnknownNotifications] {
    let known = unknown.filter(isKnown)
    if !known.isEmpty {
      unknown.removeAll(where: isKnown)
      countUnknown()
    }
    return known
  }

  /// The first table behind values of a server tells what they are, and no later one: what is something else than a
  /// heart rate measurement in it is none.
  mutating func settle(_ later: UnknownNotifications, _ database: GATTDatabase) {
    var isChanged = false
    for place in unknown.indices
    where unknown[place].isOfSameServer(as: later) && unknown[place].isOfTable(after: later.changes) {
      let (earlier, rest) = (unknown[place], unknown[place].settled(by: database))
      guard rest.count < earlier.count else { continue }
      unknown[place] = rest
      isChanged = true
      let isDenied = forgetInferences(on: earlier.connection, of: earlier.server) { inference in
        earlier.handles.contains(inference.handle) && !rest.handles.contains(inference.handle)
      }
      if isDenied { learn(database, of: earlier) }
    }
    guard isChanged else { return }
    unknown.removeAll(where: \.isEmpty)
    countUnknown()
  }

  /// Compares a table with what has notified before it was discovered: it may have changed since.
  mutating func compare(
    _ database: GATTDatabase, _ minConfidence: Double, where isOfServer: (UnknownNotifications) -> Bool,
    cannotNotify: (UInt16) -> Bool
  ) {
    guard !database.isEmpty, unknown.contains(where: isOfServer) else { return }
    let measuring = measuring(minConfidence)
    for place in unknown.indices where isOfServer(unknown[place]) {
      unknown[place].compare(with: database, measuring, cannotNotify: cannotNotify)
    }
  }

  /// The attributes that are sure to have sent heart rates: those of a server that several connections have, together.
  mutating func measuring(_ minConfidence: Double) -> MeasuringAttributes {
    var measuring = MeasuringAttributes()
    guard looks > 0 else { return measuring }
    looks -= inferences.count
    for found in inferences where found.inference.outweighsTable(minConfidence) { measuring.insert(found) }
    return measuring
  }

  private mutating func countUnknown() { unknownCount = unknown.reduce(0) { $0 + $1.count } }

  /// It has come to light what notified.
  mutating func learn(_ database: GATTDatabase, of unknown: UnknownNotifications) {
    var database = database
    database.removeCharacteristics(unknown.dismissed)
    guard discoveredCount + database.count <= Self.mostDiscovered else { return }
    discoveredCount += database.count
    discovered[unknown.connection, default: ServerDatabases { _ in nil }][unknown.server] = database
  }

  /// It has come to light what an attribute is from the beginning of a period on; nil if it is what it was told to be.
  mutating func revise(_ handle: UInt16, to type: RevisedType?, in period: TablePeriod) {
    guard let type else {
      guard revisions[period]?.removeValue(forKey: handle) != nil else { return }
      revisedCount -= 1
      if revisions[period]?.isEmpty ?? false { revisions[period] = nil }
      return
    }
    guard revisedCount < Self.mostUnknown else { return }
    if revisions[period, default: [:]].updateValue(type, forKey: handle) == nil { revisedCount += 1 }
  }

  /// A server has said, at the beginning of a period, that its table has changed.
  mutating func noteChange(_ period: TablePeriod) {
    if changes.count < Self.most { changes.insert(period) }
  }

  /// It was something else.
  mutating func forgetChange(_ period: TablePeriod) { changes.remove(period) }

  /// What came behind the end of a connection was another's from here on.
  mutating func noteLateEnd(at place: RecordPlace) {
    if lateEnds.count < Self.most { lateEnds.insert(place) }
  }

  /// A connection ended where records are missing.
  mutating func note(_ end: LostEnd) {
    if lostEnds.count < Self.most { lostEnds.insert(end) }
  }

  /// It has come to light what goes over a channel that was opened before the capture.
  mutating func noteChannel(_ channel: KnownChannel, of connection: Int) {
    guard channelCount < Self.most else { return }
    channelCount += 1
    channels[connection, default: []].append(channel)
  }

  /// Forgets what was inferred of a server's attributes and is denied.
  /// - Returns: Whether there was any.
  mutating func forgetInferences(on connection: Int, of server: ServerSide, _ isDenied: (Inference) -> Bool) -> Bool {
    func isGone(_ found: ConnectionInference) -> Bool {
      found.connection == connection && found.inference.server == server && isDenied(found.inference)
    }
    let gone = inferences.filter(isGone)
    guard !gone.isEmpty else { return false }
    inferences.removeAll(where: isGone)
    denied += gone.prefix(Self.most - denied.count)
    return true
  }

  /// The surest inference about the same attribute of the same device.
  func best(like inference: ConnectionInference) -> ConnectionInference? {
    guard inference.knownServer != nil else { return inference }
    // None is copied before it is chosen: there may be thousands, each with its evidence.
    var best: Int?
    for place in inferences.indices where inferences[place].isAboutSameAttribute(as: inference) {
      guard let known = best, inferences[known].inference.confidence >= inferences[place].inference.confidence else {
        best = place
        continue
      }
    }
    return best.map { inferences[$0] }
  }
}

extension Conclusions {
  /// Whether enough values of an attribute, on this connection or on another one with the same device, show that a table
  /// which has nothing there is of another time.
  func outweighsTable(_ found: ConnectionInference, _ minConfidence: Double) -> Bool {
    found.inference.outweighsTable(minConfidence)
      || found.knownServer != nil
        && inferences.contains {
          $0.isAboutSameAttribute(as: found) && $0.inference.outweighsTable(minConfidence)
        }
  }

  /// Whether the values of an attribute are hardly heart rates.
  func isUnlikely(_ found: ConnectionInference) -> Bool {
    unknown.contains {
      $0.connection == found.connection && $0.server == found.inference.server
        && $0.unlikely.contains(found.inference.handle)
    }
  }

  /// Whether another attribute of the same server on the same connection is surer than this one is known to be.
  func hasRival(of inference: ConnectionInference, atMost confidence: Double) -> Bool {
    inferences.contains { other in
      other.connection == inference.connection && other.inference.server == inference.inference.server
        && other.inference.handle != inference.inference.handle
        && (self.best(like: other)?.inference.confidence ?? 0) > confidence
    }
  }
}

/// An inference, and the connection on which it rests.
struct ConnectionInference: Sendable {
  /// The connection's number, in order of appearance.
  let connection: Int
  /// The local host's server.
  let local: LocalServer
  /// The peer; nil if it is not known.
  var peer: RemoteServer?
  /// What was inferred.
  let inference: Inference

  /// Whose the attribute's server is; nil if that is not known.
  var knownServer: KnownServer? { KnownServer(inference.server, of: peer, local) }

  func isAboutSameAttribute(as other: ConnectionInference) -> Bool {
    inference.handle == other.inference.handle && knownServer == other.knownServer
  }
}

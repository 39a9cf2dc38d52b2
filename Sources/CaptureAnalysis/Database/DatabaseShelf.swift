import BluetoothHost
import GATTKit

/// The GATT databases of a capture: one for each peer's server, kept across its connections, and one for each adapter's
/// own server and transport. Never one for two peers.
struct DatabaseShelf {
  /// Where a database stands.
  struct Place: Hashable {
    fileprivate let index: Int
  }

  /// What is known of a server.
  private struct Server {
    /// How many places were given away before it.
    let ordinal: Int
    /// Whose it is thought to be.
    var peer: RemoteServer?
    var database = GATTDatabase()
    /// Where the database comes from, if it was known beforehand.
    var origin: CaptureKnowledge.Origin?
    /// Where all declarations of its characteristics are known.
    var searched = SearchedHandles()
    /// Where no primary service begins, nor one that reaches there.
    var withoutServices = SearchedHandles()
    /// How often it said that its table had changed.
    var changes = 0
    /// How many connections use the database.
    var users = 1
    /// Whether the place stands for more than one address of a peer: then it stays.
    var isIdentified = false
  }

  /// By their places.
  private var servers: [Server] = []
  /// Places that nobody uses any more.
  private var free: [Place] = []
  /// How many places were given away.
  private var given = 0
  /// How often any of the databases may have changed.
  private(set) var edition = 1
  /// The types that were asked for last: clients read and write the same few attributes over and over.
  private var types: ContiguousArray<RememberedType> = []
  private static let rememberedTypes = 32
  private var peers: [RemoteServer: Place] = [:]
  private var locals: [LocalServer: Place] = [:]

  private struct RememberedType {
    /// What the databases were like when it was looked up; none has the number 0.
    var edition = 0
    var handle: UInt16 = 0
    var place = Place(index: 0)
    var type: BluetoothUUID?

    func isAbout(_ handle: UInt16, _ place: Place, _ edition: Int) -> Bool {
      self.handle == handle && self.edition == edition && self.place == place
    }
  }

  /// More peers with services than any capture has: a file with more is made to exhaust memory, and what is known of
  /// those ends with their connections.
  private static let mostPeers = 1 << 14
  /// More attributes than any capture tells of, and as many as one server can have: of a file with more, what was known of
  /// others is forgotten.
  static let mostAttributes = 200_000
  /// How many attributes all databases together know.
  private var attributes = 0

  /// The database of a peer's server, for a connection with it; a new one where the peer is not known.
  mutating func place(of peer: RemoteServer?) -> Place {
    guard let peer else { return newPlace() }
    if let place = peers[peer] {
      servers[place.index].users += 1
      return place
    }
    let place = newPlace()
    take(place, asOf: peer)
    return place
  }

  /// What a place holds is a peer's, unless there are too many of them.
  private mutating func take(_ place: Place, asOf peer: RemoteServer) {
    let before = peers[peer]
    guard before != nil || peers.count < Self.mostPeers else { return }
    if let before, servers[before.index].peer == peer { servers[before.index].peer = nil }
    peers[peer] = place
    servers[place.index].peer = peer
  }

  /// The database of a peer of which something was learned before it was known who it is. What is new counts more than
  /// what an earlier connection told.
  mutating func place(_ place: Place, becomes peer: RemoteServer?) -> Place {
    guard let peer, peers[peer] != place else { return place }
    let expected = servers[place.index].isIdentified ? nil : servers[place.index].peer
    // Of whom it was expected to be keeps what is known of it.
    if expected != nil || servers[place.index].database.isEmpty {
      release(place, of: expected)
      return self.place(of: peer)
    }
    if let known = peers[peer] { fillIn(place, from: known) }
    take(place, asOf: peer)
    return place
  }

  private mutating func fillIn(_ place: Place, from other: Place) {
    let known = servers[other.index].database
    if !known.isEmpty { self[place].fillIn(from: known) }
  }

  /// A connection with a peer is past. What was learned of the peer stays, if anything was.
  mutating func release(_ place: Place, of peer: RemoteServer?) {
    servers[place.index].users -= 1
    guard servers[place.index].users == 0, !servers[place.index].isIdentified else { return }
    let isKnown = peer.map { peers[$0] == place } ?? false
    if isKnown, !servers[place.index].database.isEmpty { return }
    if isKnown, let peer { peers[peer] = nil }
    forget(place)
    free.append(place)
  }

  /// It turns out which private addresses are a peer's: the database of the last one that has any is its own, unless it has
  /// one already, to which they add.
  mutating func identify(_ address: DeviceAddress, adapter: UInt16, _ isOwn: (DeviceAddress) -> Bool) {
    let peer = RemoteServer(adapter: adapter, address: address, isLowEnergy: true)
    let known = peers[peer]
    guard known != nil || peers.count < Self.mostPeers else { return }
    let own = Set(peers.filter { $0.key.adapter == adapter && isOwn($0.key.address) }.values)
    let filled = own.filter { !servers[$0.index].database.isEmpty }
    let inOrder = (filled.isEmpty ? own : filled).sorted { servers[$0.index].ordinal < servers[$1.index].ordinal }
    guard let last = inOrder.last else { return }
    var place = known ?? last
    // Where nothing is known as yet, what is told next is told to the last one.
    if filled.isEmpty, servers[place.index].database.isEmpty, servers[place.index].ordinal < servers[last.index].ordinal
    {
      place = last
    }
    for other in inOrder.reversed() where other != place { fillIn(place, from: other) }
    take(place, asOf: peer)
    servers[place.index].isIdentified = true
  }

  /// The database of a connection whose peer tells who it is: what the peer has told on this connection, or else what is
  /// known of it from others.
  mutating func place(_ place: Place, turnsOutToBeOf peer: RemoteServer) -> Place {
    guard let known = peers[peer] else {
      take(place, asOf: peer)
      if peers[peer] == place { servers[place.index].isIdentified = true }
      return place
    }
    guard known != place else { return place }
    guard servers[place.index].database.isEmpty else {
      fillIn(place, from: known)
      take(place, asOf: peer)
      servers[place.index].isIdentified = true
      return place
    }
    for (address, other) in peers where other == place { take(known, asOf: address) }
    servers[known.index].isIdentified = true
    servers[known.index].users += 1
    release(place, of: nil)
    return known
  }

  /// A place for a connection whose server has another table than the one that is known of it.
  /// - Parameter place: Where that is, if the connection had it so far.
  mutating func placeApart(from place: Place? = nil) -> Place {
    // An adapter's own is there for all its connections.
    if let place, !locals.values.contains(place) { servers[place.index].users -= 1 }
    return newPlace()
  }

  /// What a peer has told on such a connection is what it is from there on, if that is a table; single attributes are added to
  /// what is known, as far as they agree.
  mutating func takeIn(_ place: Place, of peer: RemoteServer?) {
    guard let peer, !servers[place.index].database.isEmpty else { return }
    if let known = peers[peer], !servers[place.index].database.hasServices {
      if known != place { self[known].fillIn(from: servers[place.index].database) }
    } else {
      take(place, asOf: peer)
    }
  }

  /// The database of an adapter's own server.
  mutating func place(of local: LocalServer) -> Place {
    if let place = locals[local] { return place }
    let place = newPlace()
    locals[local] = place
    return place
  }

  private mutating func newPlace() -> Place {
    defer { given += 1 }
    let server = Server(ordinal: given)
    if let place = free.popLast() {
      servers[place.index] = server
      return place
    }
    servers.append(server)
    return Place(index: servers.count - 1)
  }

  /// Puts in what was known beforehand of a peer of which nothing is known yet, or nothing but single attributes.
  mutating func fill(_ place: Place, with known: CaptureKnowledge.PeerDatabase) {
    guard !servers[place.index].database.hasServices, !known.database.isEmpty else { return }
    complete(place, with: known)
  }

  /// Adds what was known beforehand.
  mutating func complete(_ place: Place, with known: CaptureKnowledge.PeerDatabase) {
    if servers[place.index].database.isEmpty { servers[place.index].origin = known.origin }
    self[place].fillIn(from: known.database)
  }

  /// Where a database comes from, if it was known beforehand.
  func origin(of place: Place) -> CaptureKnowledge.Origin? { servers[place.index].origin }

  /// The capture itself tells where a heart rate measurement is: what is made of it rests on that.
  mutating func foundMeasurement(in place: Place) { servers[place.index].origin = nil }

  /// What a peer has told another adapter of the same capture: it is the same server.
  func known(of address: DeviceAddress, besides adapter: UInt16) -> CaptureKnowledge.PeerDatabase? {
    places(of: address, besides: adapter).first { servers[$0.index].database.hasServices }.map { place in
      CaptureKnowledge.PeerDatabase(
        address: address, database: servers[place.index].database, origin: .otherConnection)
    }
  }

  /// What is known of a peer's server over the other transport, or to other adapters.
  func places(reachedOtherwiseThan peer: RemoteServer) -> [Place] {
    [peers[peer.otherTransport]].compactMap(\.self) + places(of: peer.address, besides: peer.adapter)
  }

  /// What is known of a device to other adapters than one.
  private func places(of address: DeviceAddress, besides adapter: UInt16) -> [Place] {
    guard locals.count > 1, locals.count <= 2 * Self.mostAdapters else { return [] }
    return Set(locals.keys.map(\.adapter)).sorted().filter { $0 != adapter }.flatMap { other in
      [true, false].compactMap { peers[RemoteServer(adapter: other, address: address, isLowEnergy: $0)] }
    }
  }

  /// More adapters than any computer has.
  private static let mostAdapters = 16

  /// What was discovered of peers that can be known again; of one that several adapters know, what they know together.
  /// - Parameters:
  ///   - connected: The addresses of those that are there: another capture may go on with them, private or not. Of others, a
  ///     private one is of use if it is a sensor's: another capture may hold its key.
  ///   - identities: Whose private addresses are whose.
  func discovered(connected: Set<DeviceAddress>, _ identities: KnownIdentities) -> [DeviceAddress: GATTDatabase] {
    var found: [DeviceAddress: GATTDatabase] = [:]
    var privateSensors = 0
    for (peer, place) in peers.sorted(by: { $0.value.index < $1.value.index }) {
      let database = servers[place.index].database
      if database.isEmpty { continue }
      if peer.address.isResolvable, !connected.contains(peer.address) {
        guard privateSensors < Self.mostPrivateSensors, database.holdsCharacteristic(.heartRateMeasurement) else {
          continue
        }
        privateSensors += 1
      }
      // Of a device that is reached in two ways, what Low Energy shows.
      if !peer.isLowEnergy, let other = peers[peer.otherTransport], !servers[other.index].database.isEmpty { continue }
      let address = identities.identity(of: peer.address) ?? peer.address
      if found[address]?.fillIn(from: database) == nil { found[address] = database }
    }
    return found
  }

  /// Nobody wears as many.
  private static let mostPrivateSensors = 64

  /// A server says that its table has changed.
  mutating func noteChange(at place: Place) {
    servers[place.index].changes &+= 1
    (servers[place.index].searched, servers[place.index].withoutServices) = (SearchedHandles(), SearchedHandles())
  }

  /// All declarations of characteristics between two handles have been asked for, and told.
  mutating func noteSearched(_ handles: ClosedRange<UInt16>, at place: Place) {
    servers[place.index].searched.insert(handles)
  }

  /// What holds these handles is not what did when declarations were asked for there.
  mutating func forgetSearched(_ handles: ClosedRange<UInt16>, at place: Place) {
    servers[place.index].searched.remove(handles)
  }

  /// Where all declarations of characteristics are known.
  func searched(at place: Place) -> SearchedHandles { servers[place.index].searched }

  /// Primary services between two handles have been asked for, and there is none.
  mutating func noteWithoutServices(_ handles: ClosedRange<UInt16>, at place: Place) {
    servers[place.index].withoutServices.insert(handles)
  }

  /// Whether an attribute is no measurement by the table of the server at a place because nothing notifies there at all: what
  /// is there does not, no characteristic is declared right before it, or it lies in no service. Core 6.0, Vol 3, Part G, 3.3.
  func cannotNotify(_ handle: UInt16, at place: Place) -> Bool {
    let server = servers[place.index]
    guard !server.database.mayHoldMeasurement(handle) else { return false }
    if server.database.cannotNotify(handle) { return true }
    guard server.database.characteristic(withValueAt: handle) == nil, handle > 1 else { return false }
    return server.searched.covers(handle - 1...handle - 1)
      || server.database.serviceHandles(at: handle) == nil && server.withoutServices.covers(handle...handle)
  }

  /// How often a server has said so.
  func changes(at place: Place) -> Int { servers[place.index].changes }

  /// What is known of a peer.
  func place(knownOf peer: RemoteServer) -> Place? { peers[peer] }

  /// What is known of an adapter's own server.
  func place(knownOf local: LocalServer) -> Place? { locals[local] }

  /// The type of an attribute of the server at a place; nil if it is not known.
  @inline(__always)
  mutating func type(of handle: UInt16, at place: Place) -> BluetoothUUID? {
    let slot = (Int(handle) &+ 5 &* place.index) & (Self.rememberedTypes - 1)
    if !types.isEmpty, types[slot].isAbout(handle, place, edition) { return types[slot].type }
    return lookUp(handle, at: place, slot)
  }

  @inline(never)
  private mutating func lookUp(_ handle: UInt16, at place: Place, _ slot: Int) -> BluetoothUUID? {
    let type = servers[place.index].database.type(of: handle)
    if types.isEmpty { types = ContiguousArray(repeating: RememberedType(), count: Self.rememberedTypes) }
    types[slot] = RememberedType(edition: edition, handle: handle, place: place, type: type)
    return type
  }

  subscript(place: Place) -> GATTDatabase {
    _read { yield servers[place.index].database }
    _modify {
      edition &+= 1
      attributes -= servers[place.index].database.count
      yield &servers[place.index].database
      attributes += servers[place.index].database.count
      if attributes > Self.mostAttributes { makeRoom(for: place) }
    }
  }

  /// Forgets what is known of peers whose connections are past, or else of all others.
  @inline(never)
  private mutating func makeRoom(for kept: Place) {
    let past = Set(
      servers.indices.filter { $0 != kept.index && servers[$0].users == 0 && !servers[$0].database.isEmpty })
    peers = peers.filter { !past.contains($0.value.index) }
    for index in past {
      servers[index].isIdentified = false
      forget(Place(index: index))
      free.append(Place(index: index))
    }
    guard attributes > Self.mostAttributes else { return }
    for index in servers.indices where index != kept.index { forget(Place(index: index)) }
  }

  /// Forgets what is known of a server.
  private mutating func forget(_ place: Place) {
    edition &+= 1
    attributes -= servers[place.index].database.count
    servers[place.index].database = GATTDatabase()
    servers[place.index].origin = nil
    (servers[place.index].searched, servers[place.index].withoutServices) = (SearchedHandles(), SearchedHandles())
  }
}

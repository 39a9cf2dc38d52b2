import BluetoothHost
import CaptureFiles
import Octets

/// Follows the connections of all adapters in a capture, from their making to their end, and all that is said on them.
///
/// A connection is known by its adapter and handle only while it lasts: handles are given to other peers afterwards.
struct ConnectionTracker<Receiver: EventReceiver> {
  var context: TrackingContext<Receiver>
  /// The last link of each adapter and handle.
  var links: [Link] = []
  var table = ConnectionTable()
  /// Whether a host scans, or stops.
  var hasScanned = false
  var peers = ConnectedPeers()
  /// The places of links that were opened since another time or host began.
  var opened: Set<Int> = []
  private var connectionCount = 0
  var advertisers = Advertisers()
  var attempts = ConnectionAttempts()
  var acceptLists = FilterAcceptLists()
  var commands = ConnectionCommands()
  /// Connections that found no room.
  private(set) var unfollowedConnections = 0
  /// How far the file at hand had been read at the last look at the memory that is taken.
  var memorySeen = 0
  /// The record at which it was looked for room for connections last, and none found.
  var looked = -Self.mostLinks
  /// Whether a connection that is gone had data.
  var hadData = false
  /// Whether data went over a link of which none is in the capture so far: the controller tells of them before any is, or
  /// so little of a packet was kept that nobody knows whose it is. Nil until the controller tells.
  private(set) var hasUnseenData: Bool?
  /// Whether so little of data was kept: then packets cannot be counted.
  private var hasCutData = false
  /// What all connections have to learn.
  var interruptions = Interruptions.OfCapture()
  /// Whether the capture holds events: not if it logs one direction, or data only.
  var hasEvents = false
  /// Packets to peers that the controller counts, and the capture does not hold.
  private(set) var unloggedPackets: RecordSpan?
  /// When the capture began; nil before its first packet.
  var begun: Timestamp?
  /// Which of the connections that may have been there before it are not any more.
  var replaced = ReplacedConnections()
  /// Those that were there, and whose peers are not known.
  var strangers: [AdapterHandle] = []
  /// By which another capture of the same host can be told.
  var sampled = SampledConnections()
  /// What adapters' controllers are, as far as they have told.
  var controllers: [UInt16: ControllerIdentity] = [:]

  init(_ receiver: Receiver, _ knowledge: CaptureKnowledge) {
    context = TrackingContext(receiver, knowledge)
  }

  /// Goes on to a record.
  @inline(__always)
  mutating func advance(to frame: Int, _ time: Timestamp) {
    context.frame = frame
    context.time = time
  }

  /// Looks at a packet.
  @inline(__always)
  mutating func receive(_ packet: HCIPacket, _ direction: Direction?, adapter: UInt16) {
    switch packet {
    case .aclData(let data): receive(data, direction, adapter)
    case .event(let event):
      hasEvents = true
      switch event.code {
      case .leMeta: receive(leEvent: event.parameters, adapter)
      case .numberOfCompletedPackets: receive(completed: event.parameters, adapter)
      default: receive(event.code, event.parameters, adapter)
      }
    case .command(let command): receive(command, adapter)
    }
  }

  /// A packet of which the capture kept a part of the header only. Nobody knows whose data it had.
  mutating func receiveCut(isData: Bool) {
    hasUnseenData = true
    guard isData else { return }
    hasCutData = true
    noteHidden()
  }

  /// A packet whose header is not all there.
  mutating func receive(_ error: ParsingError, _ direction: Direction?) {
    context.tell(error, direction, connection: nil)
  }

  /// The clock took a step: what went before is no measure for what comes.
  @inline(never)
  mutating func noteClockStep(_ step: ClockStep) {
    context.tell(.dialogue(.clockStep(microseconds: step.microseconds)), connection: nil)
    interrupt(by: .clockStep(leap: step.leap))
  }

  /// Whether an end of a connection that lasts was heard just before a moment.
  func isTalking(at time: Timestamp) -> Bool {
    links.contains { $0.closedAt == nil && $0.hearing.isTalking(at: time) }
  }

  /// The capture ends.
  /// - Parameter earlierEnd: Where that of an adapter ended before; nil if it did not. What comes behind that tells nothing
  ///   of its connections.
  mutating func finish(earlierEnd: (_ adapter: UInt16) -> Moment?) {
    let end = context.moment
    for place in links.indices where links[place].closedAt == nil {
      context.moment = earlierEnd(links[place].adapter) ?? end
      tellDatabase(of: place)
    }
    context.moment = end
    if context.wantsAdvertisingTimes { advertisers.tellTimes(&context) }
    advertisers.concludeNames(&context.conclusions)
    concludeSpan()
    context.concludeDatabases()
  }

  /// Whether any connection's data were captured.
  var hasACLData: Bool { hadData || links.contains { $0.hasData } }

  /// Whether the capture logs data; nil if there may have been none.
  var logsData: Bool? { hasACLData ? true : hasUnseenData == true ? false : nil }
}

// MARK: - ACL data

extension ConnectionTracker {
  @inline(__always)
  mutating func receive(_ data: HCIACLData, _ direction: Direction?, _ adapter: UInt16) {
    guard let place = openPlace(adapter, data, direction) else { return }
    links[place].receive(data, direction, &context)
    if direction == .received, sampled.sample.takes(context.time) { sample(data.data.octets, of: place) }
  }

  /// Keeps in mind what came, and when.
  @inline(never)
  mutating func sample(_ octets: Span<UInt8>, of place: Int) {
    sampled.sample.insert(octets, at: context.time, of: links[place].id)
  }

  /// The link that a packet belongs to: one that is open, one that has just ended, or one whose beginning is not in
  /// the capture.
  @inline(__always)
  private mutating func openPlace(_ adapter: UInt16, _ data: HCIACLData, _ direction: Direction?) -> Int? {
    if let place = lastPlace(adapter, data.connectionHandle),
      links[place].closedAt == nil || takesLate(place, direction)
    {
      return place
    }
    return openUnseen(adapter, data, direction)
  }
}

// MARK: - What the controller counts

extension ConnectionTracker {
  /// The controller has sent packets: those must be in the capture. One that holds no data at all may log none, or what
  /// is received only.
  @inline(__always)
  private mutating func receive(completed parameters: CapturedOctets, _ adapter: UInt16) {
    guard !hasCutData else { return }
    if hasUnseenData != false { hasUnseenData = !hasACLData }
    guard var counts = CompletedPackets(parsing: parameters.octets) else { return }
    while let completed = counts.next() {
      noteCompleted(Int(completed.count), of: completed.connectionHandle, adapter)
    }
  }

  /// So many packets of a connection were sent.
  @inline(__always)
  mutating func noteCompleted(_ count: Int, of handle: UInt16, _ adapter: UInt16) {
    guard let place = place(adapter, handle), links[place].note(completedPackets: count) else { return }
    noteMissing(place)
  }

  /// Packets seem to be missing.
  @inline(never)
  private mutating func noteMissing(_ place: Int) {
    tellUnlogged(place)
    let isLogged = hasUnseenData == false
    guard !links[place].channels.carriesOthers,
      links[place].packets.noteMissing(at: context.moment, isLogged: isLogged)
    else { return }
    if isLogged {
      links[place].channels.tellQuiet(&context)
      links[place].noteUnlogged()
    }
    context.tell(.dialogue(.lost), connection: links[place].id)
  }

  /// Tells which packets of a connection are not in the capture: of one that carries ATT alone, for some hosts leave out of
  /// their logs on purpose what goes over others, such as music.
  mutating func tellUnlogged(_ place: Int) {
    guard !links[place].channels.carriesOthers, let unlogged = links[place].packets.takeUnlogged() else { return }
    unloggedPackets.extend(by: unlogged)
  }
}

// MARK: - The life of connections

extension ConnectionTracker {
  /// A connection begins: one that is the first with its handle, one whose packets have come already, or one that takes the
  /// handle of another.
  /// - Parameter asked: When the host asked for it; nil if that was not seen.
  /// - Returns: Where its link is; nil if it finds no room.
  @discardableResult
  mutating func open(_ event: ConnectedEvent, asked: Timestamp? = nil) -> Int? {
    let handle = AdapterHandle(adapter: event.adapter, handle: event.handle)
    if event.wasSeen { replaced.insert(handle) }
    // Where one of its handle ends unseen, each packet is looked at for whether it does so there.
    defer { if context.knowledge.endsUnseen(handle) { _ = table.sleep() } }
    guard let known = lastPlace(event.adapter, event.handle) else { return openFirst(event) }
    if event.wasSeen, links[known].isBeginning(at: context.time, asked: asked) {
      peers.remove(links[known].peer, on: event.handle)
      peers.insert(event.remoteServer, on: event.handle)
      links[known].begin(event, &context)
      tell(event, known)
    } else {
      open(event, insteadOf: known)
    }
    return known
  }

  /// A connection begins whose handle had none before.
  private mutating func openFirst(_ event: ConnectedEvent) -> Int? {
    guard hasRoom() else {
      // Packets of an unseen one come here each time; they are one connection at least.
      unfollowedConnections = event.wasSeen ? unfollowedConnections + 1 : max(unfollowedConnections, 1)
      return nil
    }
    // Only now: making room moves links.
    let place = links.count
    links.append(newLink(event, at: place))
    table.insert(event.adapter, event.handle, place: place)
    tell(event, place)
    return place
  }

  /// A connection begins with the handle of another, which must be over.
  private mutating func open(_ event: ConnectedEvent, insteadOf place: Int) {
    let hadNoEnd = links[place].closedAt == nil
    // What the last one has taught may be of the same peer: it is told, and stands on the shelf, before the new one begins.
    if hadNoEnd { close(place, reason: nil) }
    var link = newLink(event, at: place)
    if event.wasSeen {
      if hadNoEnd { link.replacedAt = context.time }
      takeOver(links[place], &link)
    }
    hadData = hadData || links[place].hasData
    sampled.note(links[place].known, links[place].id)
    // Only now: what both use must not be given away between.
    links[place].release(&context)
    links[place] = link
    tell(event, place)
  }

  private mutating func newLink(_ event: ConnectedEvent, at place: Int) -> Link {
    connectionCount += 1
    peers.insert(event.remoteServer, on: event.handle)
    opened.insert(place)
    return Link(id: connectionCount, event, knows: interruptions.of(event.adapter).known, &context)
  }

  /// The open link with a handle.
  @inline(__always)
  mutating func place(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    guard let place = lastPlace(adapter, handle), links[place].closedAt == nil else { return nil }
    return place
  }
}

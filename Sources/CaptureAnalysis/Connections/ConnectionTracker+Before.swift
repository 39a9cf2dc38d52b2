import BluetoothHost
import CaptureFiles

// Connections outlast captures: of those that were there before, only the packets come.

extension ConnectionTracker {
  /// The capture begins.
  mutating func begin(at time: Timestamp) {
    guard begun == nil else { return }
    begun = time
    context.time = time
  }

  /// The controllers of one maker send logs of their own as ACL data on this handle, and so no peer is behind it.
  private static var diagnosticHandle: UInt16 { 0xEDC }

  /// A connection begins whose making is not in the capture.
  /// - Parameter data: Its first packet.
  mutating func openUnseen(_ adapter: UInt16, _ data: HCIACLData, _ direction: Direction?) -> Int? {
    let handle = AdapterHandle(adapter: adapter, handle: data.connectionHandle)
    guard handle.handle != Self.diagnosticHandle else { return nil }
    if let last = table.place(adapter, handle.handle) { links[last].channels.signs.isFollowed(&context.conclusions) }
    let before = strangers.count
    let known = connectionBefore(handle)
    let isStranger = strangers.count > before
    var peer = PeerIdentity(name: known?.name, wasKnown: known != nil)
    let start = data.isUsualStart ? try? L2CAPPDU(parsing: data.data) : nil
    let isAsked = known == nil && isNew(handle, start, direction)
    let asked = isAsked ? attempts.finish(unseen: start?.channel.isLowEnergy, adapter) : nil
    if let address = known?.peer ?? asked?.peer { peer.add(identity(of: address)) }
    let event = ConnectedEvent(
      handle: handle.handle, adapter: adapter, isLowEnergy: known?.isLowEnergy ?? asked?.isLowEnergy,
      role: known?.role ?? asked.map { _ in .central }, peer: peer, parameters: nil, wasSeen: false)
    if let local = known?.local {
      let told = CaptureKnowledge.PeerDatabase(address: nil, database: local, origin: .otherConnection)
      context.databases.fill(context.databases.place(of: event.localServer), with: told)
    }
    let place = open(event)
    if let place, let known { goOn(with: known, place) }
    if let place, isStranger { sampled.note(stranger: handle, links[place].id) }
    if let place, data.isUsualStart { links[place].channels.learnKind(from: data.data, &context) }
    return place
  }

  /// A connection goes on that was there when another capture ended. If that was a while before this one began, it may be
  /// another one by now, like behind any hole.
  private mutating func goOn(with known: KnownConnection, _ place: Int) {
    note(known.controller, of: known.adapter)
    links[place].channels.signs.goOn(with: known.said)
    guard let begun, known.until.isTold, Hole.mayBe(inPause: begun.seconds(since: known.until)) else { return }
    let end = LostEnd(handle: known.adapterHandle, record: context.place)
    links[place].channels.signs.note(Hole(end, missing: Hole.leastMissing, heardAt: known.until, at: begun))
    links[place].channels.signs.noteHeard(at: context.time)
  }

  /// Whether a connection of which nothing but its packets is in the capture was made since the host has asked for one: it
  /// has the handle of one that has ended, or that the controller has forgotten, or says what is said first.
  private func isNew(_ handle: AdapterHandle, _ start: L2CAPPDU?, _ direction: Direction?) -> Bool {
    guard let asked = attempts.begun(handle.adapter), !attempts.mayComeFromPeer(handle.adapter) else { return false }
    if let place = table.place(handle.adapter, handle.handle) {
      return !links[place].endedInHole && links[place].closedAt.map { $0 <= asked } ?? false
    }
    return replaced.contains(handle) || direction == .sent && start?.isUsuallyFirst ?? false
  }

  /// A host asks about a peer what it asks when a connection has been made. If that is not in the capture, the connection is
  /// none all the same that was there before.
  mutating func noteBeginning(_ handle: UInt16, _ adapter: UInt16) {
    guard attempts.begun(adapter) != nil, table.place(adapter, handle) == nil else { return }
    replaced.insert(AdapterHandle(adapter: adapter, handle: handle))
  }

  /// The connection that had a handle before the capture, if it is known; nil where the handle has been another's since.
  private mutating func connectionBefore(_ handle: AdapterHandle) -> KnownConnection? {
    guard table.place(handle.adapter, handle.handle) == nil, !replaced.contains(handle) else { return nil }
    if context.knowledge.endsUnseen(handle, at: context.place) {
      replaced.insert(handle)
      return nil
    }
    let controller = controller(of: handle.adapter)
    if let known = context.knowledge.connection(on: handle, of: controller, at: begun ?? .unknown) { return known }
    if strangers.count < CaptureSpan.mostConnections { strangers.append(handle) }
    return nil
  }

  /// What is known of a peer before it says anything.
  /// - Parameter privateAddress: The address under which it said it, if the controller resolved that.
  mutating func identity(of peer: DeviceAddress, under privateAddress: DeviceAddress? = nil) -> PeerIdentity {
    var identity = privateAddress.map { advertisers.identity(of: $0) } ?? PeerIdentity()
    identity.add(advertisers.identity(of: peer))
    for address in [peer, privateAddress].compactMap(\.self) { advertisers.noteConnection(with: address) }
    identity.privateAddress = privateAddress
    identity.identity = context.identities.identity(ofPeer: peer)
    if identity.name == nil { identity.name = context.knowledge.name(of: identity.lastingAddress) }
    return identity
  }

  /// Another file of the capture begins, put behind the last one, or another section. What it holds may be of another time,
  /// even of another host: then the connections of the last one are over, and handles are others'.
  /// - Parameter isRotated: Whether it is the newer file of a pair: it begins where the older one was full, and if that
  ///   seems to be earlier, the clock was set back between the two.
  /// - Returns: Whether connections may have been replaced between the two.
  mutating func noteHeader(before time: Timestamp, isRotated: Bool) -> Bool {
    let pause = time.isTold && context.time.isTold ? time.seconds(since: context.time) : nil
    if let pause, pause <= Self.longestSilence, isRotated || pause >= -CaptureSpan.longestOverlap {
      // How long it was, a clock that was set back does not tell.
      return Hole.mayBe(inPause: pause) || pause < -CaptureSpan.longestOverlap
    }
    forgetCommands()
    guard pause != nil else { return true }
    commands = ConnectionCommands()
    attempts.forgetAll()
    controllers = [:]
    for place in opened.sorted() {
      if links[place].closedAt == nil {
        replaced.insert(all: links[place].adapter)
        close(place, reason: nil)
      }
      links[place].end()
    }
    opened = []
    return true
  }

  /// What begins here begins with a reset: the connections that there were went with the host that wrote the log before,
  /// and what lies between the two logs says nothing of them.
  mutating func noteRestart(of adapter: UInt16) {
    guard links.contains(where: { $0.adapter == adapter && $0.closedAt == nil }) else { return }
    closeAll(of: adapter, .startedAnew)
  }

  /// Which connections are there in the end: another capture may go on with them.
  mutating func concludeSpan() {
    guard let begun else { return }
    for link in links { sampled.note(link.known, link.id) }
    let open = links.lazy.filter { $0.closedAt == nil }.compactMap(known).prefix(CaptureSpan.mostConnections)
    context.conclusions.end(
      CaptureSpan(
        begin: begun, end: context.time, open: Array(open), replaced: replaced, strangers: strangers,
        controllers: controllers, sampled: sampled))
  }

  /// What another capture has to know that goes on with a connection; nil if its peer is not known.
  private func known(_ link: Link) -> KnownConnection? {
    var known = link.known
    known?.local = link.channels.database(.local, context)
    known?.said = link.channels.gatt.said
    known?.controller = controller(of: link.adapter)
    known?.until = context.time
    return known
  }
}

extension L2CAPPDU {
  /// Whether it is what clients ask first of all: for another ATT_MTU, or which services there are.
  fileprivate var isUsuallyFirst: Bool {
    guard channel == .att else { return false }
    return payload.opcode == .exchangeMTURequest
      || payload.opcode == .readByGroupTypeRequest && payload.uint16(orZeroAt: 1) == 1
  }
}

extension KnownConnection {
  /// What is known of a connection at its beginning; nil if its peer is not.
  init?(_ event: ConnectedEvent) {
    guard let address = event.peer.address else { return nil }
    self.init(
      adapter: event.adapter, handle: event.handle, peer: address, name: event.peer.name,
      isLowEnergy: event.isLowEnergy, role: event.role)
  }
}

import BluetoothHost

// How connections end, and what is told of each then.

extension ConnectionTracker {
  /// A connection has ended.
  mutating func close(_ place: Int, reason: HCIErrorCode?, adapterEnd: AdapterEnd? = nil) {
    tellDatabase(of: place)
    links[place].close(at: context.time)
    peers.remove(links[place].peer, on: links[place].handle)
    commands.end(links[place].id)
    let request = links[place].endRequest
    let end = DisconnectedEvent(
      reason: reason, adapterEnd: adapterEnd, wasAsked: request.isAsked, askedReason: request.reason)
    context.tell(.disconnected(end), connection: links[place].id)
  }

  /// All connections of an adapter have ended, and all that its controller was asked for is over.
  mutating func closeAll(of adapter: UInt16, _ end: AdapterEnd) {
    replaced.insert(all: adapter)
    tell(.ended(end), of: adapter)
    for place in links.indices where links[place].adapter == adapter && links[place].closedAt == nil {
      close(place, reason: nil, adapterEnd: end)
    }
    attempts.finish(all: adapter)
    acceptLists.reset(adapter)
    commands.forget(adapter)
  }

  /// What happens now tells that a reset which has no answer was done, if there was one.
  mutating func settleReset(of adapter: UInt16) {
    if commands.settleReset(of: adapter) { closeAll(of: adapter, .reset) }
  }

  /// An adapter is gone: what comes from one of its number is another's.
  mutating func endAll(of adapter: UInt16) {
    for place in links.indices where links[place].adapter == adapter { links[place].end() }
  }

  /// Takes note of what the peer is called, for other captures: what it says itself counts more than what it advertises.
  private mutating func noteName(of link: Link) {
    let (read, advertised) = (link.channels.gatt.peerName, link.known?.name)
    let name = read.flatMap { $0.seemsCut(from: advertised) ? nil : $0 } ?? advertised
    if let name, let peer = link.peer { context.conclusions.note(name, of: peer.address) }
  }

  /// Tells what has become of a connection that is over, or may go on behind the capture.
  mutating func tellDatabase(of place: Int) {
    learn(place)
    tellUnlogged(place)
    links[place].channels.tellQuiet(&context)
    let link = links[place]
    noteName(of: link)
    context.tell(.databases(link.channels.databases(context)), connection: link.id)
    for side in ServerSide.allCases {
      let unknown = link.channels.unknownNotifications(side, of: link.peer, context)
      context.conclude(unknown, at: link.channels.gatt.place(side), hasEarlierData: link.hasEarlierData)
    }
    if link.channels.gatt.isApart(.peer) { context.databases.takeIn(link.channels.gatt.place(.peer), of: link.peer) }
    for inference in link.channels.inferences(context) {
      context.conclusions.add(
        ConnectionInference(
          connection: link.id, local: link.channels.localServer, peer: link.peer, inference: inference))
      context.tell(.inferred(link.channels.gatt.told(inference, context)), connection: link.id)
    }
    for inference in link.channels.gatt.deniedInferences(context) {
      context.tell(.inferred(link.channels.gatt.told(inference, context)), connection: link.id)
    }
    guard context.wantsTraffic else { return }
    let traffic = link.traffic(
      isLogged: logsData, hasEvents: hasEvents, tellsUpdates: commands.wantsUpdates(link.adapter))
    context.tell(.traffic(traffic), connection: link.id)
  }
}

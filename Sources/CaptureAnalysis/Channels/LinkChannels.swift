import BluetoothHost
import CaptureFiles
import GATTKit

/// What goes over the channels of one connection: signalling, and ATT on channels fixed and dynamic.
struct LinkChannels {
  let connection: Int
  var dynamicChannels = ChannelSet()
  /// What looks for channels whose opening is not in the capture.
  var earlierChannels: EarlierChannels
  var otherChannels = OtherChannels()
  var gatt: GATTObserver
  var parameterRequests = ParameterRequests()
  /// The address that the peer uses on this connection.
  private var peerAddress: DeviceAddress?
  private var pairing = PairingDialogue()
  private let adapter: UInt16
  /// Whether it is a Low Energy link; nil until that is known.
  private(set) var isLowEnergy: Bool?
  /// Whether records were lost, or packets are not in the capture: from then on, where SDUs begin on credit-based channels
  /// is not known any more.
  private(set) var hasLosses = false

  init(connection: Int, _ event: ConnectedEvent, _ context: inout TrackingContext<some EventReceiver>) {
    self.connection = connection
    adapter = event.adapter
    isLowEnergy = event.isLowEnergy
    earlierChannels = EarlierChannels(isLowEnergy: event.isLowEnergy)
    peerAddress = event.peer.address
    gatt = GATTObserver(connection: connection, event, &context)
    gatt.know(event.peer, adapter: event.adapter, &context)
    for channel in context.knowledge.channels[connection] ?? [] { dynamicChannels.adopt(channel) }
    if let discovered = context.knowledge.discovered[connection] { gatt.know(discovered, &context) }
  }

  /// It turns out whose they are.
  mutating func belong(to event: ConnectedEvent, _ context: inout TrackingContext<some EventReceiver>) {
    isLowEnergy = event.isLowEnergy ?? isLowEnergy
    peerAddress = event.peer.address
    if event.isLowEnergy == true { earlierChannels.isOverLowEnergy() }
    gatt.belong(to: event.remoteServer, at: event.localServer, &context)
    gatt.know(event.peer, adapter: event.adapter, &context)
    context.conclude(early: unknownNotifications(.peer, of: event.remoteServer, context), at: gatt.place(.peer))
  }

  /// The connection is past, and its handle is another's.
  func release(_ peer: RemoteServer?, _ context: inout TrackingContext<some EventReceiver>) {
    context.databases.release(gatt.place(.peer), of: peer)
    if gatt.isApart(.local) { context.databases.release(gatt.place(.local), of: nil) }
  }

  /// What is known of the two servers.
  func databases(_ context: TrackingContext<some EventReceiver>) -> ConnectionDatabases {
    ConnectionDatabases(
      peer: database(.peer, context), local: database(.local, context),
      origin: context.databases.origin(of: gatt.place(.peer)),
      searched: context.databases.searched(at: gatt.place(.peer)),
      notifying: Set(gatt.unknown.notifying(of: .peer)), asked: Set(gatt.unknown.asked(of: .peer)))
  }

  /// What was made of attributes that were not discovered.
  func inferences(_ context: TrackingContext<some EventReceiver>) -> [Inference] { gatt.inferences(context) }

  /// What has notified values of one of its servers while its type was not known.
  func unknownNotifications(
    _ side: ServerSide, of peer: RemoteServer?, _ context: TrackingContext<some EventReceiver>
  ) -> UnknownNotifications {
    let notifying = gatt.unknown.notifying(of: side)
    return UnknownNotifications(
      connection: connection, local: localServer, peer: peer, server: side, notified: notifying, handles: notifying,
      asked: gatt.unknown.asked(of: side),
      unlikely: gatt.unknown.unlikely(of: side), dismissed: gatt.unknown.dismissed(of: side),
      changes: context.databases.changes(at: gatt.place(side)))
  }

  /// The local host's server, as this link reaches it.
  var localServer: LocalServer { LocalServer(adapter: adapter, isLowEnergy: isLowEnergy ?? true) }

  /// The database of one of the servers.
  func database(_ side: ServerSide, _ context: TrackingContext<some EventReceiver>) -> GATTDatabase {
    context.databases[gatt.place(side)]
  }

  /// Tells what was kept back, since it is over.
  mutating func tellQuiet(_ context: inout TrackingContext<some EventReceiver>) { gatt.tellQuiet(&context) }

  /// Whether a channel was asked for that carries something else than ATT, on a BR/EDR link.
  var carriesOthers: Bool { dynamicChannels.carriesOthers }

  /// How many octets of memory what is unfinished takes.
  var memory: Int { gatt.memory + dynamicChannels.memory }

  /// What may show that it is another connection than it seems.
  var signs: ConnectionSigns {
    get { gatt.signs }
    _modify { yield &gatt.signs }
  }

  /// How many attributes it has told of.
  var toldAttributes: Int { gatt.told.count }

  /// Forgets of which attributes it has told.
  mutating func forgetTold() { gatt.told.forget() }

  /// Forgets what is unfinished.
  mutating func forgetUnfinished() {
    gatt.forgetRequests()
    dynamicChannels.forgetUnfinished()
  }

  /// Records were lost.
  mutating func noteLoss() {
    hasLosses = true
    pairing.noteLoss()
    parameterRequests.noteLoss()
    otherChannels = OtherChannels()
    for direction in [Direction.sent, .received] { gatt.noteLost(direction, isOver: false) }
    dynamicChannels.noteLoss()
  }

  /// Of a PDU that went this way the capture did not even keep the header: it may have been anything.
  @inline(never)
  mutating func noteHidden(_ direction: Direction, _ context: inout TrackingContext<some EventReceiver>) {
    gatt.tellQuiet(&context)
    gatt.noteLost(direction, isOver: false)
    context.tell(.dialogue(.lost), connection: connection)
  }

  /// Fragments of a PDU did not fit together.
  @inline(never)
  mutating func note(
    _ fault: FragmentFault, _ direction: Direction, _ context: inout TrackingContext<some EventReceiver>
  ) {
    tell(fault.fault, direction, isExcused: fault.isExcused, &context)
    if let unfinished = fault.unfinished { dynamicChannels.noteLoss(on: unfinished, direction) }
    if !fault.costsOnlyUnfinished { dynamicChannels.noteLoss(on: nil, direction) }
  }

  /// Tells what is wrong with the pieces of a PDU.
  mutating func tell(
    _ fault: RecombinationFault, _ direction: Direction, isExcused: Bool,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    gatt.tellQuiet(&context)
    gatt.noteLost(direction, isOver: true)
    let event = MalformedEvent(problem: .pieces(fault), direction: direction, isExcused: isExcused)
    context.tell(.malformed(event), connection: connection)
  }

  /// Looks at a whole L2CAP PDU.
  @inline(__always)
  mutating func receive(
    pdu: CapturedOctets, _ direction: Direction, _ context: inout TrackingContext<some EventReceiver>
  ) {
    do {
      let pdu = try L2CAPPDU(parsing: pdu)
      receive(pdu.payload, on: pdu.channel, direction, &context)
    } catch {
      if !pdu.isCut { context.tell(error, direction, connection: connection) }
    }
  }

  /// Looks at what came over a channel.
  @inline(__always)
  mutating func receive(
    _ payload: CapturedOctets, on channel: ChannelID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    if channel == .att {
      gatt.receive(payload, bearer: .fixed, direction, &context)
    } else if otherChannels.contains(channel, direction) {
      // Music: most of what some phones log.
      context.note(otherPayload: payload)
    } else {
      receive(other: payload, on: channel, direction, &context)
    }
  }

  @inline(never)
  private mutating func receive(
    other payload: CapturedOctets, on channel: ChannelID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    if isLowEnergy == nil, let isLowEnergy = channel.isLowEnergy { learn(isLowEnergy: isLowEnergy, &context) }
    switch channel {
    case .signalling, .leSignalling: receive(commands: payload, direction, &context)
    case .securityManager, .classicSecurityManager:
      guard let command = SecurityManagerCommand(parsing: payload) else { return }
      receive(command, isOverBREDR: channel == .classicSecurityManager, direction, &context)
    case _ where channel.isDynamic: receive(payload, onDynamic: channel, direction, &context)
    default: break
    }
  }
}

// MARK: - Which kind of link it is

extension LinkChannels {
  /// Looks at the beginning of a PDU on a link of a kind that is not known: its channel may tell.
  mutating func learnKind(from start: CapturedOctets, _ context: inout TrackingContext<some EventReceiver>) {
    guard isLowEnergy == nil, let isLowEnergy = (try? L2CAPPDU(parsing: start))?.channel.isLowEnergy else { return }
    learn(isLowEnergy: isLowEnergy, &context)
  }

  /// What goes over it tells which kind of link it is.
  mutating func learn(isLowEnergy: Bool, _ context: inout TrackingContext<some EventReceiver>) {
    guard self.isLowEnergy == nil else { return }
    self.isLowEnergy = isLowEnergy
    if isLowEnergy { earlierChannels.isOverLowEnergy() }
    gatt.belong(to: nil, at: localServer, &context)
    // The local server may be another one than was thought.
    if let discovered = context.knowledge.discovered[connection] { gatt.know(discovered, &context) }
    context.tell(.transport(isLowEnergy: isLowEnergy), connection: connection)
  }
}

// MARK: - Where the capture does not tell directions

extension LinkChannels {
  /// Whether it is not certain which way the PDU at hand went.
  var isGuessing: Bool {
    get { dynamicChannels.isGuessing }
    set { dynamicChannels.isGuessing = newValue }
  }

  /// Which way a PDU went on a BR/EDR link, by what was agreed upon and by who speaks in it; nil if that does not tell.
  /// - Parameter isFlagged: Whether the host's PDUs can be told otherwise, as far as they were seen.
  mutating func direction(ofStart fragment: CapturedOctets, isFlagged: Bool) -> Direction? {
    guard let pdu = try? L2CAPPDU(parsing: fragment) else { return nil }
    // It may turn out which end of a channel is whose.
    otherChannels = OtherChannels()
    if pdu.channel.isDynamic, let direction = dynamicChannels.direction(of: pdu.channel) { return direction }
    if isFlagged { return nil }
    guard pdu.channel == .signalling else { return dynamicChannels.direction(ofSpeakerIn: pdu) }
    var commands = SignallingCommands(parsing: pdu.payload)
    return (try? commands.next()).flatMap { dynamicChannels.direction(of: $0) }
  }
}

// MARK: - Pairing

extension LinkChannels {
  @inline(never)
  private mutating func receive(
    _ command: SecurityManagerCommand, isOverBREDR: Bool, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let isFromPeer = direction == .received
    if let step = pairing.step(command) {
      let event = PairingEvent(step: step, isFromPeer: isFromPeer, isOverBREDR: isOverBREDR)
      context.tell(.pairing(event), connection: connection)
    }
    if isFromPeer, let (address, key) = pairing.identity(command) {
      context.learn(key, of: address, adapter: adapter)
      identify(address, &context)
    }
  }

  /// It is known which lasting address the peer has.
  mutating func identify(_ address: DeviceAddress, _ context: inout TrackingContext<some EventReceiver>) {
    gatt.identify(RemoteServer(adapter: adapter, address: address, isLowEnergy: isLowEnergy ?? true), &context)
    guard let peerAddress, peerAddress != address else { return }
    context.tell(.peer(PeerIdentity(address: peerAddress, identity: address)), connection: connection)
  }
}

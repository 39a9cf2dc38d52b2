import BluetoothHost
import CaptureFiles

/// One connection while it lasts: its pieces of PDUs, and what goes over its channels.
///
/// Everything that is known of a connection is here, and ends with it; only the GATT databases stay.
struct Link {
  /// The connection's number, in order of appearance in the capture.
  let id: Int
  let adapter: UInt16
  let handle: UInt16
  var adapterHandle: AdapterHandle { AdapterHandle(adapter: adapter, handle: handle) }
  /// When it was first told of.
  let startedAt: Timestamp
  /// When its first packet came, if its making was not seen.
  private var unseenSince: Timestamp?
  /// When it ended.
  private(set) var closedAt: Timestamp?
  /// Whether the clock took a step since the later of the two.
  private var hasClockStep = false
  /// Whether nothing of it can come late.
  private var isOver = false
  /// Whether another connection may have its handle since it ended.
  private(set) var endedInHole = false
  /// What came after it had ended.
  private(set) var late: LateRun?
  /// Whether data of it were taken for the last connection's with its handle.
  var hasEarlierData = false
  /// When its making was reported, if another connection had its handle then whose end was not.
  var replacedAt: Timestamp?
  private(set) var peer: RemoteServer?
  /// What another capture has to know that goes on with it; nil if its peer is not known.
  private(set) var known: KnownConnection?

  /// What was agreed on last, as far as it is known; how many of its events are used is another thing.
  var parameters: ConnectionParameters?
  private(set) var hearing = LinkHearing()
  private var fragments = LinkFragments()
  /// Its packets to the peer, as the controller counts them.
  var packets: PacketCount
  /// Whether it is a Low Energy link; nil until that is known.
  var isLowEnergy: Bool? { channels.isLowEnergy }
  /// Whether the host has asked its controller to end it.
  var endRequest = EndRequest()
  /// Whether a start whose direction the capture does not tell was found to be sent.
  private var hasFoundSent = false
  /// What has befallen the capture, as far as it has learnt of it.
  var interruptions: Interruptions.Known
  /// Apart from the fragments, whose octets are lent while the channels change.
  var channels: LinkChannels

  init(
    id: Int, _ event: ConnectedEvent, knows interruptions: Interruptions.Known,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    self.id = id
    self.interruptions = interruptions
    adapter = event.adapter
    handle = event.handle
    peer = event.remoteServer
    known = KnownConnection(event)
    parameters = event.parameters
    startedAt = context.time
    unseenSince = event.wasSeen ? nil : context.time
    packets = PacketCount(isFromBeginning: event.wasSeen)
    channels = LinkChannels(connection: id, event, &context)
  }

  /// In microseconds: packets of a connection may be reported before its making, or after its end, since data and
  /// events take different ways from the controller to the host.
  private static let overlap: UInt64 = 1_000_000

  /// Whether a packet of this moment can be the connection's.
  func isOpen(at time: Timestamp) -> Bool {
    guard let closedAt else { return true }
    return !isOver && !hasClockStep && Self.areClose(closedAt, time)
  }

  /// Whether the connection that is reported at this moment can be the one whose packets have come already: not if the
  /// host has asked for it since.
  func isBeginning(at time: Timestamp, asked: Timestamp?) -> Bool {
    guard closedAt == nil, !hasClockStep, let unseenSince, asked.map({ $0 <= unseenSince }) ?? true else {
      return false
    }
    return Self.areClose(unseenSince, time)
  }

  /// Times may run backwards a little, but where all are 0 there are none: they prove nothing then.
  private static func areClose(_ first: Timestamp, _ second: Timestamp) -> Bool {
    guard first.microseconds != 0 || second.microseconds != 0 else { return false }
    let (difference, overflow) = second.microseconds.subtractingReportingOverflow(first.microseconds)
    return !overflow && difference.magnitude < overlap
  }

  /// The clock took a step: what is close to what cannot be told over it.
  mutating func noteClockStep() {
    hasClockStep = true
    channels.signs.noteClockStep()
  }

  /// The making of the connection is reported after its first packets: what they taught is the peer's.
  mutating func begin(_ event: ConnectedEvent, _ context: inout TrackingContext<some EventReceiver>) {
    unseenSince = nil
    peer = event.remoteServer
    known = KnownConnection(event)
    parameters = event.parameters ?? parameters
    channels.belong(to: event, &context)
  }

  /// Whether its making is in the capture.
  var wasMade: Bool { unseenSince == nil }

  /// Whether any of its data were captured.
  var hasData: Bool { !hearing.isEmpty }

  /// When one of its ends was heard last, or else when it began.
  var heardAt: Timestamp { max(hearing.lastReceived ?? startedAt, hearing.lastSent ?? startedAt) }

  /// The connection is past, and its handle is another's.
  func release(_ context: inout TrackingContext<some EventReceiver>) {
    channels.release(peer, &context)
  }

  /// When its two ends were heard.
  /// - Parameter hasEvents: Whether the capture holds events of the controller's.
  func traffic(isLogged: Bool?, hasEvents: Bool, tellsUpdates: Bool) -> LinkTraffic {
    LinkTraffic(
      lastReceived: hearing.lastReceived, firstSent: hearing.firstSent, hasLosses: channels.hasLosses,
      isLogged: isLogged,
      hasEvents: hasEvents, tellsUpdates: tellsUpdates)
  }

  /// The connection has ended.
  mutating func close(at time: Timestamp) {
    closedAt = time
    channels.signs.end()
    hasClockStep = false
    forgetUnfinished()
  }

  /// Something came after it had ended.
  mutating func noteLate(_ moment: Moment) {
    if late == nil, let closedAt { late = LateRun(moment, after: closedAt) } else { late?.add(moment) }
  }

  /// Nothing of it comes late.
  mutating func end() { isOver = true }

  /// It has ended where records are missing, and another one may have begun there.
  mutating func endInHole() { (isOver, endedInHole) = (true, true) }

  /// Records were lost, of this connection or another.
  mutating func noteDrop(at time: Timestamp) {
    fragments.noteLoss(at: time)
    packets.noteLoss()
    channels.noteLoss()
  }

  /// Records were lost, and what is unfinished stays so.
  mutating func noteLoss(at time: Timestamp) {
    noteDrop(at: time)
    forgetUnfinished()
  }

  /// The controller has sent packets, or flushed them.
  /// - Returns: Whether it lacks some of them.
  @inline(__always)
  mutating func note(completedPackets count: Int) -> Bool { packets.note(completed: count) }

  /// Packets to the peer are not in the capture, and others may not be either.
  mutating func noteUnlogged() { channels.noteLoss() }

  /// How many octets of memory what is unfinished takes.
  var memory: Int { fragments.memory + channels.memory }

  /// Forgets what is unfinished.
  private mutating func forgetUnfinished() {
    fragments.giveUp()
    channels.forgetUnfinished()
  }

  /// Its peer is elsewhere: nothing of it comes late, and who goes on here is another.
  mutating func endElsewhere() {
    end()
    channels.signs.peerIsElsewhere()
  }
}

// MARK: - ACL data

extension Link {

  /// Looks at a PDU of this connection that needs no putting together.
  /// - Returns: Whether it was taken; where something is unfinished, or the connection over, it is a piece like others.
  @inline(__always)
  mutating func take(
    _ pdu: UnfragmentedPDU, _ direction: Direction, _ context: inout TrackingContext<some EventReceiver>
  ) -> Bool {
    guard closedAt == nil, !fragments.isUnfinished(direction) else { return false }
    if direction == .sent { packets.noteSent() }
    hearing.noteStart(direction, at: context.time)
    channels.receive(pdu.payload, on: pdu.channel, direction, &context)
    return true
  }

  /// Looks at a fragment of this connection.
  @inline(__always)
  mutating func receive(
    _ packet: HCIACLData, _ direction: Direction?, _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard let direction else { return receive(undirected: packet, &context) }
    receive(packet, direction, &context)
  }

  /// Looks at a fragment of which the capture does not tell which way it went.
  @inline(never)
  private mutating func receive(
    undirected packet: HCIACLData, _ context: inout TrackingContext<some EventReceiver>
  ) {
    // Those that were sent cannot be counted where it is a guess which were.
    if isLowEnergy != true { packets.noteLoss() }
    if isOthers(packet) { return }
    if packet.isContinuation {
      fragments.isGuessed = true
      let direction = fragments.direction(toContinueWith: packet.data) ?? hearing.lastDirection ?? .received
      receive(packet, direction, &context)
    } else {
      receive(packet, direction(ofStart: packet.data, &context), &context)
      channels.isGuessing = false
    }
  }

  /// Whether a packet is no part of what the two ends say to each other: a broadcast, which comes between the fragments
  /// of their PDUs and ends none. Low Energy links have no such thing. Core 6.0, Vol 4, Part E, 5.4.2.
  private func isOthers(_ packet: HCIACLData) -> Bool { packet.isBroadcast && isLowEnergy != true }

  /// Which way a PDU went that does not begin as those that only a host sends. On a Low Energy link, and where the host
  /// was seen to begin its own so, it is received; otherwise what is said tells, where it can.
  private mutating func direction(
    ofStart fragment: CapturedOctets, _ context: inout TrackingContext<some EventReceiver>
  ) -> Direction {
    channels.learnKind(from: fragment, &context)
    guard isLowEnergy == false else { return .received }
    let isFlagged = hearing.lastSent != nil && !hasFoundSent
    channels.isGuessing = !isFlagged
    if !isFlagged { fragments.isGuessed = true }
    let direction = channels.direction(ofStart: fragment, isFlagged: isFlagged) ?? .received
    if direction == .sent { hasFoundSent = true }
    return direction
  }

  @inline(__always)
  private mutating func receive(
    _ packet: HCIACLData, _ direction: Direction, _ context: inout TrackingContext<some EventReceiver>
  ) {
    if direction == .sent { packets.noteSent() }
    if packet.isUsualStart {
      hearing.noteStart(direction, at: context.time)
      if packet.data.isWholePDU, !fragments.isUnfinished(direction) {
        return channels.receive(pdu: packet.data, direction, &context)
      }
    }
    receive(piece: packet, direction, &context)
  }

  /// Looks at a piece of a PDU.
  @inline(never)
  private mutating func receive(
    piece packet: HCIACLData, _ direction: Direction, _ context: inout TrackingContext<some EventReceiver>
  ) {
    if isOthers(packet) { return }
    if !packet.isContinuation, !packet.isUsualStart { hearing.noteStart(direction, at: context.time) }
    let step = fragments.add(
      packet, direction, since: hearing.last(direction), wasMade: wasMade, at: context.time)
    if let fault = step.fault { channels.note(fault, direction, &context) }
    switch step.state {
    case .whole: channels.receive(pdu: packet.data, direction, &context)
    case .complete: Self.receive(completedIn: fragments, direction, &channels, &context)
    case .incomplete where fragments.lacksHeader(direction): channels.noteHidden(direction, &context)
    case .incomplete, .nothing: break
    }
  }

  /// A PDU is complete: its octets are lent while the channels change.
  private static func receive(
    completedIn fragments: borrowing LinkFragments, _ direction: Direction, _ channels: inout LinkChannels,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    channels.receive(pdu: fragments.pdu(direction), direction, &context)
  }
}

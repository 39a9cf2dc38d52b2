import BluetoothHost
import CaptureFiles
import GATTKit
import Octets

/// One connection while it lasts: its pieces of PDUs, its channels, its ATT bearers.
///
/// Everything that is known of a connection is here, and ends with it; only the GATT databases stay.
struct Link {
  /// The connection's number, in order of appearance in the capture.
  let id: Int
  let adapter: UInt16
  let handle: UInt16
  /// Whether its making was seen, or its packets just appeared.
  let wasSeen: Bool
  /// When its first packet came.
  let openedAt: Timestamp
  /// When it ended.
  var closedAt: Timestamp?
  var isLowEnergy: Bool?
  var peer: DeviceAddress?
  var role: ConnectionRole?

  private var received = Recombiner()
  private var sent = Recombiner()
  /// The direction of the last start fragment, for continuations in captures that do not tell.
  private var lastDirection = Direction.received
  private var channels = ChannelSet()
  private var gatt: GATTObserver
  private var parameterRequests = ParameterRequests()

  init(
    id: Int, adapter: UInt16, handle: UInt16, isLowEnergy: Bool?, role: ConnectionRole?, peer: DeviceAddress?,
    wasSeen: Bool, _ context: inout TrackingContext
  ) {
    self.id = id
    self.adapter = adapter
    self.handle = handle
    self.isLowEnergy = isLowEnergy
    self.role = role
    self.peer = peer
    self.wasSeen = wasSeen
    openedAt = context.time
    gatt = GATTObserver(
      connection: id, peer: context.databases.place(ofPeer: peer, adapter: adapter),
      local: context.databases.place(ofAdapter: adapter))
  }

  /// The databases of the two servers of this connection.
  func database(_ side: ServerSide, _ context: TrackingContext) -> GATTDatabase {
    context.databases[gatt.place(side)]
  }

  /// Forgets what is unfinished: after it, pieces that were lost explain nothing.
  mutating func forgetUnfinished() {
    received.reset()
    sent.reset()
    gatt.forgetRequests()
  }

  /// Looks at a packet of this connection.
  mutating func receive(_ packet: HCIACLData, _ direction: Direction?, _ context: inout TrackingContext) {
    let direction = direction ?? lastDirection
    if !packet.isContinuation { lastDirection = direction }
    if direction == .received {
      let step = received.add(packet)
      if let fault = step.fault { tell(fault, direction, &context) }
      switch step.state {
      case .whole: receive(pdu: packet.data, direction, &context)
      case .complete:
        // Taken out for the time of reading, since what it lends cannot be lent while the link changes.
        let recombiner = take(&received)
        receive(pdu: recombiner.octets, direction, &context)
        received = recombiner
      case .incomplete, .nothing: break
      }
    } else {
      let step = sent.add(packet)
      if let fault = step.fault { tell(fault, direction, &context) }
      switch step.state {
      case .whole: receive(pdu: packet.data, direction, &context)
      case .complete:
        let recombiner = take(&sent)
        receive(pdu: recombiner.octets, direction, &context)
        sent = recombiner
      case .incomplete, .nothing: break
      }
    }
  }

  private func take(_ recombiner: inout Recombiner) -> Recombiner {
    let taken = recombiner
    recombiner = Recombiner()
    return taken
  }

  private func tell(_ fault: RecombinationFault, _ direction: Direction, _ context: inout TrackingContext) {
    context.tell(.malformed(MalformedEvent(problem: .pieces(fault), direction: direction)), connection: id)
  }

  private mutating func receive(pdu: CapturedOctets, _ direction: Direction, _ context: inout TrackingContext) {
    do {
      let pdu = try L2CAPPDU(parsing: pdu)
      switch pdu.channel {
      case .att:
        gatt.receive(pdu.payload, bearer: .fixed, direction, &context)
      case .signalling, .leSignalling:
        if isLowEnergy == nil { isLowEnergy = pdu.channel == .leSignalling }
        receive(commands: pdu.payload, direction, &context)
      case _ where pdu.channel.isDynamic:
        receive(onDynamicChannel: pdu, direction, &context)
      default: break
      }
    } catch {
      if !pdu.isCut { context.tell(error, direction, connection: id) }
    }
  }
}

// MARK: - Channels

extension Link {
  private mutating func receive(
    onDynamicChannel pdu: L2CAPPDU, _ direction: Direction, _ context: inout TrackingContext
  ) {
    guard let place = channels.place(of: pdu.channel, direction) else { return }
    let bearer = channels[place].bearer
    guard channels[place].isCreditBased else {
      return gatt.receive(pdu.payload, bearer: bearer, direction, &context)
    }
    let step = channels[place].add(kFrame: pdu.payload, direction)
    if let fault = step.fault { tell(fault, direction, &context) }
    switch step.state {
    case .whole:
      gatt.receive(pdu.payload.dropping(Recombiner.sduHeaderLength), bearer: bearer, direction, &context)
    case .complete:
      let recombiner = channels[place].takeRecombiner(direction)
      gatt.receive(
        recombiner.octets.dropping(Recombiner.sduHeaderLength), bearer: bearer, direction, &context)
      channels[place].returnRecombiner(recombiner, direction)
    case .incomplete, .nothing: break
    }
  }

  private mutating func receive(
    commands payload: CapturedOctets, _ direction: Direction, _ context: inout TrackingContext
  ) {
    var commands = SignallingCommands(parsing: payload)
    do {
      while let command = try commands.next() {
        if let channel = channels.apply(command, direction), let mtu = channel.mtu {
          context.tell(.mtu(MTUEvent(mtu: mtu, isEnhanced: channel.isCreditBased)), connection: id)
        }
        if let event = parameterRequests.apply(command, direction) {
          context.tell(.parameterRequest(event), connection: id)
        }
      }
    } catch {
      if !payload.isCut { context.tell(error.limited(by: "the L2CAP length"), direction, connection: id) }
    }
  }

  /// A request for parameters over the link layer, or the host's answer to it.
  mutating func apply(
    linkLayerRequest request: ConnectionParameterRequest?, _ step: ParameterRequestEvent.Step,
    _ context: inout TrackingContext
  ) {
    let event = parameterRequests.apply(linkLayerRequest: request, step)
    context.tell(.parameterRequest(event), connection: id)
  }
}

import BluetoothHost
import CaptureFiles
import Octets

// The dynamic channels of a connection: what opens and closes them, what goes over them, and what they are if their
// opening is not in the capture.

extension LinkChannels {
  mutating func receive(
    _ payload: CapturedOctets, onDynamic channel: ChannelID, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    guard let place = place(ofDynamic: channel, payload, direction, &context), dynamicChannels[place].isReadable else {
      return context.note(otherPayload: payload)
    }
    let bearer = dynamicChannels[place].bearer
    if payload.isCut { context.cutsDynamicBearers = true }
    guard dynamicChannels[place].isCreditBased else {
      return gatt.receive(payload, bearer: bearer, direction, &context)
    }
    let (step, isExcused) = dynamicChannels.add(kFrame: payload, at: place, direction, context.time)
    if let fault = step.fault { tell(fault, direction, isExcused: hasLosses || isExcused, &context) }
    switch step.state {
    case .whole:
      gatt.receive(payload.wholeSDU, bearer: bearer, direction, &context)
    case .complete:
      let recombiner = dynamicChannels[place].takeRecombiner(direction)
      gatt.receive(recombiner.sdu, bearer: bearer, direction, &context)
      dynamicChannels[place].returnRecombiner(recombiner, direction)
    case .incomplete, .nothing: break
    }
  }

  /// Where a channel stands, if it carries ATT.
  private mutating func place(
    ofDynamic channel: ChannelID, _ payload: CapturedOctets, _ direction: Direction,
    _ context: inout TrackingContext<some EventReceiver>
  ) -> Int? {
    let found: EarlierChannel
    if let place = dynamicChannels.place(of: channel, direction) {
      let isCreditBased = dynamicChannels[place].isCreditBased
      let whole = earlierChannels.complete(channel, direction, with: payload, isCreditBased: isCreditBased)
      guard let whole else { return place }
      found = whole
    } else {
      guard let new = look(at: payload, on: channel, direction, context) else { return nil }
      found = new
    }
    adopt(found, &context)
    guard let place = dynamicChannels.place(of: channel, direction) else { return nil }
    // What is being answered must be known by then: nobody may read this again.
    if let request = found.request {
      gatt.receive(request.pdu, bearer: dynamicChannels[place].bearer, direction.opposite, &context)
    }
    return place
  }

  /// Looks at what came over a channel of which nothing is known.
  private mutating func look(
    at payload: CapturedOctets, on channel: ChannelID, _ direction: Direction,
    _ context: TrackingContext<some EventReceiver>
  ) -> EarlierChannel? {
    let isOther = dynamicChannels.isOther(channel, direction)
    if !isOther {
      let isKnown = (
        enhanced: gatt.isKnownToNotify(payload.wholeSDU, direction.server, context.databases),
        basic: gatt.isKnownToNotify(payload, direction.server, context.databases)
      )
      if let found = earlierChannels.look(at: payload, on: channel, direction, isKnown: isKnown) { return found }
    }
    if isOther || earlierChannels.isVain(channel, direction) { otherChannels.insert(channel, direction) }
    return nil
  }

  private mutating func adopt(_ found: EarlierChannel, _ context: inout TrackingContext<some EventReceiver>) {
    // Enhanced bearers are of both kinds of links.
    if !found.channel.isCreditBased { learn(isLowEnergy: false, &context) }
    context.conclusions.noteChannel(found.channel, of: connection)
    dynamicChannels.adopt(found.channel)
    otherChannels = OtherChannels()
  }

  mutating func receive(
    commands payload: CapturedOctets, _ direction: Direction, _ context: inout TrackingContext<some EventReceiver>
  ) {
    var commands = SignallingCommands(parsing: payload)
    otherChannels = OtherChannels()
    do {
      while let command = try commands.next() {
        if command.isRequest {
          dynamicChannels.reuse(command.identifier, direction)
          parameterRequests.reuse(command.identifier, direction)
        }
        for agreed in dynamicChannels.apply(command, direction) {
          context.tell(.mtu(agreed), connection: connection)
        }
        if case .disconnectionResponse(let destination, let source) = command.content {
          // It repeats the numbers of the request: the destination is the responder's own.
          let ends = ChannelPair(destination, ofSender: direction, other: source)
          close(ends, isByHost: direction == .received, &context)
        }
        if let event = parameterRequests.apply(command, direction) {
          context.tell(.parameterRequest(event), connection: connection)
        }
      }
    } catch {
      if !payload.isCut { context.tell(error.limited(by: "the L2CAP length"), direction, connection: connection) }
    }
  }

  /// A channel has ended.
  private mutating func close(
    _ ends: ChannelPair, isByHost: Bool, _ context: inout TrackingContext<some EventReceiver>
  ) {
    earlierChannels.forget(ends)
    for bearer in dynamicChannels.close(ends) {
      context.tell(.dialogue(.closed(bearer: bearer, isByHost: isByHost)), connection: connection)
    }
  }

  /// A request for parameters over the link layer, or the host's answer to it.
  mutating func apply(
    linkLayerRequest request: ConnectionParameterRequest?, _ step: ParameterRequestEvent.Step,
    _ context: inout TrackingContext<some EventReceiver>
  ) {
    let event = parameterRequests.apply(linkLayerRequest: request, step)
    context.tell(.parameterRequest(event), connection: connection)
  }
}

import BluetoothHost
import CaptureFiles
import Octets

// The short way of packets that nothing is odd about: almost all there are.

extension ConnectionTracker {
  /// Looks at a packet that nothing is odd about.
  /// - Returns: Whether it was taken; what is not as it is almost always is left to `receive`.
  @inline(__always)
  mutating func take(_ packet: UsualPacket, _ octets: OctetWindow) -> Bool {
    advance(to: packet.number, packet.time)
    return switch packet.content {
    case .aclData: take(data: octets, packet.direction, offset: packet.offset)
    case .event: take(event: octets)
    case .command: packet.direction == .sent && takesNoNotice(of: octets)
    default: false
    }
  }

  /// Whether a command is the one that hosts give all the time, how strongly a peer is heard, which changes nothing.
  @inline(__always)
  private mutating func takesNoNotice(of command: OctetWindow) -> Bool {
    guard command.count == 5, command.uint16(at: 0) == HCIOpcode.readRSSI.rawValue, command.uint8(at: 2) == 2 else {
      return false
    }
    commands.note(.readRSSI, 0, context.moment)
    return true
  }

  /// What is heard all around, and that packets were sent.
  @inline(__always)
  private mutating func take(event: OctetWindow) -> Bool {
    guard event.count >= 3, event.count == 2 &+ Int(event.uint8(at: 1)) else { return false }
    hasEvents = true
    let parameters = event.dropping(2)
    switch HCIEventCode(rawValue: event.uint8(at: 0)) {
    case .leMeta: return advertisers.isIdleTalk(parameters)
    case .numberOfCompletedPackets: return take(completed: parameters)
    case .commandComplete: return take(commandComplete: parameters)
    default: return false
    }
  }

  /// The packets of one connection are complete, and all of them are in the capture: so it is almost always.
  @inline(__always)
  private mutating func take(completed parameters: OctetWindow) -> Bool {
    guard hasUnseenData == false, parameters.count == 5, parameters.uint8(at: 0) == 1 else { return false }
    noteCompleted(Int(parameters.uint16(at: 3)), of: parameters.uint16(at: 1).connectionHandle, 0)
    return true
  }

  /// How strongly a peer is heard.
  @inline(__always)
  private mutating func take(commandComplete parameters: OctetWindow) -> Bool {
    guard parameters.count == 7, parameters.uint16(at: 1) == HCIOpcode.readRSSI.rawValue else { return false }
    guard let read = try? ReadRSSIReturn(parsing: CapturedOctets(parameters.dropping(3).octets, length: 4, origin: 0))
    else { return false }
    commands.noteAnswer(to: .readRSSI, 0)
    note(read, 0)
    return true
  }

  @inline(never)
  private mutating func take(data packet: OctetWindow, _ direction: Direction, offset: Int) -> Bool {
    if let pdu = UnfragmentedPDU(packet, origin: offset), let place = table.awake(0, pdu.connectionHandle),
      links[place].take(pdu, direction, &context)
    {
      if direction == .received, sampled.sample.takes(context.time) { sample(packet.dropping(4).octets, of: place) }
      return true
    }
    // What says another length of itself is looked at closely.
    guard packet.count >= 4, packet.count == 4 &+ Int(packet.uint16(at: 2)) else { return false }
    let octets = CapturedOctets(packet.octets, length: packet.count, origin: offset)
    guard let data = try? HCIACLData(parsing: octets) else { return false }
    receive(data, direction, 0)
    return true
  }
}

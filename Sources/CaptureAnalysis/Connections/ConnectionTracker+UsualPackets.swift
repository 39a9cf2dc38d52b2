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
    default: false
    }
  }

  /// What is heard all around, and that packets were sent.
  @inline(__always)
  private mutating func take(event: OctetWindow) -> Bool {
    guard event.count >= 3, event.count == 2 &+ Int(event.uint8(at: 1)) else { return false }
    let parameters = event.dropping(2)
    switch HCIEventCode(rawValue: event.uint8(at: 0)) {
    case .leMeta: return advertisers.isIdleTalk(parameters)
    case .numberOfCompletedPackets: return take(completed: parameters)
    default: return false
    }
  }

  /// The packets of one connection are complete, and all of them are in the capture: so it is almost always.
  @inline(__always)
  private mutating func take(completed parameters: OctetWindow) -> Bool {
    guard let hasUnseenData, !hasUnseenData, parameters.count == 5, parameters.uint8(at: 0) == 1 else {
      return hasUnseenData == true
    }
    guard let place = place(0, parameters.uint16(at: 1) & 0xFFF) else { return true }
    return links[place].take(completedPackets: Int(parameters.uint16(at: 3)))
  }

  @inline(never)
  private mutating func take(data packet: OctetWindow, _ direction: Direction, offset: Int) -> Bool {
    if let pdu = UnfragmentedPDU(packet, origin: offset), let place = table.place(0, pdu.connectionHandle),
      links[place].take(pdu, direction, &context)
    {
      return true
    }
    let octets = CapturedOctets(packet.octets, length: packet.count, origin: offset)
    guard let data = try? HCIACLData(parsing: octets) else { return false }
    receive(data, direction, 0)
    return true
  }
}

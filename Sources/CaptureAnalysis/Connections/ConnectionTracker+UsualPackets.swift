import BluetoothHost
import CaptureFiles
import Octets

// The short way of packets that nothing is odd about: almost all there are.

extension ConnectionTracker {
  /// Looks at a packet that nothing is odd about.
  /// - Returns: Whether it was taken; what is not as it is almost always is left to `receive`.
  @inline(__always)
  mutating func take(_ packet: UsualPacket, _ octets: OctetWindow) -> Bool {
    let isTaken =
      switch packet.content {
      case .aclData: take(data: octets, packet)
      case .event: take(event: octets)
      default: false
      }
    if isTaken { advance(to: packet.number, packet.time) }
    return isTaken
  }

  /// What is heard all around, and that packets were sent.
  @inline(__always)
  private mutating func take(event: OctetWindow) -> Bool {
    guard event.count >= 3, event.count == 2 &+ Int(event.uint8(at: 1)) else { return false }
    let parameters = event.dropping(2)
    switch HCIEventCode(rawValue: event.uint8(at: 0)) {
    case .leMeta: return Advertisers.isIdleTalk(parameters)
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

  @inline(__always)
  private mutating func take(data octets: OctetWindow, _ packet: UsualPacket) -> Bool {
    guard octets.count >= 4 else { return false }
    advance(to: packet.number, packet.time)
    receive(usualData: octets.octets, packet.direction, offset: packet.offset)
    return true
  }

  @inline(never)
  private mutating func receive(usualData octets: Span<UInt8>, _ direction: Direction, offset: Int) {
    let packet = CapturedOctets(octets, length: octets.count, origin: offset)
    if let data = try? HCIACLData(parsing: packet) { receive(data, direction, 0) }
  }
}

package import CaptureAnalysis
import CaptureFiles

/// Plays the examples of rules: writes what happens in them as a host would capture it.
package struct ExamplePlayer {
  private var host = HostSide()

  /// The capture of an example.
  package static func capture(of example: RuleExample) -> HostSide {
    var player = ExamplePlayer()
    player.setUp(example.setUp)
    for step in example.steps { player.play(step) }
    return player.host
  }

  private mutating func setUp(_ setUp: RuleExample.SetUp) {
    if setUp == .nothing { return }
    play(.connect)
    if setUp == .connected { return }
    host.discoverHeartRate()
    if setUp == .discovered { return }
    host.write(attribute: 17, [1, 0])
    host.wait(milliseconds: 900)
  }

  private mutating func play(_ step: ExampleStep) {
    switch step {
    case .values(let values, let every): notify(values, every)
    case .repeated(let values, let times, let every): for _ in 0..<times { notify(values, every) }
    case .wait(let seconds): host.wait(milliseconds: Int64(seconds * 1000))
    case .sent(let pdu): host.sent(hex(pdu))
    case .received(let pdu): host.received(hex(pdu))
    case .signalSent(let pdu): host.l2cap(.sent, channel: 5, hex(pdu))
    case .signalReceived(let pdu): host.l2cap(.received, channel: 5, hex(pdu))
    case .securitySent(let pdu): host.l2cap(.sent, channel: 6, hex(pdu))
    case .securityReceived(let pdu): host.l2cap(.received, channel: 6, hex(pdu))
    case .channelSent(let channel, let pdu): host.l2cap(.sent, channel: channel, hex(pdu))
    case .channelReceived(let channel, let pdu): host.l2cap(.received, channel: channel, hex(pdu))
    case .receivedPiece(let piece, let isContinuation):
      host.fragment(.received, isContinuation: isContinuation, hex(piece))
    case .keepingACL(let octets): host.keptACLOctets = octets
    case .event(let code, let parameters): host.event(code, hex(parameters))
    case .command(let opcode, let parameters): host.command(opcode, hex(parameters))
    case .connect: connect()
    case .disconnect(let reason): host.disconnected(reason: reason)
    }
  }

  /// As central, 15 ms, latency 0, timeout 720 ms.
  private mutating func connect() {
    host.leEvent(
      0x01,
      [0] + UInt16(0x40).little + [0, 1] + HostSide.address(1) + UInt16(12).little + [0, 0] + UInt16(72).little + [0])
  }

  /// Packets take 10 ms each.
  private mutating func notify(_ values: [String], _ every: Double) {
    for value in values {
      host.notified(hex(value))
      host.wait(milliseconds: max(0, Int64(every * 1000) - 10))
    }
  }
}

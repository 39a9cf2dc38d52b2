import CaptureAnalysis
import GATTKit

/// The words of rules' examples, which text and Markdown share.
enum ExampleWords {
  /// What happens in an example, step after step.
  static func steps(of example: RuleExample) -> String {
    let start: String? =
      switch example.setUp {
      case .nothing: nil
      case .connected: "connected"
      case .discovered: "connected, heart rate service discovered"
      case .subscribed: "subscribed"
      }
    return ([start].compactMap { $0 } + example.steps.map(words)).joined(separator: "; ")
  }

  private static func words(_ step: ExampleStep) -> String {
    switch step {
    case .values(let values, let every): "\(list(values))\(values.count > 1 ? pace(every) : "")"
    case .repeated(let values, let times, let every): "\(times) × \(list(values))\(pace(every))"
    case .wait(let seconds): "\(number(seconds, decimals: 3)) s of silence"
    case .sent(let pdu): "host sends \(pdu)"
    case .received(let pdu): "peer sends \(pdu)"
    case .signalSent(let pdu): "host signals \(pdu)"
    case .signalReceived(let pdu): "peer signals \(pdu)"
    case .securitySent(let pdu): "host pairs with \(pdu)"
    case .securityReceived(let pdu): "peer pairs with \(pdu)"
    case .channelSent(let channel, let pdu): "host sends \(pdu) on channel 0x\(channel.hexadecimal)"
    case .channelReceived(let channel, let pdu): "peer sends \(pdu) on channel 0x\(channel.hexadecimal)"
    case .receivedPiece(let piece, let isContinuation):
      "peer sends \(isContinuation ? "the next" : "a first") piece \(piece)"
    case .keepingACL(let octets): "from here on the capture keeps \(octets) octets of ACL packets"
    case .event(let code, let parameters): "HCI event 0x\(code.hexadecimal)\(of(parameters))"
    case .command(let opcode, let parameters): "HCI command 0x\(opcode.hexadecimal)\(of(parameters))"
    case .connect: "connected"
    case .disconnect(let reason): "disconnected, reason 0x\(reason.hexadecimal)"
    }
  }

  private static func of(_ parameters: String) -> String { parameters.isEmpty ? "" : ": \(parameters)" }

  private static func list(_ values: [String]) -> String {
    values.map { $0.isEmpty ? "(empty)" : "[\($0)]" }.joined(separator: " ")
  }

  private static func pace(_ every: Double) -> String { every == 1 ? "" : " every \(number(every, decimals: 3)) s" }
}

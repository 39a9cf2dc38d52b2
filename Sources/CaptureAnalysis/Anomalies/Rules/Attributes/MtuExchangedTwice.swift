import BluetoothHost
import CaptureFiles

/// An Exchange MTU that should not be.
struct MtuExchangedTwice: AnomalyRule {
  static let about = RuleDescription(
    "mtu-exchanged-twice", .error,
    finds: "A client that asks for an ATT_MTU twice on one connection, or on a channel whose MTU L2CAP has settled; or "
      + "an MTU below 23 octets.",
    matters: "Many servers refuse the second request or keep the first value, and then the two sides disagree on how "
      + "long a PDU may be.",
    advice: "Ask once, right after connecting, for the longest PDU that can be received.",
    reference: "Core 6.0, Vol 3, Part F, 3.4.2.1",
    examples: [
      .finds(
        "asked twice", [.sent("02 f7 00"), .received("03 b9 00"), .sent("02 05 02"), .received("03 b9 00")]),
      .finds(
        "asked three times, which is told once",
        [
          .sent("02 f7 00"), .received("03 b9 00"), .sent("02 05 02"), .received("03 b9 00"), .sent("02 05 02"),
          .received("03 b9 00"),
        ]),
      .finds("less than the least", [.sent("02 16 00"), .received("03 17 00")]),
      .finds("less than the least in the answer", [.sent("02 f7 00"), .received("03 14 00")]),
      .quiet("asked once", [.sent("02 f7 00"), .received("03 b9 00")]),
      .quiet(
        "each side asks once",
        [.sent("02 f7 00"), .received("03 b9 00"), .received("02 b9 00"), .sent("03 f7 00")]),
      .quiet(
        "once on each of two connections",
        [
          .sent("02 f7 00"), .received("03 b9 00"), .disconnect(0x13), .connect, .sent("02 f7 00"),
          .received("03 b9 00"),
        ]
      ),
    ])
  static let dialogue: DialogueTraits = [.mtu, .lost]

  private static let least: UInt16 = 23
  private var asked: [Direction: UInt16] = [:]
  private var repeated = RuleTallies<Direction>()
  private var misplaced = RuleTallies<Direction>()
  private var short = RuleTallies<Direction>()

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    // Another connection may have begun on the same handle.
    if case .dialogue(.lost) = event.content { asked = [:] }
    guard case .dialogue(.pdu(let pdu)) = event.content,
      pdu.opcode == .exchangeMTURequest || pdu.opcode == .exchangeMTUResponse, let mtu = pdu.uint16(at: 1)
    else { return }
    let who = pdu.direction.sender
    if mtu < Self.least {
      short.note(pdu.direction, scene.moment, "\(who) offers an ATT_MTU of \(mtu), less than \(Self.least)")
    }
    guard pdu.opcode == .exchangeMTURequest else { return }
    if pdu.bearer != nil {
      misplaced.note(
        pdu.direction, scene.moment,
        "\(who) asks for an ATT_MTU of \(mtu) on a channel whose MTU L2CAP has settled")
    } else if let first = asked[pdu.direction] {
      repeated.note(
        pdu.direction, scene.moment,
        "\(who), which has asked for an ATT_MTU of \(first), asks once more, for \(mtu)")
    } else {
      asked[pdu.direction] = mtu
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    // The first request is none too many, and what is told is the second. Without events, it may be another connection's.
    if scene.traffic?.hasEvents ?? true {
      repeated.report(Self.self, &scene, often: { $0 > 1 ? ", and \(times($0 - 1)) more after that" : "" })
    }
    misplaced.report(Self.self, &scene)
    short.report(Self.self, &scene)
  }
}

import BluetoothHost
import CaptureFiles
import GATTKit

/// A request that is not answered in time.
struct AttTimeout: AnomalyRule {
  static let about = RuleDescription(
    "att-timeout", .error,
    finds: "A request or an indication that is not answered within 30 s; it is said whether an answer came later, and "
      + "whether more was sent all the same.",
    matters: "After 30 s the bearer is dead: nothing more may be sent on it, and the app hangs until the link is gone.",
    advice: "See what the other side did meanwhile. A client has to disconnect after the time-out; a server has to "
      + "answer every request, if only with an error.",
    reference: "Core 6.0, Vol 3, Part F, 3.3.3",
    explainedBy: ["silent-connection"],
    examples: [
      .finds("no answer until the end", [.sent("0a 13 00"), .wait(31), .disconnect(0x13)]),
      .finds("no answer until the capture ends", [.sent("0a 13 00"), .wait(31), .event(0x0F, "00 01 00 00")]),
      .finds("a late answer", [.sent("0a 13 00"), .wait(31), .received("0b 01")]),
      .finds(
        "the client goes on", [.sent("0a 13 00"), .wait(31), .sent("0a 13 00"), .received("0b 01"), .wait(1)]),
      .finds("an indication that nobody confirms", [.received("1d 03 00 01 00 ff ff"), .wait(31), .disconnect(0x13)]),
      .quiet("an answer after twenty seconds", [.sent("0a 13 00"), .wait(20), .received("0b 01")]),
      .quiet("the link is gone before", [.sent("0a 13 00"), .wait(20), .disconnect(0x08)]),
      .quiet("a command takes no answer", [.sent("52 20 00 01"), .wait(40), .disconnect(0x13)]),
    ])
  /// The databases are told last: until then there was no answer.
  static let events = EventSelection([.databases, .disconnected])
  static let dialogue: DialogueTraits = [.behind, .overdue]

  private var later = 0
  /// Whether its end is not in the capture: then nobody knows for how long there was someone to answer.
  private var endsUnseen = false

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    if case .disconnected(let end) = event.content { endsUnseen = end.reason == nil }
    guard case .dialogue = event.content else { return }
    switch scene.dialogue.step {
    case .request(let waiting?), .indication(let waiting?):
      if waiting.age(at: scene.moment) >= ATTDialogue.timeout { later &+= 1 }
    case .response(let asked?), .confirmation(let asked?):
      let age = asked.age(at: scene.moment)
      if age >= ATTDialogue.timeout { report(asked, "is answered only after \(seconds(age))", &scene) }
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard !endsUnseen || later > 0 else { return }
    let late = scene.dialogue.waiting.filter { $0.age(at: scene.moment) >= ATTDialogue.timeout }
    for asked in late.sorted(by: { $0.moment < $1.moment }) {
      report(asked, "has no answer in the \(seconds(asked.age(at: scene.moment))) that follow", &scene)
    }
  }

  private mutating func report(_ asked: ATTDialogue.Asked, _ what: String, _ scene: inout RuleScene) {
    let who = asked.pdu.direction == .sent ? "the local host's" : "the peer's"
    let more = later > 0 ? "; \(later) more \(later == 1 ? "was" : "were") sent on the bearer all the same" : ""
    later = 0
    scene.report(Self.self, "\(who) \(asked.pdu.words) \(what)\(more)", from: asked.moment, to: scene.moment)
  }
}

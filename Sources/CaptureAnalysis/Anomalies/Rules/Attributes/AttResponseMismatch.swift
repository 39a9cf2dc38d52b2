import BluetoothHost
import CaptureFiles

/// An answer to what nobody asked.
struct AttResponseMismatch: AnomalyRule {
  static let about = RuleDescription(
    "att-response-mismatch", .error,
    finds:
      "A response, or an Error Response, that fits no request on its bearer; also one to a command. Where it answers a "
      + "request on another bearer, that is said. Where the capture lacks other answers, as it seems, or has lost "
      + "something before, it may lack the request as well: then it is only noted, and within a minute of a loss it is not.",
    matters: "Clients take it for the answer to something else, or close the link.",
    advice:
      "Report it to the maker of the server that sends it. Where answers come by another enhanced bearer, the two "
      + "ends do not agree which of their channels belong together: limit the client to one enhanced bearer, and report it "
      + "to the makers of both hosts.",
    reference: "Core 6.0, Vol 3, Part F, 3.3.2",
    examples: [
      .finds("a response to nothing", [.received("0b 01")]),
      .finds("a response of another kind", [.sent("0a 13 00"), .received("13"), .received("0b 01")]),
      .finds("an error in answer to a command", [.sent("52 20 00 01"), .received("01 52 20 00 03")]),
      .finds(
        "a response to nothing, and an error in answer to a command, each of which is told",
        [.received("0b 01"), .sent("52 20 00 01"), .received("01 52 20 00 03")], count: 2),
      .finds("a second answer, twice, which is told once", [.received("0b 01"), .wait(1), .received("0b 01")]),
      .finds(
        "two requests by two enhanced bearers, each of which is answered by the other one",
        twoBearers + [.channelReceived(0x40, "01 00 13"), .channelReceived(0x41, "02 00 0b 01")]),
      .quiet(
        "the same, each of which is answered by its own",
        twoBearers + [.channelReceived(0x41, "01 00 13"), .channelReceived(0x40, "02 00 0b 01")]),
      .quiet("a response to a request", [.sent("0a 13 00"), .received("0b 01")]),
      .quiet("a late one", [.sent("0a 13 00"), .wait(31), .received("0b 01")]),
      .quiet("an unknown request is refused", [.sent("22 13 00"), .received("01 22 00 00 06")]),
      .quiet(
        "the beginning is not in the capture", after: .nothing,
        [.received("0b 01"), .sent("0a 13 00"), .received("0b 01")]
      ),
    ])
  /// Two enhanced bearers are opened, and a request goes by each.
  static let twoBearers: [ExampleStep] = [
    .signalSent("17 07 0c 00 27 00 40 00 40 00 0a 00 40 00 41 00"),
    .signalReceived("18 07 0c 00 40 00 40 00 0a 00 00 00 50 00 51 00"),
    .channelSent(0x50, "03 00 0a 13 00"), .channelSent(0x51, "05 00 12 17 00 01 00"),
  ]
  static let dialogue: DialogueTraits = .unpaired

  private var strays = RuleTallies<String>()
  /// Those behind a loss.
  private var doubtful = RuleTallies<String>()
  private var misled = RuleTallies<Direction>()

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .dialogue(.pdu(let pdu)) = event.content, scene.wasSeen,
      !scene.dialogue.mayAnswerForgotten(at: scene.moment)
    else { return }
    let (server, client) = (pdu.direction.sender, pdu.direction.opposite.sender)
    switch scene.dialogue.step {
    case .response(nil):
      let message = "\(server) sends \(Self.words(pdu))"
      if scene.hasLost { doubtful.note(scene.moment, message) } else { strays.note(scene.moment, message) }
    case .straying(let asked) where !scene.hasLost:
      misled.note(
        pdu.direction, asked.moment, to: scene.moment,
        "\(server) answers \(client)'s \(asked.pdu.words) by another enhanced bearer than it came by: "
          + "the two ends do not agree which of their channels belong together")
    default: break
    }
  }

  private static let doubt = "the capture has lost something before, and may lack this one's request as well"

  private static func words(_ pdu: ATTDialoguePDU) -> String {
    guard let request = pdu.refused else { return "\(pdu.phrase), which answers nothing" }
    let why = request.isRequest ? "which nobody sent" : "which takes no answer"
    return "an Error Response to \(request.phrase), \(why)"
  }

  mutating func finish(_ scene: inout RuleScene) {
    strays.report(Self.self, &scene, doubt: scene.dialogue.doubt)
    doubtful.report(Self.self, &scene, doubt: scene.dialogue.doubt ?? Self.doubt)
    misled.report(Self.self, &scene)
  }
}

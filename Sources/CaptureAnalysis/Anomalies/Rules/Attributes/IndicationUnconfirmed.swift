import CaptureFiles

/// Indications and confirmations that do not go in pairs.
struct IndicationUnconfirmed: AnomalyRule {
  static let about = RuleDescription(
    "indication-unconfirmed", .error,
    finds: "An indication before the last one was confirmed, or a confirmation of nothing.",
    matters: "The values cross: a client may confirm what it never saw, and miss a change of services.",
    advice: "A server has to wait for the confirmation; a client sends one for each indication, and no other.",
    reference: "Core 6.0, Vol 3, Part F, 3.3.2",
    examples: [
      .finds(
        "two indications at once", [.received("1d 03 00 01 00 ff ff"), .received("1d 03 00 01 00 ff ff"), .sent("1e")]),
      .finds(
        "two indications at once, and both are confirmed",
        [.received("1d 03 00 01 00 ff ff"), .received("1d 03 00 01 00 ff ff"), .sent("1e"), .sent("1e")]),
      .finds("a confirmation of nothing", [.sent("1e"), .wait(1), .sent("1e")]),
      .quiet(
        "each is confirmed",
        [
          .received("1d 03 00 01 00 ff ff"), .sent("1e"), .wait(1), .received("1d 03 00 01 00 ff ff"), .sent("1e"),
        ]),
      .quiet("the beginning is not in the capture", after: .nothing, [.sent("1e")]),
      .quiet(
        "both sides indicate",
        [.received("1d 03 00 01 00 ff ff"), .sent("1d 03 00 01 00 ff ff"), .sent("1e"), .received("1e")]),
    ])
  static let dialogue: DialogueTraits = [.behind, .unpaired]

  private var early = RuleTallies<Direction>()
  private var stray = RuleTallies<Direction>()

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .dialogue(.pdu(let pdu)) = event.content else { return }
    let who = pdu.direction.sender
    switch scene.dialogue.step {
    case .indication(let waiting?) where waiting.age(at: scene.moment) < ATTDialogue.timeout:
      let age = waiting.age(at: scene.moment)
      early.note(
        pdu.direction, scene.moment,
        "\(who) sends \(pdu.phrase) while its \(waiting.pdu.words), \(length(seconds: age)) before, is not confirmed")
    case .confirmation(nil) where scene.wasSeen && !scene.dialogue.mayAnswerForgotten(at: scene.moment):
      stray.note(pdu.direction, scene.moment, "\(who) sends a confirmation, and no indication waits for one")
    default: break
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    early.report(Self.self, &scene)
    stray.report(Self.self, &scene)
  }
}

import BluetoothHost
import CaptureFiles

/// A client that does not wait for the answer.
struct AttParallelRequests: AnomalyRule {
  static let about = RuleDescription(
    "att-parallel-requests", .error,
    finds:
      "A request on a bearer on which the same side still waits for the answer to another. Where that never comes, it "
      + "may be missing in the capture: then it is said only if it could not have come between the two. Where both are "
      + "answered behind the second request, within a second of each other, and no other is, no answer is missing.",
    matters: "Servers drop one of the two, answer in any order, or hang: reads return the wrong value, or never.",
    advice: "Let the app or its library queue its requests, one at a time for each bearer.",
    reference: "Core 6.0, Vol 3, Part F, 3.3.2",
    examples: [
      .finds(
        "two reads at once", [.sent("0a 13 00"), .sent("0a 10 00"), .received("0b 01"), .received("01 0a 10 00 02")]),
      .finds(
        "again and again, which is told once",
        [
          .sent("0a 13 00"), .sent("0a 13 00"), .received("0b 01"), .received("0b 01"), .wait(1),
          .sent("0a 13 00"), .sent("0a 13 00"), .received("0b 01"), .received("0b 01"),
        ]),
      .finds(
        "the first of two is answered behind the second, and that never",
        [.sent("0a 13 00"), .wait(0.1), .sent("12 11 00 01 00"), .received("0b 01"), .wait(1)]),
      .finds(
        "two at once, of which the server drops one",
        [.sent("0a 13 00"), .sent("0a 10 00"), .received("0b 01"), .wait(1), .sent("0a 13 00"), .received("0b 01")]),
      .finds(
        "the second some connection events behind the first, both answered behind it",
        [.sent("0a 13 00"), .wait(0.2), .sent("0a 10 00"), .wait(0.05), .received("0b 01"), .wait(0.05)]
          + [.received("0b 02"), .wait(1)]),
      .finds(
        "an error for the second, which the first one's answer cannot have answered",
        [.sent("0a 13 00"), .wait(0.2), .sent("0a 10 00"), .received("0b 01"), .received("01 0a 10 00 02"), .wait(1)]),
      .quiet(
        "an answer to something else is next, whose request is not in the capture, as it seems",
        [
          .sent("0a 13 00"), .wait(0.2), .sent("0a 10 00"), .wait(0.05), .received("0b 01"), .wait(2),
          .received("0b 02"), .wait(1),
        ]),
      .quiet(
        "the response to the first is not in the capture, as it seems",
        [
          .sent("0a 13 00"), .wait(0.1), .sent("0a 13 00"), .received("0b 01"), .sent("0a 13 00"), .received("0b 01"),
          .sent("12 11 00 01 00"), .received("13"), .sent("0a 13 00"), .received("0b 01"), .wait(1),
        ]),
      .finds(
        "two at once, long after one that has timed out",
        [
          .sent("0a 13 00"), .wait(40), .sent("0a 13 00"), .sent("0a 20 00"), .wait(0.1), .received("0b 01"),
          .wait(0.1), .received("0b 5a"), .wait(1),
        ]),
      .quiet("one after the other", [.sent("0a 13 00"), .received("0b 01"), .sent("0a 13 00"), .received("0b 01")]),
      .quiet(
        "both sides ask at once",
        [.sent("02 f7 00"), .received("02 f7 00"), .sent("03 f7 00"), .received("03 f7 00")]),
      .quiet("a command in between", [.sent("0a 13 00"), .sent("52 20 00 01"), .received("0b 01")]),
      .quiet("measurements in between", [.sent("0a 13 00"), .values(["00 48"]), .received("0b 01")]),
      .quiet(
        "the first one is refused",
        [.sent("0a 10 00"), .received("01 0a 10 00 02"), .sent("0a 13 00"), .received("0b 01")]),
      .quiet(
        "after a time-out, which is another fault",
        [.sent("0a 13 00"), .wait(31), .sent("0a 13 00"), .received("0b 01")]),
      .quiet(
        "one after another after a time-out, on a bearer that is dead",
        [
          .sent("0a 13 00"), .wait(31), .sent("0a 13 00"), .wait(2), .sent("0a 13 00"), .wait(2), .sent("0a 13 00"),
        ]),
    ])
  static let dialogue: DialogueTraits = [.behind, .overlap]

  private var local = RuleTally()
  private var peer = RuleTally()
  /// What is not proven yet.
  private var suspicions: [BearerSide: RuleTally] = [:]

  private static let mostClients = 64

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .dialogue(.pdu(let pdu)) = event.content else { return }
    switch scene.dialogue.step {
    case .request(let waiting?): if let alive = Self.alive(waiting, pdu, scene) { suspect(pdu, alive, scene) }
    case .response where scene.dialogue.provesOverlap: confirm(pdu.side.opposite)
    default: break
    }
  }

  /// The request that waits and has not timed out: one that has is another fault, and another may wait behind it.
  private static func alive(
    _ waiting: ATTDialogue.Asked, _ pdu: ATTDialoguePDU, _ scene: RuleScene
  ) -> ATTDialogue.Asked? {
    guard waiting.isDead(at: scene.moment) else { return waiting }
    return scene.dialogue.waiting.last {
      $0.pdu.side == pdu.side && !$0.isPassedOver && !$0.isDead(at: scene.moment) && $0.moment < scene.moment
    }
  }

  private mutating func suspect(_ pdu: ATTDialoguePDU, _ waiting: ATTDialogue.Asked, _ scene: RuleScene) {
    let (client, age) = (pdu.side, waiting.age(at: scene.moment))
    guard age >= 0, age < ATTDialogue.timeout, suspicions[client] != nil || suspicions.count < Self.mostClients else {
      return
    }
    let who = pdu.direction.sender
    let before = scene.hasTimes ? ", \(length(seconds: age)) before," : ""
    let words = "\(who) sends \(pdu.phrase) while its \(waiting.pdu.words)\(before) waits for the answer"
    // What was suspected before the client had all its answers, as it seems, is not proven by what comes now.
    if let last = suspicions[client]?.last, last < waiting.moment { suspicions[client] = nil }
    if isProven(waiting, scene) { return tally(of: client) { $0.note(scene.moment, words) } }
    suspicions[client, default: RuleTally()].note(scene.moment, words)
  }

  /// Whether nothing was answered since, and too little time has gone by for it: a connection event carries the request, and
  /// hardly ever its answer too. Where an answer is missing, those that follow seem to be late all along.
  private func isProven(_ waiting: ATTDialogue.Asked, _ scene: RuleScene) -> Bool {
    guard let parameters = scene.parameters, scene.hasTimes, !scene.dialogue.isAnswered(since: waiting) else {
      return false
    }
    return waiting.age(at: scene.moment) * 1000 < parameters.intervalMilliseconds
  }

  private mutating func confirm(_ client: BearerSide) {
    guard let proven = suspicions.removeValue(forKey: client) else { return }
    tally(of: client) { $0.add(proven) }
  }

  private mutating func tally(of client: BearerSide, _ change: (inout RuleTally) -> Void) {
    if client.direction == .sent { change(&local) } else { change(&peer) }
  }

  mutating func finish(_ scene: inout RuleScene) {
    local.report(Self.self, &scene)
    peer.report(Self.self, &scene)
  }
}

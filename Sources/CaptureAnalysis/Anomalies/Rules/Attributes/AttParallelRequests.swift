import BluetoothHost
import CaptureFiles
import GATTKit

/// A client that does not wait for the answer.
struct AttParallelRequests: AnomalyRule {
  static let about = RuleDescription(
    "att-parallel-requests", .error,
    finds: "A request on a bearer on which the same side still waits for the answer to another.",
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
  static let dialogue: DialogueTraits = .behind

  private var local = RuleTally()
  private var peer = RuleTally()

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .dialogue(.pdu(let pdu)) = event.content, case .request(let waiting?) = scene.dialogue.step else {
      return
    }
    let age = waiting.age(at: scene.moment)
    guard age >= 0, age < ATTDialogue.timeout else { return }
    let moment = scene.moment
    func message(_ who: String) -> String {
      "\(who) sends \(pdu.phrase) while its \(waiting.pdu.words), \(length(seconds: age)) before, waits for the answer"
    }
    if pdu.direction == .sent {
      local.note(moment, message("the local host"))
    } else {
      peer.note(moment, message("the peer"))
    }
  }

  mutating func finish(_ scene: inout RuleScene) {
    local.report(Self.self, &scene)
    peer.report(Self.self, &scene)
  }
}

import CaptureFiles

/// A request that is not answered in time.
struct AttTimeout: AnomalyRule {
  static let about = RuleDescription(
    "att-timeout", .error,
    finds: "A request or an indication that is not answered within 30 s; it is said whether an answer came later, and "
      + "whether more was sent all the same. One whose client went on in time, and was answered, is only noted, and so is one "
      + "that asks for measurements which come: the capture lacks its answer, as it seems.",
    matters: "After 30 s the bearer is dead: nothing more may be sent on it, and the app hangs until the link is gone.",
    advice: "See what the other side did meanwhile. A client has to disconnect after the time-out; a server has to "
      + "answer every request, if only with an error.",
    reference: "Core 6.0, Vol 3, Part F, 3.3.3",
    explainedBy: ["controller-failed", "silent-connection"],
    examples: [
      .finds("no answer until the end", [.sent("0a 13 00"), .wait(31), .disconnect(0x13)]),
      .finds("no answer until the capture ends", [.sent("0a 13 00"), .wait(31), .event(0x0F, "00 01 00 00")]),
      .finds("a late answer", [.sent("0a 13 00"), .wait(31), .received("0b 01")]),
      .finds(
        "the client goes on", [.sent("0a 13 00"), .wait(31), .sent("0a 13 00"), .received("0b 01"), .wait(1)]),
      .finds(
        "the client goes on and on, and nothing is answered any more, which is told once",
        [
          .sent("0a 13 00"), .wait(31), .sent("0a 13 00"), .wait(2), .sent("0a 13 00"), .wait(2), .sent("0a 10 00"),
          .wait(40), .disconnect(0x13),
        ]),
      .finds(
        "an enhanced bearer is closed while a request waits on it, and the client goes on waiting",
        [
          .signalSent("17 07 0a 00 27 00 40 00 40 00 0a 00 40 00"),
          .signalReceived("18 07 0a 00 40 00 40 00 0a 00 00 00 50 00"), .channelSent(0x50, "05 00 12 17 00 01 00"),
          .signalReceived("06 02 04 00 40 00 50 00"), .signalSent("07 02 04 00 40 00 50 00"), .wait(31),
          .disconnect(0x13),
        ]),
      .finds(
        "the answer to one of several is not in the capture, as it seems, which is only noted",
        [
          .sent("0a 13 00"), .received("0b 01"), .wait(1), .sent("0a 13 00"), .wait(1), .sent("0a 13 00"),
          .received("0b 01"), .wait(31), .disconnect(0x13),
        ]),
      .finds(
        "the answer to a write is not in the capture, and the measurements come that it asks for, which is only noted",
        after: .discovered, [.sent("12 11 00 01 00"), .repeated(["06 48"], times: 40), .disconnect(0x13)]),
      .finds("an indication that nobody confirms", [.received("1d 03 00 01 00 ff ff"), .wait(31), .disconnect(0x13)]),
      .quiet("an answer after twenty seconds", [.sent("0a 13 00"), .wait(20), .received("0b 01")]),
      .quiet("the link is gone before", [.sent("0a 13 00"), .wait(20), .disconnect(0x08)]),
      .quiet("a command takes no answer", [.sent("52 20 00 01"), .wait(40), .disconnect(0x13)]),
    ])
  /// The databases are told last: until then there was no answer.
  static let events = EventSelection([.databases, .disconnected])
  static let dialogue: DialogueTraits = [.behind, .overdue]

  /// How much was sent behind a time-out.
  private var later: [BearerSide: Int] = [:]
  /// Whether its end is not in the capture: then nobody knows for how long there was someone to answer.
  private var endsUnseen = false

  private static let mostSides = 64

  /// An answer that is missing in the capture, as it seems: which way its request went, and whether what was asked for is
  /// done.
  private struct MissingAnswer: Hashable {
    let direction: Direction
    let isDone: Bool
  }

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    if case .disconnected(let end) = event.content { endsUnseen = end.isUnseen }
    guard case .dialogue = event.content else { return }
    switch scene.dialogue.step {
    case .request(let waiting?), .indication(let waiting?):
      if waiting.age(at: scene.moment) >= ATTDialogue.timeout { count(behind: waiting.pdu.side) }
    case .response(let asked?), .confirmation(let asked?):
      guard asked.isDead(at: scene.moment), !wasSentLate(asked, scene) else { return }
      report(asked, "is answered only after \(seconds(asked.age(at: scene.moment)))", &scene)
    default: break
    }
  }

  private mutating func count(behind dead: BearerSide) {
    if later[dead] != nil || later.count < Self.mostSides { later[dead, default: 0] &+= 1 }
  }

  /// Whether it was sent behind another that had timed out: then it tells nothing new that it is not answered either.
  private func wasSentLate(_ asked: ATTDialogue.Asked, _ scene: RuleScene) -> Bool {
    scene.dialogue.waiting.contains { $0.pdu.side == asked.pdu.side && $0.isDead(at: asked.moment) }
  }

  mutating func finish(_ scene: inout RuleScene) {
    reportMissing(&scene)
    reportLost(&scene)
    guard !endsUnseen || !later.isEmpty else { return }
    // Without events, the connection may have ended before, and what follows be another's.
    guard scene.traffic?.hasEvents ?? true else { return }
    let late = scene.dialogue.waiting.filter {
      $0.isDead(at: scene.moment) && !wasSentLate($0, scene) && !Self.isDone($0, scene)
    }
    for asked in late.sorted(by: { $0.moment < $1.moment }) {
      let silence = "has no answer in the \(seconds(asked.age(at: scene.moment))) that follow"
      report(asked, silence, closing: scene.dialogue.closing(of: asked), to: scene.moment, &scene)
    }
  }

  /// - Parameters:
  ///   - silence: How long it has had no answer.
  ///   - closing: When its bearer was closed.
  private mutating func report(
    _ asked: ATTDialogue.Asked, _ silence: String, closing: Moment?, to end: Moment, _ scene: inout RuleScene
  ) {
    guard let closing else { return report(asked, silence, to: end, &scene) }
    let wait = asked.age(at: closing)
    if wait >= ATTDialogue.timeout {
      report(asked, "has no answer in the \(seconds(wait)) until its bearer was closed", to: closing, &scene)
    } else {
      let fate = "went over a bearer that was closed \(length(seconds: wait)) later (\(frameWords(closing)))"
      report(asked, "\(fate), and \(silence)", to: end, &scene)
    }
  }

  /// What had timed out before something was lost, or the clock was set: as far as it was seen.
  private mutating func reportLost(_ scene: inout RuleScene) {
    for lost in scene.dialogue.timedOut where !Self.isDone(lost.asked, scene) {
      let silence =
        "has no answer in the \(seconds(lost.asked.age(at: lost.heard))) up to \(frameWords(lost.heard)), behind which "
        + "something is missing, or the clock was set"
      report(lost.asked, silence, closing: lost.closed, to: lost.heard, &scene)
    }
  }

  /// The client went on in time, and was answered: it had what it waited for.
  private func reportMissing(_ scene: inout RuleScene) {
    var missing = RuleTallies<MissingAnswer>()
    for asked in scene.dialogue.waiting.filter(\.isPassedOver).sorted(by: { $0.moment < $1.moment }) {
      missing.note(
        MissingAnswer(direction: asked.pdu.direction, isDone: false), asked.moment,
        "\(Self.words(asked)) has no answer, and what was asked later has one: its own is missing in the capture, as it "
          + "seems")
    }
    for asked in scene.dialogue.waiting where asked.isDead(at: scene.moment) && Self.isDone(asked, scene) {
      missing.note(
        MissingAnswer(direction: asked.pdu.direction, isDone: true), asked.moment,
        "\(Self.words(asked)) has no answer, and the measurements that it asks for come: its answer is missing in the "
          + "capture, as it seems")
    }
    missing.report(Self.self, &scene, isMinor: { _ in true })
  }

  /// Whether what is asked for is done all the same: measurements were switched on, and none came before.
  private static func isDone(_ asked: ATTDialogue.Asked, _ scene: RuleScene) -> Bool {
    let (pdu, server) = (asked.pdu, scene.series.server)
    guard pdu.maySwitchOnMeasurements, server == pdu.direction.askedServer else { return false }
    return scene.series.beginning.map { asked.moment < $0 } ?? false
  }

  private static func words(_ asked: ATTDialogue.Asked) -> String {
    "\(asked.pdu.direction.sender)'s \(asked.pdu.words)"
  }

  private mutating func report(
    _ asked: ATTDialogue.Asked, _ what: String, to end: Moment? = nil, _ scene: inout RuleScene
  ) {
    let count = later.removeValue(forKey: asked.pdu.side) ?? 0
    let more = count > 0 ? "; \(count) more \(count == 1 ? "was" : "were") sent on the bearer all the same" : ""
    scene.report(Self.self, "\(Self.words(asked)) \(what)\(more)", from: asked.moment, to: end ?? scene.moment)
  }
}

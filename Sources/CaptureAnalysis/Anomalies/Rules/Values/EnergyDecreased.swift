import GATTKit

/// Energy that was expended comes back.
struct EnergyDecreased: AnomalyRule {
  static let about = RuleDescription(
    "energy-decreased", .error,
    finds:
      "Energy Expended falls within a connection although nobody reset it. Where RR-Intervals are sent in its place, that "
      + "is said, once.",
    matters:
      "It counts up until the Heart Rate Control Point resets it, and stays at 65,535 kJ: apps that subtract get "
      + "negative or enormous numbers.",
    advice:
      "The sensor's maker has to keep the counter until it is reset; an app should take a fall as a new beginning.",
    reference: "HRS 1.0, 3.1.1.3",
    examples: [
      .finds("from 64 to 16 kJ", [.values(["08 48 40 00", "00 48", "08 48 10 00", "08 48 11 00"])]),
      .finds("beyond 65,535 kJ it begins anew", [.values(["08 48 ff ff", "08 48 00 00"])]),
      .finds(
        "RR-Intervals of which the wrong flag tells, which is said once",
        [.repeated(["08 48 55 03", "08 48 60 03", "08 48 49 03"], times: 8)]),
      .finds(
        "RR-Intervals before the energy, which is said once",
        [.repeated(["18 48 55 03 10 00", "00 48", "18 48 60 03 10 00", "18 48 49 03 11 00"], times: 8)]),
      .finds(
        "twice, from what is an RR-Interval of the rate by chance",
        [
          .values(["08 48 60 03", "08 48 61 03", "08 48 62 03", "08 48 60 03", "08 48 61 03", "08 48 10 00"])
        ], count: 2),
      .quiet("it grows", [.values(["08 48 40 00", "00 48", "08 48 40 00", "08 48 41 00"])]),
      .quiet(
        "after a reset",
        after: .connected,
        [
          .sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 10 10 00 37 2a 14 00 08 15 00 39 2a"),
          .values(["08 48 40 00"]), .sent("12 15 00 01"), .received("13"), .values(["08 48 00 00"]),
        ]),
      .quiet(
        "after a reset by a command, which nobody acknowledges",
        after: .connected,
        [
          .sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 10 10 00 37 2a 14 00 08 15 00 39 2a"),
          .values(["08 48 40 00"]), .sent("52 15 00 01"), .values(["08 48 00 00"]),
        ]),
      .quiet(
        "after a reset by a command with a signature",
        after: .connected,
        [
          .sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 10 10 00 37 2a 14 00 48 15 00 39 2a"),
          .values(["08 48 40 00"]), .sent("d2 15 00 01 00 00 00 00 5a 5a 5a 5a 5a 5a 5a 5a"), .values(["08 48 00 00"]),
        ]),
      .quiet(
        "a value from before was on its way while it was reset",
        after: .connected,
        [
          .sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 10 10 00 37 2a 14 00 08 15 00 39 2a"),
          .values(["08 48 40 00"]), .sent("12 15 00 01"), .received("13"), .values(["08 48 40 00", "08 48 01 00"]),
        ]),
      .finds(
        "long after a reset that was ignored", after: .connected,
        [
          .sent("08 01 00 ff ff 03 28"), .received("09 07 0f 00 10 10 00 37 2a 14 00 08 15 00 39 2a"),
          .values(["08 48 40 00"]), .sent("12 15 00 01"), .received("13"), .wait(10),
          .values(["08 48 40 00", "08 48 01 00"]),
        ]),
      .quiet(
        "what may be a reset, where the control point is not known",
        [.values(["08 48 40 00"]), .sent("12 15 00 01"), .received("13"), .values(["08 48 00 00"])]),
    ])
  static let traits: MeasurementTraits = .energyFalls
  static let tellsWhatLasts = true
  static let events = EventSelection(.write)
  static let dialogue: DialogueTraits = .write
  /// In kJ: what falls from just below the most there can be to just above nothing has gone beyond it.
  private static let mostOverWrap = 100
  /// Where it may have been reset last: what came before is no measure.
  private var resetAt: Moment?
  /// What may have been the last reset, and where it was before: that holds if it is refused.
  private var asked: (moment: Moment, former: Moment?)?
  /// Falls of what may be no energy, and the first of them in words.
  private var doubtful: (run: RecordSpan, message: String)?

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    switch event.content {
    case .write(let write) where write.uuid == .heartRateControlPoint && scene.series.isOf(write.server):
      resetAt = scene.moment
    case .dialogue(.pdu(let pdu)) where pdu.mayResetEnergy && scene.series.isOf(pdu.askedServer):
      (asked, resetAt) = ((scene.moment, resetAt), scene.moment)
    case .dialogue(.pdu(let pdu)) where pdu.error != nil:
      if case .response(let request?) = scene.dialogue.step, let asked, request.moment == asked.moment {
        resetAt = asked.former
      }
    default: break
    }
  }

  mutating func note(_ measurement: ObservedMeasurement, _ scene: inout RuleScene) {
    guard measurement.traits.contains(.energyFalls), let energy = measurement.energy,
      let before = scene.series.energies.previous,
      // A reset may be among what was lost.
      !mayBeReset(since: before.moment, scene), !scene.hasLost(since: before.moment),
      !scene.series.hasMoved(since: before.moment)
    else { return }
    guard scene.series.energies.seemIntervals else {
      return scene.report(Self.self, Self.words(ofFallFrom: before.kilojoules, to: energy))
    }
    if doubtful?.run.extend(to: scene.moment) == nil {
      doubtful = (RecordSpan(scene.moment), Self.words(ofFallFrom: before.kilojoules, to: energy))
    }
  }

  private static func words(ofFallFrom before: Int, to energy: Int) -> String {
    let isWrapped = energy + Int(UInt16.max) - before < mostOverWrap
    return "energy falls from \(before) to \(energy) kJ without a reset"
      + (isWrapped ? ": it begins anew instead of staying at 65535" : "")
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let doubtful else { return }
    let energies = scene.series.energies
    guard let impostor = energies.impostor, let (first, last) = energies.extent else {
      // As long as more may come, it is not known.
      if !scene.goesOn { scene.report(Self.self, doubtful.message, over: doubtful.run) }
      return
    }
    let message =
      "what is sent as energy is an RR-Interval of the rate each time (60/bpm s): \(Self.words(impostor))"
      + inAll(energies.count)
    scene.report(Self.self, message, from: first.moment, to: last.moment, count: energies.count)
  }

  private static func words(_ impostor: MeasuredEnergies.Impostor) -> String {
    switch impostor {
    case .intervals: "bit 3 of the flags is set for bit 4"
    case .moreIntervals: "bit 3 of the flags is set, and no energy is sent"
    case .swapped: "the energy, which belongs before the RR-Intervals, stands behind them"
    }
  }

  /// Whether a measurement may be from before the last reset: it may have been on its way while that was acknowledged.
  private func mayBeReset(since before: Moment, _ scene: borrowing RuleScene) -> Bool {
    let beside = scene.series.server == .local ? scene.localResetAt : nil
    guard var resetAt = resetAt ?? beside else { return false }
    if let beside { resetAt = max(resetAt, beside) }
    return before < resetAt || scene.hasTimes && scene.seconds(from: resetAt, to: before) < EnergyResetIgnored.onTheWay
  }
}

import BluetoothHost

/// Pieces of L2CAP PDUs that do not fit together.
struct FragmentOrphaned: AnomalyRule {
  static let about = RuleDescription(
    "fragment-orphaned", .warning,
    finds: "ACL packets that do not fit together to L2CAP PDUs: a continuation without a start, a start inside an "
      + "unfinished PDU, more octets than were announced.",
    matters: "Each costs a PDU, which may have been a measurement or the answer that a host waits for.",
    advice: "Packets are missing, in the capture or at the host. If the capture counts no drops, look at the driver or "
      + "the controller between the radio and the log.",
    reference: "Core 6.0, Vol 4, Part E, 5.4.2",
    explainedBy: ["octets-skipped", "packets-dropped"],
    examples: [
      .finds("a continuation of nothing", [.values(["16 48"]), .receivedPiece("03 e9 03", isContinuation: true)]),
      .finds(
        "a PDU begins inside another, twice",
        [
          .receivedPiece("0b 00 04 00 1b 10 00", isContinuation: false), .values(["16 48"]),
          .receivedPiece("0b 00 04 00 1b 10 00", isContinuation: false), .values(["16 48"]),
        ]),
      .finds(
        "more than was announced",
        [
          .receivedPiece("07 00 04 00 1b 10 00", isContinuation: false),
          .receivedPiece("16 48 e8 03 e9 03", isContinuation: true),
        ]),
      .quiet(
        "a PDU in two pieces",
        [
          .receivedPiece("07 00 04 00 1b 10 00", isContinuation: false),
          .receivedPiece("16 48 e8 03", isContinuation: true),
        ]),
      .quiet(
        "the capture begins inside a PDU", after: .nothing,
        [.receivedPiece("16 48 e8 03", isContinuation: true), .received("1b 10 00 16 48 e8 03")]),
      .quiet(
        "cut packets",
        [
          .keepingACL(6), .receivedPiece("0b 00 04 00 1b 10 00", isContinuation: false),
          .receivedPiece("16 48 e8 03 e9 03 ea 03", isContinuation: true), .values(["16 48"]),
        ]),
      .quiet(
        "the connection ends inside a PDU", [.receivedPiece("0b 00 04 00", isContinuation: false), .disconnect(8)]),
      .quiet(
        "the rest of a PDU comes behind the end of its connection",
        [
          .receivedPiece("07 00 04 00 1b 10 00", isContinuation: false), .disconnect(8),
          .receivedPiece("16 48 e8 03", isContinuation: true),
        ]),
      .quiet("no more than a broken field", [.received("1b 10")]),
    ])
  static let events = EventSelection(.malformed)

  private var counts: [RecombinationFault: Int] = [:]
  private var found: RecordSpan?

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard case .malformed(let malformed) = event.content, case .pieces(let fault) = malformed.problem,
      !malformed.isExcused
    else { return }
    found.extend(to: event.moment)
    counts[fault, default: 0] += 1
  }

  mutating func finish(_ scene: inout RuleScene) {
    guard let found else { return }
    let faults = counts.map { (count: $0.value, message: $0.key.message) }
      .sorted { ($1.count, $0.message) < ($0.count, $1.message) }
    let message = faults.map { $0.count == 1 ? $0.message : "\($0.message) (\(times($0.count)))" }
    scene.report(Self.self, message.joined(separator: ", "), over: found)
  }
}

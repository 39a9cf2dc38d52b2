/// A connection handle that is given again while its connection has not ended.
struct HandleReused: AnomalyRule {
  static let about = RuleDescription(
    "handle-reused", .warning,
    finds:
      "A connection that is made on the handle of another, or with its peer, while that has not ended in the capture.",
    matters:
      "The end of the earlier connection, and what came with it, is missing: packets between may belong to either.",
    advice: "Look for a hole in the log: two logs put together, a filter, or packets that were dropped.",
    explainedBy: ["octets-skipped", "packets-dropped"],
    examples: [
      .finds("a connection on the handle of another", [.values(["16 48"]), .wait(60), .connect, .wait(5)]),
      .finds(
        "a connection with the peer of another",
        [
          .values(["16 48"]), .wait(60),
          .event(0x3E, "01 00 41 00 00 01 01 11 22 33 44 c5 0c 00 00 00 48 00 00"), .wait(5),
        ]),
      .quiet(
        "a connection with another peer",
        [
          .values(["16 48"]), .event(0x3E, "01 00 41 00 00 01 02 11 22 33 44 c5 0c 00 00 00 48 00 00"),
          .event(0x05, "00 41 00 13"), .disconnect(0x13),
        ]),
      .quiet("the first one ends before", [.values(["16 48"]), .disconnect(0x13), .wait(5), .connect]),
      .quiet("the controller was reset between", [.values(["16 48"]), .event(0x0E, "01 03 0c 00"), .connect]),
      .quiet("packets come just before the connection", after: .nothing, [.received("1b 10 00 16 48"), .connect]),
    ])
  static let scope = RuleScope.capture
  static let events: EventSelection = [.traffic, EventSelection([.disconnected, .connected])]

  /// The connection that was found to be over without an end.
  private var unended: (connection: Int, moment: Moment)?
  /// The handles of the last connections.
  private var handles: [(connection: Int, handle: UInt16)] = []
  /// Connections during which records were lost, the last ones.
  private var lossy: [Int] = []

  init(_ settings: RuleSettings) {}

  mutating func note(_ event: Event, _ scene: inout RuleScene) {
    guard let connection = event.connection else { return }
    switch event.content {
    case .traffic(let traffic):
      if traffic.hasLosses { lossy = lossy.suffix(63) + [connection] }
    case .disconnected(let end):
      unended = end.isUnseen && !lossy.contains(connection) ? (connection, event.moment) : nil
    case .connected(let connected):
      if connected.wasSeen, let unended, unended.moment == event.moment {
        let handle = handles.last { $0.connection == unended.connection }?.handle ?? connected.handle
        let what = handle == connected.handle ? "handle \(handleWords(handle))" : "peer"
        let message =
          "connection \(unended.connection) has no end in the capture, and connection \(connection) has its \(what)"
        scene.report(Self.self, message, connection: connection)
      }
      unended = nil
      handles = handles.suffix(63) + [(connection, connected.handle)]
    default: break
    }
  }
}

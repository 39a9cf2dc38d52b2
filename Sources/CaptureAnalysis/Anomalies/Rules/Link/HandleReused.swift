import BluetoothHost
import CaptureFiles
import GATTKit

/// A connection handle that is given again while its connection has not ended.
struct HandleReused: AnomalyRule {
  static let about = RuleDescription(
    "handle-reused", .warning,
    finds: "A connection that is made on a handle whose last connection has not ended in the capture.",
    matters:
      "The end of the earlier connection, and what came with it, is missing: packets between may belong to either.",
    advice: "Look for a hole in the log: two logs put together, a filter, or packets that were dropped.",
    explainedBy: ["octets-skipped", "packets-dropped"],
    examples: [
      .finds("a connection on the handle of another", [.values(["16 48"]), .wait(60), .connect, .wait(5)]),
      .quiet("the first one ends before", [.values(["16 48"]), .disconnect(0x13), .wait(5), .connect]),
      .quiet("the controller was reset between", [.values(["16 48"]), .event(0x0E, "01 03 0c 00"), .connect]),
      .quiet("packets come just before the connection", after: .nothing, [.received("1b 10 00 16 48"), .connect]),
    ])
  static let scope = RuleScope.capture
  static let events: EventSelection = [.traffic, EventSelection([.disconnected, .connected])]

  /// The connection that was found to be over without an end.
  private var unended: (connection: Int, moment: Moment)?
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
        let message =
          "connection \(unended.connection) has no end in the capture, and connection \(connection) has its "
          + "handle \(handleWords(connected.handle))"
        scene.report(Self.self, message, connection: connection)
      }
      unended = nil
    default: break
    }
  }
}

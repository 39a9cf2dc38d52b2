import BluetoothHost
import CaptureFiles

/// What it asks of the connection's parameters, and what it is answered.
enum ParameterRequestsAspect: ComparisonAspect {
  static let name = "parameter-requests"
  static let title = "parameters asked for"

  private struct Ask: Hashable {
    let request: ConnectionParameterRequest?
    let isAccepted: Bool?
  }

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let all = sides.flatMap(\.connections).flatMap(asked).compactMap(\.request)
    // What all ask for alike need not be said.
    let areAlike = Set(all.map(\.latency)).count < 2 && Set(all.map(\.supervisionTimeoutMilliseconds)).count < 2
    return AspectComparison(sides) { side -> (key: Set<Ask>, words: String)? in
      // Where the making of all connections is missing, so may requests be; and they may come late.
      guard side.connections.contains(where: { isWhole($0) || !asked($0).isEmpty }) else { return nil }
      // What was asked may have been cut away.
      guard side.connections.allSatisfy({ asked($0).allSatisfy { $0.request != nil } }) else { return nil }
      var asks: [(ask: Ask, words: String)] = []
      for connection in side.connections {
        for request in asked(connection) {
          let ask = Ask(request: request.request, isAccepted: request.isAccepted)
          if !asks.contains(where: { $0.ask == ask }) {
            asks.append((ask, words(request, connection.summary, isBrief: areAlike)))
          }
        }
      }
      let words = asks.isEmpty ? "none" : asks.prefix(3).map(\.words).joined(separator: "; ")
      return (Set(asks.map(\.ask)), words)
    }
  }

  /// Whether a connection is in the capture for long enough that requests would be, too.
  private static func isWhole(_ connection: SensorBehaviour.SideConnection) -> Bool {
    connection.summary.wasOpened && (connection.summary.closed != nil || connection.duration >= usualDelay)
  }

  /// Sensors ask within half a minute or so, in seconds.
  private static let usualDelay = 60.0

  /// What the sensor asked: the peer, or this device where that is the sensor.
  private static func asked(_ connection: SensorBehaviour.SideConnection) -> [ConnectionBehaviour.Request] {
    connection.behaviour.requests.filter { $0.isFromPeer == (connection.summary.server == .peer) }
  }

  /// - Parameter isBrief: Whether latency and timeout are left out.
  private static func words(
    _ request: ConnectionBehaviour.Request, _ connection: ConnectionSummary, isBrief: Bool
  ) -> String {
    let what = request.request.map { isBrief ? $0.intervalWords : $0.words } ?? "some"
    let answer = request.isAccepted.map { $0 ? "accepted" : "refused" } ?? "not answered"
    guard connection.wasOpened else { return "\(what), \(answer)" }
    let after = request.moment.time.seconds(since: connection.first.time)
    return "\(what) at \(seconds(max(0, after))), \(answer)"
  }
}

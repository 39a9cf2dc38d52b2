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
    let told = sides.compactMap { asks(of: $0, areBrief: areAlike).map { Set($0.map(\.ask)) } }
    let common = told.dropFirst().reduce(told.first ?? []) { $0.intersection($1) }
    return AspectComparison(sides) { side -> (key: Set<Ask>, words: String)? in
      asks(of: side, areBrief: areAlike).map { (Set($0.map(\.ask)), words($0, common: common)) }
    }
  }

  private typealias WordedAsk = (ask: Ask, words: String)

  /// What a side asks for, each once; nil where the capture does not tell.
  private static func asks(of side: SensorBehaviour, areBrief: Bool) -> [WordedAsk]? {
    // Where the making of all connections is missing, so may requests be; and they may come late.
    guard side.connections.contains(where: { isWhole($0) || !asked($0).isEmpty }) else { return nil }
    // What was asked may have been cut away.
    guard side.connections.allSatisfy({ asked($0).allSatisfy { $0.request != nil } }) else { return nil }
    var asks: [WordedAsk] = []
    for connection in side.connections {
      for request in asked(connection) {
        let ask = Ask(request: request.request, isAccepted: request.isAccepted)
        if !asks.contains(where: { $0.ask == ask }) {
          asks.append((ask, words(request, on: connection, isBrief: areBrief)))
        }
      }
    }
    return asks
  }

  /// More of a side are only counted.
  private static let mostTold = 3

  /// "30–50 ms at 0.1 s, accepted; 1 more". Of many, those first that not all sides have: by them they differ.
  private static func words(_ asks: [WordedAsk], common: Set<Ask>) -> String {
    if asks.isEmpty { return "none" }
    if asks.count <= mostTold { return asks.map(\.words).joined(separator: "; ") }
    let sorted = asks.filter { !common.contains($0.ask) } + asks.filter { common.contains($0.ask) }
    return (sorted.prefix(mostTold).map(\.words) + ["\(asks.count - mostTold) more"]).joined(separator: "; ")
  }

  /// Whether a connection is in the capture for long enough that requests would be, too.
  private static func isWhole(_ connection: SensorBehaviour.SideConnection) -> Bool {
    connection.summary.wasOpened && (connection.summary.closed != nil || connection.duration ?? 0 >= usualDelay)
  }

  /// Sensors ask within half a minute or so, in seconds.
  private static let usualDelay = 60.0

  /// What the sensor asked: the peer, or this device where that is the sensor.
  private static func asked(_ connection: SensorBehaviour.SideConnection) -> [ConnectionBehaviour.Request] {
    connection.behaviour.requests.filter { $0.isFromPeer == (connection.summary.server == .peer) }
  }

  /// - Parameter isBrief: Whether latency and timeout are left out.
  private static func words(
    _ request: ConnectionBehaviour.Request, on connection: SensorBehaviour.SideConnection, isBrief: Bool
  ) -> String {
    let what = request.request.map { isBrief ? $0.intervalWords : $0.words } ?? "some"
    let answer = request.isAccepted.map { $0 ? "accepted" : "refused" } ?? "not answered"
    guard connection.summary.wasOpened,
      let after = connection.facts.seconds(from: connection.summary.first, to: request.moment)
    else { return "\(what), \(answer)" }
    return "\(what) at \(seconds(after)), \(answer)"
  }
}

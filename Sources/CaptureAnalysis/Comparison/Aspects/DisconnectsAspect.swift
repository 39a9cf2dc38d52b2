import BluetoothHost

/// How its connections ended.
enum DisconnectsAspect: ComparisonAspect {
  static let name = "disconnects"
  static let title = "disconnection"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    // The reason is told from each log's own end: of logs from both ends it does not tell who ended a connection.
    let isFromBothEnds = Set(sides.flatMap(\.connections).map(\.summary.server)).count > 1
    return AspectComparison(sides) { side -> (key: Set<End>, words: String)? in
      let ended = side.connections.filter { $0.summary.reason != nil }
      // What lasts beyond the capture may end in any way.
      guard !ended.isEmpty else { return nil }
      let reasons = Set(ended.compactMap(\.summary.reason).map(\.rawValue))
      let ends = Set(ended.map(end))
      let told = reasons.sorted().map { words(HCIErrorCode(rawValue: $0)) }
      let who = isFromBothEnds ? [End.sensor, .host].filter(ends.contains).compactMap(\.words) : []
      return (ends, (told + who).joined(separator: "; "))
    }
  }

  /// Who ended it, if a host did: what is "local" to one end of a connection is "remote" to the other.
  private enum End: Hashable {
    case sensor
    case host
    case other(UInt8)

    var words: String? {
      switch self {
      case .sensor: "ended by the sensor"
      case .host: "ended by its peer"
      case .other: nil
      }
    }
  }

  private static func end(_ connection: SensorBehaviour.SideConnection) -> End {
    let isSensor = connection.summary.server == .local
    guard let end = connection.summary.end else { return .other(0) }
    if end.isByHost { return isSensor ? .sensor : .host }
    if end.isByPeer { return isSensor ? .host : .sensor }
    return .other(end.reason?.rawValue ?? 0)
  }
}

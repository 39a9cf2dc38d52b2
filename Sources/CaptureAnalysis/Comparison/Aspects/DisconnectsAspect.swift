import BluetoothHost

/// How its connections ended, as far as that is no chance where there were many.
enum DisconnectsAspect: ComparisonAspect {
  static let name = "disconnects"
  static let title = "disconnection"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    // The reason is told from each log's own end: of logs from both ends it does not tell who ended a connection.
    let isFromBothEnds = Set(sides.flatMap(\.connections).map(\.summary.server)).count > 1
    let ended = sides.map { $0.connections.filter { $0.summary.reason != nil } }
    let ends = ended.map { Dictionary(grouping: $0, by: end).mapValues(\.count) }
    let areMany = ended.count { GroupTest.isApplied($0.count, $0.count) } > 1
    return AspectComparison(
      statistics: ended.map { told($0, withHosts: isFromBothEnds) }, testedBy: areMany ? GroupTest.note : nil
    ) { first, second in
      let (one, other) = (ends[first], ends[second])
      let (all, otherAll) = (ended[first].count, ended[second].count)
      guard GroupTest.isApplied(all, otherAll) else { return Set(one.keys) != Set(other.keys) }
      return Set(one.keys).union(other.keys).contains { end in
        GroupTest.differ((one[end] ?? 0, all), (other[end] ?? 0, otherAll)) ?? false
      }
    }
  }

  /// The reasons, each with how often where there are several; nil where none ended: what lasts beyond the capture may
  /// end in any way.
  private static func told(_ ended: [SensorBehaviour.SideConnection], withHosts: Bool) -> String? {
    guard !ended.isEmpty else { return nil }
    let reasons = Dictionary(grouping: ended.compactMap(\.summary.reason).map(\.rawValue), by: \.self)
    let why = reasons.sorted { $0.key < $1.key }.map { reason, times in
      let often = reasons.count > 1 && ended.count > 2 ? " in \(times.count) of \(ended.count)" : ""
      return HCIErrorCode(rawValue: reason).words + often
    }
    let ends = Set(ended.map(end))
    let who = withHosts ? [End.sensor, .host].filter(ends.contains).compactMap(\.words) : []
    return (why + who).joined(separator: "; ")
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

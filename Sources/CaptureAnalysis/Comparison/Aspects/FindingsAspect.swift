/// What was unusual: which warnings and errors there are. How many is chance, and so is what is only worth knowing. What
/// values show is not told where packets were cut; and what a side lacks that holds no whole beginning of a connection with
/// measurements, its rules may only have been silent about.
enum FindingsAspect: ComparisonAspect {
  static let name = "findings"
  static let title = "findings"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let values = sides.map { side -> [String: String] in
      side.connections.flatMap(\.findings).filter { $0.severity > .info }
        .reduce(into: [String: Severity]()) { $0[$1.rule] = max($0[$1.rule] ?? .info, $1.severity) }
        .mapValues(\.rawValue)
    }
    let told = Set(values.map(\.keys).joined()).filter { rule in
      zip(sides, values).allSatisfy {
        $1[rule] != nil || !($0.hasCutPackets && AnomalyRules.readingValues.contains(rule))
      }
    }
    return AspectComparison(
      parts: values.map { $0.filter { told.contains($0.key) } }, order: told.sorted(), none: "none above info"
    ) { side, _ in sides[side].holdsMeasuringFromStart }
  }
}

extension SensorBehaviour {
  /// Whether a connection with measurements is in the capture from its making on.
  fileprivate var holdsMeasuringFromStart: Bool {
    connections.contains { $0.summary.wasOpened && $0.summary.hasMeasurements }
  }
}

/// What was unusual: which warnings and errors there are. How many is chance, and so is what is only worth knowing. What
/// values show is not told where packets were cut; and where a rule could not speak, it is not told that it was silent.
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
    ) { side, rule in sides[side].maySpeak(of: rule) }
  }
}

extension SensorBehaviour {
  /// Whether a rule could have said something of a connection: those that look at values need some, those that look at
  /// tables or at the link its beginning.
  fileprivate func maySpeak(of rule: String) -> Bool {
    let needsValues = AnomalyRules.readingValues.contains(rule)
    let needsBeginning = !needsValues || AnomalyRules.readingTables.contains(rule)
    return connections.contains { connection in
      (!needsValues || connection.summary.hasMeasurements) && (!needsBeginning || connection.summary.wasOpened)
    }
  }
}

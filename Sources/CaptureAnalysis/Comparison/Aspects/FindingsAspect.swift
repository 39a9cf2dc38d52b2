/// What was unusual: which warnings and errors there are. How many is chance, and so is what is only worth knowing.
enum FindingsAspect: ComparisonAspect {
  static let name = "findings"
  static let title = "findings"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let values = sides.map { side -> [String: String] in
      side.connections.flatMap(\.findings).filter { $0.severity > .info }
        .reduce(into: [String: Severity]()) { $0[$1.rule] = max($0[$1.rule] ?? .info, $1.severity) }
        .mapValues(\.rawValue)
    }
    return AspectComparison(
      parts: values, order: Set(values.map(\.keys).joined()).sorted(), none: "none above info")
  }
}

import BluetoothHost

/// The parameters of its connections, in the order they came to hold.
enum ConnectionParametersAspect: ComparisonAspect {
  static let name = "connection-parameters"
  static let title = "connection parameters"

  /// So many of a side are told, at most.
  private static let mostTold = 4

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let held = sides.map { side in
      side.connections.flatMap(\.summary.parameters).reduce(into: [ConnectionParameters]()) {
        if !$0.contains($1.parameters) { $0.append($1.parameters) }
      }
    }
    // Of a log that begins late or breaks off, what else held is not known.
    let isWhole = sides.map { side in
      side.connections.allSatisfy { $0.summary.wasOpened && $0.summary.closed != nil }
    }
    let values: [String?] = held.map { parameters in
      if parameters.isEmpty { return nil }
      let told = parameters.prefix(mostTold).map(\.words)
      return (parameters.count > mostTold ? told + ["…"] : told).joined(separator: " → ")
    }
    return AspectComparison(statistics: values, testedBy: nil) { first, second in
      let (one, other) = (Set(held[first]), Set(held[second]))
      if isWhole[first], isWhole[second] { return one != other }
      return !(one.isSubset(of: other) || other.isSubset(of: one))
    }
  }
}

import BluetoothHost

/// The parameters of its connections, in the order they came to hold.
enum ConnectionParametersAspect: ComparisonAspect {
  static let name = "connection-parameters"
  static let title = "connection parameters"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(
      sides.map { side -> (key: Set<ConnectionParameters>, words: String)? in
        var held: [ConnectionParameters] = []
        for change in side.connections.flatMap(\.summary.parameters) where !held.contains(change.parameters) {
          held.append(change.parameters)
        }
        guard !held.isEmpty else { return nil }
        return (Set(held), held.prefix(4).map(words).joined(separator: " → ") + (held.count > 4 ? " → …" : ""))
      })
  }

  private static func words(_ parameters: ConnectionParameters) -> String {
    "\(length(milliseconds: parameters.intervalMilliseconds)), latency \(parameters.latency), "
      + "timeout \(length(milliseconds: Double(parameters.supervisionTimeoutMilliseconds)))"
  }
}

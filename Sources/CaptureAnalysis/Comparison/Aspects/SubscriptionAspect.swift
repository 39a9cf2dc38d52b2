import GATTKit

/// What was subscribed to, and how.
enum SubscriptionAspect: ComparisonAspect {
  static let name = "subscription"
  static let title = "subscriptions"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    var order: [String] = []
    let values = sides.map { side -> [String: String]? in
      let all = side.connections.flatMap(\.asked.subscriptions)
      // A log that breaks off may do so before the subscription; and where no attribute is known, what was written to
      // which is not either.
      let isWhole = side.connections.contains { $0.summary.wasOpened && $0.summary.closed != nil }
      guard !all.isEmpty || isWhole && side.services != nil else { return nil }
      return all.reduce(into: [:]) { parts, subscription in
        let part =
          subscription.uuid.map(CharacteristicsAspect.words) ?? "characteristic at \(handleWords(subscription.handle))"
        if !order.contains(part) { order.append(part) }
        parts[part] = subscription.configuration.contains(.indication) ? "indicate" : "notify"
      }
    }
    return AspectComparison(parts: values, order: order, none: "nothing")
  }
}

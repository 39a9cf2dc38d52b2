import GATTKit

/// What was subscribed to, and how.
enum SubscriptionAspect: ComparisonAspect {
  static let name = "subscription"
  static let title = "subscriptions"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    var order: [String] = []
    let subscriptions = sides.map { $0.connections.flatMap(\.asked.subscriptions) }
    let told = ToldSubscriptions(subscriptions)
    let hasTable = sides.map { $0.services != nil }
    var untold: Set<String> = []
    var handles: [String: Set<UInt16>] = [:]
    let values = sides.indices.map { place -> [String: String]? in
      let side = sides[place]
      // A log that breaks off may do so before the subscription; and where no attribute is known, what was written to
      // which is not either.
      let isWhole = side.connections.contains { $0.summary.wasOpened && $0.summary.closed != nil }
      guard !subscriptions[place].isEmpty || isWhole && hasTable[place] else { return nil }
      return subscriptions[place].reduce(into: [:]) { parts, subscription in
        let name = told.name(of: subscription, on: place)
        let part = name ?? "characteristic at \(handleWords(subscription.handle))"
        if name == nil { untold.insert(part) }
        handles[part, default: []].insert(subscription.handle)
        if !order.contains(part) { order.append(part) }
        parts[part] = words(subscription.configuration)
      }
    }
    return AspectComparison(parts: values, order: order, none: "nothing") { place, part in
      // What is written to an attribute of unknown type may be anything.
      guard hasTable[place] || sides[place].hasConfiguration(at: handles[part] ?? []) else {
        return false
      }
      // What it was subscribed to instead may be the same, where one of the two is not told.
      let instead =
        values[place]?.keys.filter { untold.contains($0) || untold.contains(part) } ?? []
      return instead.isEmpty
        || values.allSatisfy { other in
          guard let other, other[part] != nil else { return true }
          return instead.allSatisfy { other[$0] != nil }
        }
    }
  }
}

extension SubscriptionAspect {
  private static func words(_ configuration: ClientCharacteristicConfiguration) -> String {
    guard configuration.contains(.indication) else { return "notify" }
    return configuration.contains(.notification) ? "notify, indicate" : "indicate"
  }
}

extension SensorBehaviour {
  /// Whether it is told to have a Client Characteristic Configuration at one of these handles.
  fileprivate func hasConfiguration(at handles: Set<UInt16>) -> Bool {
    connections.contains { connection in
      let databases = connection.summary.databases
      let database = connection.summary.server == .peer ? databases?.peer : databases?.local
      return handles.contains { database?.type(of: $0) == .clientCharacteristicConfiguration }
    }
  }
}

/// To what values subscriptions were, as far as the sides tell: what one of them does not, another may.
private struct ToldSubscriptions {
  /// What the values are called that each side tells, by the handles through which they were subscribed to.
  private let sides: [[UInt16: Set<String>]]
  /// The same of all sides together.
  private let all: [UInt16: Set<String>]

  init(_ subscriptions: [[SubscriptionEvent]]) {
    sides = subscriptions.map { side in
      side.reduce(into: [:]) { names, subscription in
        guard let uuid = subscription.uuid else { return }
        names[subscription.handle, default: []].insert(CharacteristicsAspect.words(uuid))
      }
    }
    all = sides.reduce(into: [:]) { all, side in all.merge(side) { $0.union($1) } }
  }

  /// - Returns: nil where no side tells, or where others tell of what this one has elsewhere.
  func name(of subscription: SubscriptionEvent, on side: Int) -> String? {
    if let uuid = subscription.uuid { return CharacteristicsAspect.words(uuid) }
    if let own = sides[side][subscription.handle] { return own.count == 1 ? own.first : nil }
    guard let name = all[subscription.handle]?.first, all[subscription.handle]?.count == 1 else {
      return nil
    }
    return sides[side].values.contains { $0.contains(name) } ? nil : name
  }
}

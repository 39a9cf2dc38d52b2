import GATTKit

/// What may be done with the characteristics that all sides have.
enum PropertiesAspect: ComparisonAspect {
  static let name = "properties"
  static let title = "properties"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let known = sides.map { $0.services.map(properties) }
    let all = known.compactMap { $0 }
    let order = (all.first?.order ?? []).filter { part in all.allSatisfy { $0.parts[part] != nil } }
    return AspectComparison(parts: known.map { side in side?.parts.filter { order.contains($0.key) } }, order: order)
  }

  private static func properties(_ services: [GATTService]) -> (parts: [String: String], order: [String]) {
    var parts: [String: String] = [:]
    var order: [String] = []
    for characteristic in services.flatMap(\.characteristics) {
      guard characteristic.uuid != nil, let properties = characteristic.properties else { continue }
      let part = CharacteristicsAspect.words(characteristic.uuid)
      if parts[part] == nil { order.append(part) }
      parts[part] = parts[part] ?? properties.description
    }
    return (parts, order)
  }
}

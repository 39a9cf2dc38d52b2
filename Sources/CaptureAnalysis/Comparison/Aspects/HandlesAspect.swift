import GATTKit

/// Where the characteristics lie that all sides have: an application that remembers handles depends on it.
enum HandlesAspect: ComparisonAspect {
  static let name = "handles"
  static let title = "handles"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let known = sides.map { $0.services.map(handles) }
    let all = known.compactMap { $0 }
    let order = (all.first?.order ?? []).filter { part in all.allSatisfy { $0.parts[part] != nil } }
    return AspectComparison(parts: known.map { side in side?.parts.filter { order.contains($0.key) } }, order: order)
  }

  private static func handles(_ services: [GATTService]) -> (parts: [String: String], order: [String]) {
    var parts: [String: String] = [:]
    var order: [String] = []
    for characteristic in services.flatMap(\.characteristics) where characteristic.uuid != nil {
      let part = CharacteristicsAspect.words(characteristic.uuid)
      if parts[part] == nil { order.append(part) }
      let handle = handleWords(characteristic.valueHandle)
      parts[part] = parts[part].map { "\($0) and \(handle)" } ?? handle
    }
    return (parts, order)
  }
}

import GATTKit

/// Which services it has, whatever their handles.
enum ServicesAspect: ComparisonAspect {
  static let name = "services"
  static let title = "services"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let values = sides.map { side -> [String: String]? in
      guard let services = side.services else { return nil }
      var parts = services.reduce(into: [String: Int]()) { $0[words($1.uuid), default: 0] += 1 }
        .mapValues { $0 == 1 ? "" : times($0) }
      // Of several captures that are one side, some may show what others lack.
      let tables = side.wholeTables.map { Set($0.map { words($0.uuid) }) }
      for part in parts.keys where tables.contains(where: { !$0.contains(part) }) { parts[part] = "in some" }
      return parts
    }
    return AspectComparison(parts: values, order: order(of: sides.compactMap(\.services))) { side, _ in
      sides[side].tellsAllServices
    }
  }

  /// What a service is called: its name, or as much of its UUID as tells it.
  static func words(_ uuid: BluetoothUUID?) -> String {
    guard let uuid else { return "a service of unknown type" }
    return AssignedNumbers.serviceName(uuid) ?? uuid.description
  }

  private static func order(of sides: [[GATTService]]) -> [String] {
    sides.joined().reduce(into: []) { order, service in
      let words = words(service.uuid)
      if !order.contains(words) { order.append(words) }
    }
  }
}

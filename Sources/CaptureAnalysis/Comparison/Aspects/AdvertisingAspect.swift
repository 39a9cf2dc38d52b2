import GATTKit

/// What a sensor says of itself before anyone connects; its name, which has a serial number in it, apart.
enum AdvertisingAspect: ComparisonAspect {
  static let name = "advertising"
  static let title = "advertising"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let heard = sides.map { side in side.connections.compactMap(\.advertisement) }
    let values = heard.map { advertisements -> [String: String]? in
      guard !advertisements.isEmpty else { return nil }
      var parts: [String: String] = [:]
      for uuid in advertisements.flatMap(\.services) { parts["service \(words(uuid))"] = "" }
      if let company = advertisements.compactMap(\.company).last {
        parts["manufacturer data"] = AssignedNumbers.companyName(company) ?? "company \(handleWords(company))"
      }
      return parts
    }
    let order = Set(values.compactMap { $0?.keys }.joined()).sorted()
    return AspectComparison(parts: values, order: order)
  }

  private static func words(_ uuid: BluetoothUUID) -> String { AssignedNumbers.serviceName(uuid) ?? uuid.description }
}

import GATTKit

/// What a sensor says of itself before anyone connects; its name, which has a serial number in it, apart.
enum AdvertisingAspect: ComparisonAspect {
  static let name = "advertising"
  static let title = "advertising"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    // Of a device without the heart rate service no more is known than that.
    let lacks = sides.map { side in side.connections.contains { $0.behaviour.lacksHeartRate } }
    let heard = sides.map { side in side.connections.compactMap(\.advertisement) }
    let values = zip(heard, lacks).map { advertisements, lacks -> [String: String]? in
      guard !advertisements.isEmpty else { return lacks ? [:] : nil }
      var parts: [String: String] = [:]
      for uuid in advertisements.flatMap(\.services) { parts["service \(ServicesAspect.words(uuid))"] = "" }
      if let company = advertisements.compactMap(\.company).last {
        parts["manufacturer data"] = AssignedNumbers.companyName(company) ?? "company \(handleWords(company))"
      }
      return parts
    }
    let isPartial = zip(heard, lacks).contains { $0.isEmpty && $1 }
    let order =
      isPartial
      ? ["service \(ServicesAspect.words(.heartRateService))"] : Set(values.compactMap { $0?.keys }.joined()).sorted()
    return AspectComparison(parts: values, order: order)
  }
}

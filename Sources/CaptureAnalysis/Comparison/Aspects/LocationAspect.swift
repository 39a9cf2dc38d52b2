import GATTKit

/// Where it is worn, as it says.
enum LocationAspect: ComparisonAspect {
  static let name = "location"
  static let title = "location"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(sides) { side -> (key: [UInt8], words: String)? in
      // It may be worn elsewhere on another connection, or be another sensor of the make.
      let told = Set(side.connections.compactMap(\.summary.sensor.location?.rawValue)).sorted()
      if !told.isEmpty {
        return (told, told.map { BodySensorLocation(rawValue: $0).description }.joined(separator: " / "))
      }
      // Absent is an answer too; present and never read is none.
      return side.lacks(.bodySensorLocation, of: .heartRateService) ? ([], "absent") : nil
    }
  }
}

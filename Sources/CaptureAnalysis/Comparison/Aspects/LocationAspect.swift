import GATTKit

/// Where it is worn, as it says.
enum LocationAspect: ComparisonAspect {
  static let name = "location"
  static let title = "location"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(sides) { side -> (key: Int, words: String)? in
      if let location = side.sensor.location { return (Int(location.rawValue), location.description) }
      // Absent is an answer too; present and never read is none.
      return side.lacks(.bodySensorLocation, of: .heartRateService) ? (-1, "absent") : nil
    }
  }
}

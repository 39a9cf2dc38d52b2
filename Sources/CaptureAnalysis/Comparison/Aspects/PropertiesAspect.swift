import GATTKit

/// What may be done with the characteristics that all sides have.
enum PropertiesAspect: ComparisonAspect {
  static let name = "properties"
  static let title = "properties"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(ofCommonCharacteristics: sides) { $0.properties?.description }
  }
}

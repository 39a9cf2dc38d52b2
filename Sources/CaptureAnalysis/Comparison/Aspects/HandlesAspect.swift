import GATTKit

/// Where the characteristics lie that all sides have: an application that remembers handles depends on it.
enum HandlesAspect: ComparisonAspect {
  static let name = "handles"
  static let title = "handles"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(ofCommonCharacteristics: sides) { handleWords($0.valueHandle) }
  }
}

import GATTKit

/// How wide heart rates are sent.
enum ValueFormatAspect: ComparisonAspect {
  static let name = "value-format"
  static let title = "value format"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(sides) { side -> (key: Int, words: String)? in
      let sample = side.series
      guard sample.measurements > 0 else { return nil }
      let wide = sample.count(.uint16Format)
      if wide == 0 { return (0, "UINT8") }
      return wide == sample.measurements ? (2, "UINT16") : (1, "UINT8, UINT16 in \(wide) of \(sample.measurements)")
    }
  }
}

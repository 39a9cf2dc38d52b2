import GATTKit

/// Whether it tells skin contact. How often it had any depends on the wearer, unless it is never and always.
enum ContactAspect: ComparisonAspect {
  static let name = "contact"
  static let title = "contact"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(sides) { side -> (key: String, words: String)? in
      let sample = side.series
      guard sample.measurements > 0 else { return nil }
      let supported = sample.count(.contactSupport)
      guard supported > 0 else { return ("unsupported", "unsupported") }
      let detected = sample.count([.contactSupport, .contactStatus])
      let share = percent(Double(detected) / Double(supported))
      let whether = supported == sample.measurements ? "supported" : "supported in some"
      let kind = detected == 0 ? "never" : "detected"
      return ("\(whether), \(kind)", "\(whether) (\(detected == 0 ? "never detected" : "detected \(share)"))")
    }
  }
}

import GATTKit

/// Whether it tells skin contact, and how often it had any: that depends on the wearer, and is told where it is far apart.
enum ContactAspect: ComparisonAspect {
  static let name = "contact"
  static let title = "contact"

  /// So large a part of the measurements more is another wearing.
  private static let leastShare = 0.1
  /// Fewer measurements say nothing of how often.
  private static let leastMeasurements = 20

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(
      statistics: sides.map(words), testedBy: "whether it tells any, or had any; a tenth of twenty or more measurements"
    ) { first, second in
      let (one, other) = (sides[first].series, sides[second].series)
      if kind(one) != kind(other) { return true }
      guard let share = one.contactShare, let otherShare = other.contactShare else { return false }
      return min(one.measurements, other.measurements) >= leastMeasurements
        && (share - otherShare).magnitude >= leastShare
    }
  }

  private static func words(_ side: SensorBehaviour) -> String? {
    let sample = side.series
    guard sample.measurements > 0 else { return nil }
    guard let share = sample.contactShare else { return "unsupported" }
    let whether = sample.count(.contactSupport) == sample.measurements ? "supported" : "supported in some"
    return "\(whether) (\(share == 0 ? "never detected" : "detected \(percent(share))"))"
  }

  /// Whether a side tells contact in none of its measurements, in some or in all, and whether it ever had any.
  private static func kind(_ sample: MeasurementSample) -> [Bool] {
    let supported = sample.count(.contactSupport)
    return [supported > 0, supported == sample.measurements, sample.contactShare ?? 0 > 0]
  }
}

extension MeasurementSample {
  /// How large a part of the measurements with a word on it has skin contact; nil where there are none.
  fileprivate var contactShare: Double? {
    let supported = count(.contactSupport)
    return supported > 0 ? Double(count([.contactSupport, .contactStatus])) / Double(supported) : nil
  }
}

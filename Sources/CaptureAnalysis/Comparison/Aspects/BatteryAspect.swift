import GATTKit

/// Whether it has a battery service. How full the battery is, is no behaviour.
enum BatteryAspect: ComparisonAspect {
  static let name = "battery"
  static let title = "battery service"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    AspectComparison(sides) { side -> (key: Bool, words: String)? in
      if let level = side.sensor.battery { return (true, "\(level) %") }
      if side.hasService(.batteryService) { return (true, "present, not read") }
      return side.tellsAllServices ? (false, "absent") : nil
    }
  }
}

import GATTKit

/// Whether it has a battery service, and whether the battery is nearly empty. How full it is else, is no behaviour.
enum BatteryAspect: ComparisonAspect {
  static let name = "battery"
  static let title = "battery service"

  static func compare(_ sides: [SensorBehaviour]) -> AspectComparison {
    let levels = sides.compactMap(\.sensor.battery)
    // Of a side that has not read it, it is not known.
    let isTold = levels.count == sides.count
    return AspectComparison(sides) { side -> (key: Charge, words: String)? in
      if let level = side.sensor.battery {
        return isTold && level <= Self.nearlyEmpty ? (.nearlyEmpty, "\(level) %") : (.present, "\(level) %")
      }
      if side.hasService(.batteryService) { return (.present, "present, not read") }
      return side.tellsAllServices ? (.absent, "absent") : nil
    }
  }

  private enum Charge {
    case absent
    case present
    case nearlyEmpty
  }

  /// In per cent: with so little left, sensors fall silent.
  private static let nearlyEmpty: UInt8 = 10
}

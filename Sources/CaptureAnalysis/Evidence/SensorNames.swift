/// The names that heart rate sensors give themselves, by what they begin with or hold; without regard to case.
enum SensorNames {
  /// Makers' and products' names, as their advertising shows them.
  private static let marks = [
    "polar h", "polar oh", "polar sense", "polar verity", "tickr", "rhythm", "hrm", "heart", "coospo", "magene",
    "myzone",
    "4iiii", "viiiiva", "suunto smart", "decathlon hr", "zephyr", "scosche",
  ]

  /// Whether a device of this name is likely to be a heart rate sensor.
  static func isSensor(_ name: String) -> Bool {
    let name = name.lowercased()
    return marks.contains { name.contains($0) }
  }
}

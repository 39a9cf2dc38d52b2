/// Garmin HRM-Dual and HRM-Pro: chest straps.
enum GarminHRM {
  static let profile = SensorProfile(
    name: "Garmin HRM",
    marks: SensorProfile.Marks(
      names: ["HRM-Dual", "HRM-Pro", "HRMPro"], models: ["HRM-Dual", "HRM-Pro"], companies: [0x0087]),
    facts: [
      SensorFact(.rrIntervals(true), source: "users' reports, not verified"),
      SensorFact(.period(0.9...1.1), source: "users' reports, not verified"),
    ])
}

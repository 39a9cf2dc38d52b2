import GATTKit

/// Wahoo TICKR and TICKR X: chest straps. Users report spells of 0 beats a minute.
enum WahooTICKR {
  static let profile = SensorProfile(
    name: "Wahoo TICKR",
    // Its vendor service is one of other Wahoo products as well.
    marks: SensorProfile.Marks(names: ["TICKR"], models: ["TICKR"], companies: [0x01FC]),
    facts: [
      SensorFact(.rrIntervals(true), source: "users' reports, not verified"),
      SensorFact(.location(.chest), source: "it is a chest strap: wahoofitness.com"),
      SensorFact(.period(0.9...1.1), source: "users' reports, not verified"),
    ])
}

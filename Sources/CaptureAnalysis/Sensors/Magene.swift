/// Magene H64 and H303: inexpensive chest straps.
enum Magene {
  static let profile = SensorProfile(
    name: "Magene",
    marks: SensorProfile.Marks(names: ["Magene", "H64", "H303"]),
    facts: [
      SensorFact(.rrIntervals(true), source: "github.com/jlennox/HeartRate/issues/44"),
      SensorFact(.period(0.9...1.1), source: "users' reports, not verified"),
    ])
}

/// CooSpo H6, H808S and their like: inexpensive chest straps.
enum CooSpo {
  static let profile = SensorProfile(
    name: "CooSpo",
    marks: SensorProfile.Marks(names: ["CooSpo", "808S", "H808S", "H6M", "HW706", "HW807"]),
    facts: [SensorFact(.period(0.9...1.1), source: "users' reports, not verified")])
}

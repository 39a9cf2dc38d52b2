/// Polar OH1: an optical sensor for the arm.
enum PolarOH1 {
  static let profile = SensorProfile(
    name: "Polar OH1",
    marks: SensorProfile.Marks(names: ["Polar OH1"], models: ["OH1"], companies: [0x006B]),
    facts: [
      SensorFact(.contact(false), source: "the maker: github.com/polarofficial/polar-ble-sdk/issues/131"),
      SensorFact(.energyExpended(false), source: "users' reports, not verified"),
    ])
}
